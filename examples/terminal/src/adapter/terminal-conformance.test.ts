import { adapterConformance } from '@hermes/plugin-sdk/conformance'
import { describe, it } from 'vitest'
import { startTerminal } from './terminal-double.js'

const noWire = 'a terminal has no wire and no token'
const refusals = ['refuse-connection', 'too-long', 'bad-format', 'message-gone', 'thread-gone', 'chat-gone', 'forbidden', 'bad-token']
const reasonOf = (kind: string): string => (kind === 'refuse-connection' ? 'unavailable' : kind === 'bad-token' ? 'credentials' : kind)

describe('the terminal adapter keeps what every adapter promises:', () => {
  adapterConformance(
    { describe, it },
    {
      start: startTerminal,
      skip: {
        'connect: a handler that throws on the native object takes no message away': 'what listens to a readline interface runs inside of it',
        'connect: a wrong token is a failure of the credentials, and trying again is no use': noWire,
        'connect: a platform that nobody reaches is a failure that may be tried again': noWire,
        'connect: no secret stands in an error or a log': noWire,
        'connect: a connect that is told to end does, in the middle': noWire,
        'connect: disconnect is fine before, in the middle of and after a connect, and twice': noWire,
        'receive: a message is an event with its chat, its author and its text as it was written': 'a line is a message, and lines have no ids',
        'receive: all events of a chat have one address, and chats do not mix': 'a terminal is one chat',
        'receive: a message that is changed is an edit of it, with the new text, whole': 'what is typed stays',
        'receive: a reaction says to which message and what': 'a terminal has no reactions',
        'receive: what nobody can read takes away nothing that comes behind it': noWire,
        attachment: 'nobody types a file',
        menu: 'a terminal has no menu',
        acknowledge: 'nobody sends a line twice: the adapter keeps it until it is stored',
        reconnect: 'a terminal that is gone does not come back',
        'send: a platform that asks to wait is rate-limited, with its date': noWire,
        ...Object.fromEntries(refusals.map((kind) => [`send: ${kind} ends as rejected, ${reasonOf(kind)}, and shows nothing`, noWire])),
        ...Object.fromEntries(
          ['drop-after', 'error-after', 'garbage'].map((kind) => [`send: ${kind} ends as unknown, and is not sent again`, noWire]),
        ),
      },
    },
  )
})
