import { adapterConformance } from '@hermes/plugin-sdk/conformance'
import { describe, it } from 'vitest'
import { startTelegram } from './telegram-double.js'

describe('the Telegram adapter keeps what every adapter promises:', () => {
  adapterConformance({ describe, it }, { start: startTelegram, skip: { 'a stream': 'answers are sent when they are complete' } })
})
