import { adapterConformance } from '@hermes/plugin-sdk/conformance'
import { describe, it } from 'vitest'
import { startTerminal } from './terminal-double.js'

const noWire = 'a terminal has no wire and no token'
const insideOfLines = 'what listens to a readline interface runs inside of it'
const onePerson = 'one person sits at a terminal'
const noAudience = 'a terminal has no mentions and no previews'
const refusals = ['refuse-connection', 'too-long', 'bad-format', 'message-gone', 'thread-gone', 'chat-gone', 'forbidden', 'bad-token']
const reasonOf = (kind: string): string => (kind === 'refuse-connection' ? 'unavailable' : kind === 'bad-token' ? 'credentials' : kind)

describe('the terminal adapter keeps what every adapter promises:', () => {
  adapterConformance(
    { describe, it },
    {
      start: startTerminal,
      skip: {
        'connect: a handler that throws on the native object takes no message away': insideOfLines,
        'connect: a handler that hangs on the native object takes no message away': insideOfLines,
        'connect: a wrong token is a failure of the credentials, and trying again is no use': noWire,
        'connect: a platform that nobody reaches is a failure that may be tried again': noWire,
        'connect: no secret stands in an error or a log': noWire,
        'connect: a connect that is told to end does, in the middle': noWire,
        'connect: disconnect is fine before, in the middle of and after a connect, and twice': noWire,
        'receive: a message is an event with its chat, its author and its text as it was written': 'a line is a message, and lines have no ids',
        'receive: all events of a chat have one address, and chats do not mix': 'a terminal is one chat',
        'receive: what nobody said is of nobody who says other things, and takes nothing away': onePerson,
        'receive: people are told apart by their ids, which stay': onePerson,
        'receive: a mention of the bot speaks to it, and is no part of the text': 'every line speaks to the bot',
        'receive: what is delivered twice has the same id, also by another connection': 'nobody types a line twice by accident',
        'receive: what nobody can read takes away nothing that comes behind it': noWire,
        act: 'people at a terminal type, and nothing else',
        attachment: 'nobody types a file',
        menu: 'a terminal has no menu',
        request: 'a terminal has no webhook',
        acknowledge: 'nobody sends a line twice: the adapter keeps it until it is stored',
        reconnect: 'a terminal that is gone does not come back',
        'send: a text that names everybody calls nobody': noAudience,
        'send: a link shows no preview': noAudience,
        'send: a platform that asks to wait is rate-limited, with its date': noWire,
        ...Object.fromEntries(refusals.map((kind) => [`send: ${kind} ends as rejected, ${reasonOf(kind)}, and shows nothing`, noWire])),
        ...Object.fromEntries(
          ['drop-after', 'error-after', 'garbage'].map((kind) => [`send: ${kind} ends as unknown, and is not sent again`, noWire]),
        ),
      },
    },
  )
})
