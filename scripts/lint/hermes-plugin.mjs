// The project's own lint rules go out, for `jsPlugins` of .oxlintrc.json.
// Nothing comes in but the syntax tree of the file that is linted.

import { noBlockingInAsync } from './no-blocking-in-async.mjs'

const plugin = { meta: { name: 'hermes' }, rules: { 'no-blocking-in-async': noBlockingInAsync } }

// oxlint-disable-next-line import/no-default-export -- oxlint loads a plugin by its default export
export default plugin
