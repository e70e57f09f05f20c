import { adapterConformance } from '@hermes/plugin-sdk/conformance'
import { describe, it } from 'vitest'
import { postboxOptions } from './options.js'
import { PostboxAdapter } from './postbox-adapter.js'
import { PostboxDouble } from './testing/postbox-double.js'

describe('the postbox adapter keeps what every adapter promises:', () => {
  adapterConformance(
    { describe, it },
    {
      async start() {
        const double = await PostboxDouble.start()
        const options = postboxOptions.parse({ token: double.token, url: double.url })
        return { double, secrets: [double.token], create: () => new PostboxAdapter(options) }
      },
      skip: {
        'connect: a handler that throws on the native object takes no message away': 'the client takes no handlers',
        'connect: a handler that hangs on the native object takes no message away': 'the client takes no handlers',
        'receive: what is delivered twice has the same id, also by another connection': 'only what is not acknowledged is delivered again',
        act: 'people write letters, and nothing else',
        'a stream': 'a letter does not grow',
        attachment: 'a postbox takes no files',
        menu: 'a postbox has no menu',
        request: 'a postbox has no webhook',
        'send: a link shows no preview': 'a postbox shows no previews',
        'send: bad-format ends as rejected, bad-format, and shows nothing': 'texts are plain',
        'send: thread-gone ends as rejected, thread-gone, and shows nothing': 'a postbox has no threads',
      },
    },
  )
})
