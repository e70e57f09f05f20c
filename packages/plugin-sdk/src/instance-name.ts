/** Names of plugins, platforms and adapter instances: they stand in session keys, logs and file names. */
export const instanceName = /^[a-z0-9][a-z0-9._-]{0,63}$/
