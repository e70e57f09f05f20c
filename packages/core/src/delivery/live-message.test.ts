import type { Call, ChatCapabilities, MessageStream, OutboundMessage, SendOutcome, TurnId } from '@hermes/plugin-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.js'
import { chatOf, quiet, ScriptedAdapter, setUpDelivery, type ScriptedAnswer } from './delivery-rig.js'
import type { Delivery, UnknownRule } from './ports.js'

const ann = chatOf('ann')
const about = { turn: 'turn_1' as TurnId, replyTo: '7' }
const open: { readonly delivery: Delivery; readonly clock: FakeClock }[] = []

/** An adapter whose stream is the message; it says what a person would see happen. */
class StreamingAdapter extends ScriptedAdapter {
  readonly shown: string[] = []
  readonly updates: ScriptedAnswer[] = []
  readonly finishes: ScriptedAnswer[] = []
  kind: 'message' | undefined = 'message'

  override capabilities(): ChatCapabilities {
    return { text: this.text, stream: this.kind && { kind: this.kind } }
  }

  override send(...[chat, message, call]: Parameters<ScriptedAdapter['send']>): Promise<SendOutcome> {
    this.shown.push(`send ${message.text}`)
    return super.send(chat, message, call)
  }

  stream(_chat: unknown, opening: { readonly replyTo?: string | undefined }): MessageStream {
    this.shown.push(`open ${opening.replyTo ?? '-'}`)
    return {
      update: ({ text }, call) => this.#say(`update ${text}`, this.updates, call),
      finish: (message: OutboundMessage, call) => this.#say(`finish ${message.text}`, this.finishes, call),
      abandon: async () => void this.shown.push('abandon'),
    }
  }

  async #say(line: string, script: ScriptedAnswer[], call: Call): Promise<SendOutcome> {
    this.shown.push(line)
    this.script.unshift(script.shift() ?? { status: 'sent', ids: [] })
    await quiet()
    return this.answer(call)
  }
}

async function setUp(options: { onUnknown?: UnknownRule } = {}) {
  const clock = new FakeClock()
  const adapter = new StreamingAdapter()
  const rig = await setUpDelivery({ ...options, clock, adapter })
  open.push({ delivery: rig.delivery, clock })
  const live = rig.delivery.live(ann, about)
  return { ...rig, clock, adapter, live, finish: async (text: string) => live.finish(await rig.add(ann, text)) }
}

/** The first update is under way. */
async function begun(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await quiet()
}

afterEach(async () => {
  for (const { delivery, clock } of open.splice(0)) await Promise.all([delivery.stop(), clock.advance(5000)])
})

describe('a live message', () => {
  it('grows on the stream, and the stream becomes the message', async () => {
    const { live, finish, adapter, delivery } = await setUp()
    live.set('Hel')
    await settled()
    live.set('Hello')
    await settled()
    await finish('Hello.')
    await settled()
    expect(adapter.shown).toEqual(['open 7', 'update Hel', 'update Hello', 'finish Hello.'])
    expect(delivery.status()).toMatchObject({ sent: 1, waiting: 0 })
  })

  it('has one update under way, and the newest text wins', async () => {
    const { live, adapter } = await setUp()
    live.set('H')
    await begun()
    for (const text of ['He', 'Hel', 'Hell', 'Hello']) live.set(text)
    await settled()
    expect(adapter.shown).toEqual(['open 7', 'update H', 'update Hello'])
  })

  it('shows nothing of a text that does not extend what is shown', async () => {
    const { live, finish, adapter } = await setUp()
    live.set('Hello')
    await settled()
    live.set('Other')
    await settled()
    await finish('Hello again')
    await settled()
    expect(adapter.shown).toEqual(['open 7', 'update Hello', 'finish Hello again'])
  })

  it('leaves a segment as it is, whole, and begins a new one with the next text', async () => {
    const { live, finish, adapter } = await setUp()
    live.set('Let me')
    await begun()
    live.set('Let me look.')
    live.segment()
    live.set('It is')
    await settled()
    await finish('It is so.')
    await settled()
    expect(adapter.shown.filter((line) => !line.startsWith('open'))).toEqual([
      'update Let me',
      'update Let me look.',
      'abandon',
      'update It is',
      'finish It is so.',
    ])
  })

  it('sends the final behind the last segment where nothing of it was shown yet', async () => {
    const { live, finish, adapter } = await setUp()
    live.set('Let me')
    await begun()
    live.set('Let me look.')
    live.segment()
    live.set('It is')
    await finish('It is so.')
    await settled()
    expect(adapter.shown).toEqual(['open 7', 'update Let me', 'update Let me look.', 'abandon', 'send It is so.'])
  })

  it('sends the final anew where it does not extend what is shown', async () => {
    const { live, finish, adapter } = await setUp()
    live.set('Hello')
    await settled()
    await finish('Something else')
    await settled()
    expect(adapter.shown).toEqual(['open 7', 'update Hello', 'abandon', 'send Something else'])
  })

  it('sends a final of several pieces anew', async () => {
    const { live, delivery, add, adapter } = await setUp()
    live.set('Hello')
    await settled()
    live.finish([...(await add(ann, 'Hello one')), ...(await add(ann, 'two'))])
    await settled()
    expect(adapter.shown).toEqual(['open 7', 'update Hello', 'abandon', 'send Hello one', 'send two'])
    expect(delivery.status().sent).toBe(2)
  })

  it('sends the final anew after an update that failed', async () => {
    const { live, finish, adapter } = await setUp()
    adapter.updates.push({ status: 'rejected', reason: 'expired', detail: 'over' })
    live.set('Hello')
    await settled()
    live.set('Hello there')
    await settled()
    await finish('Hello there.')
    await settled()
    expect(adapter.shown).toEqual(['open 7', 'update Hello', 'abandon', 'send Hello there.'])
  })

  it('asks for the end of the stream once more when it is unknown, also where unknown rows are held', async () => {
    const { live, finish, adapter, delivery } = await setUp({ onUnknown: 'hold' })
    adapter.finishes.push({ status: 'unknown', detail: 'timed out' })
    live.set('Hello')
    await settled()
    await finish('Hello.')
    await settled()
    expect(adapter.shown.slice(2)).toEqual(['finish Hello.', 'finish Hello.'])
    expect(delivery.status().sent).toBe(1)
  })

  it('goes on by an ordinary send when the stream is over', async () => {
    const { live, finish, adapter } = await setUp()
    adapter.finishes.push({ status: 'rejected', reason: 'expired', detail: 'over' })
    live.set('Hello')
    await settled()
    await finish('Hello.')
    await settled()
    expect(adapter.shown.slice(2)).toEqual(['finish Hello.', 'abandon', 'send Hello.'])
  })

  it('shows nothing early where the stream is not the message, or the chat shows no formatting', async () => {
    const { live, finish, adapter } = await setUp()
    adapter.text = { ...adapter.text, dialect: 'plain' }
    live.set('Hello')
    adapter.text = { ...adapter.text, dialect: 'markdown' }
    adapter.kind = undefined
    live.set('Hello there')
    await finish('Hello there.')
    await settled()
    expect(adapter.shown).toEqual(['send Hello there.'])
  })

  it('does not overtake what waits for the chat', async () => {
    const { live, post, adapter, clock, finish } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'rate-limited', detail: 'no', retryAfterMs: 1000 })
    await post(ann, 'before')
    await settled()
    live.set('Hello')
    await settled()
    await finish('Hello.')
    await clock.advance(1000)
    await settled()
    expect(adapter.shown).toEqual(['send before', 'send before', 'send Hello.'])
  })

  it('lets a reply to somebody else in between two updates, never into one', async () => {
    const { live, post, adapter } = await setUp()
    live.set('Hel')
    await begun()
    await post(ann, 'reply')
    live.set('Hello')
    await settled()
    expect(adapter.shown).toEqual(['open 7', 'update Hel', 'send reply', 'update Hello'])
  })

  it('leaves what is shown when there is no final text', async () => {
    const { live, adapter } = await setUp()
    live.set('Hello')
    await settled()
    live.abandon()
    live.set('Hello there')
    await settled()
    expect(adapter.shown).toEqual(['open 7', 'update Hello', 'abandon'])
  })

  it('falls back to an ordinary send when the stream cannot be opened', async () => {
    const { live, finish, adapter, loud } = await setUp()
    adapter.stream = () => {
      throw new Error('boom')
    }
    live.set('Hello')
    live.set('Hello there')
    await finish('Hello there.')
    await settled()
    expect(adapter.shown).toEqual(['send Hello there.'])
    expect(loud).toEqual([expect.stringContaining('its defect')])
  })

  it('sends the final over the new connection when the one of the stream is gone', async () => {
    const { live, finish, adapter, reconnect } = await setUp()
    live.set('Hello')
    await settled()
    const other = reconnect()
    await finish('Hello.')
    await settled()
    expect(adapter.shown).toEqual(['open 7', 'update Hello', 'abandon'])
    expect(other.seen.map(({ text }) => text)).toEqual(['Hello.'])
  })

  it('does not hold up the stop with an update that never settles', async () => {
    const { live, adapter, clock, delivery } = await setUp()
    adapter.updates.push('hang')
    live.set('Hello')
    await settled()
    await Promise.all([delivery.stop(), clock.advance(5000)])
    expect(clock.sleeping).toEqual([])
    expect(adapter.shown).toEqual(['open 7', 'update Hello'])
  })

  it('ends with the delivery', async () => {
    const { live, adapter, delivery } = await setUp()
    live.set('Hello')
    await settled()
    await delivery.stop()
    expect(adapter.shown).toEqual(['open 7', 'update Hello', 'abandon'])
  })
})
