import sdk = require('@hermes/plugin-sdk')

export const plugin: sdk.Plugin = sdk.definePlugin({ id: 'common-js', register() {} })
