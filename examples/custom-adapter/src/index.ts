export { postboxOptions, type PostboxOptions } from './options.js'
export { postbox } from './postbox.js'
export { PostboxRefusal, type PostboxCall, type PostboxClient } from './postbox-client.js'
