import { adapterConformance } from '@hermes/plugin-sdk/conformance'
import { describe, it } from 'vitest'
import { startTelegram, startTelegramWebhook } from './telegram-double.js'

const noDate = 'a secret of Telegram is of no body and of no date'
const byPolling = 'shown by long polling, above'
const always = {
  'act: a message that is taken away is a deletion of it': 'Telegram tells bots of no deletion',
  'act: a command of the platform says its name and its words': 'a command of Telegram is a message',
  'send: a text that names everybody calls nobody': 'Telegram has no name for everybody',
  'a stream': 'answers are sent when they are complete',
}

describe('the Telegram adapter keeps what every adapter promises:', () => {
  adapterConformance({ describe, it }, { start: startTelegram, skip: { ...always, request: 'shown by a webhook, below' } })
})

describe('the Telegram adapter behind a webhook keeps what every adapter promises:', () => {
  adapterConformance(
    { describe, it },
    {
      start: startTelegramWebhook,
      skip: {
        ...always,
        ...Object.fromEntries(['connect', 'receive', 'act', 'acknowledge', 'reconnect', 'attachment'].map((group) => [group, byPolling])),
        'request: a request that is altered is refused, and brings nothing': noDate,
        'request: a request that is stale is refused, and brings nothing': noDate,
        'request: a request that is future is refused, and brings nothing': noDate,
      },
    },
  )
})
