import type { Adapter, ChatAddress } from '@hermes/plugin-sdk'
import type { AdapterUnderTest, PersonAct, PlatformDouble, RequestMaking, Saying, ShownText } from '@hermes/plugin-sdk/conformance'
import type { EventEmitter } from 'node:events'
import { PaperAdapter, paperAddress, signatureOf, type PaperDesk, type PaperUpdate } from './paper-adapter.js'

const secret = 'planted-secret'
const hourMs = 3_600_000

/** A platform on paper, and adapters for it; `change` makes something else of each. */
export async function startPaper(change: (adapter: Adapter, desk: PaperDesk) => Adapter = (adapter) => adapter): Promise<AdapterUnderTest> {
  const double = new PaperDouble()
  return { double, secrets: [secret], create: () => change(new PaperAdapter(double, secret), double) }
}

class PaperDouble implements PlatformDouble, PaperDesk {
  readonly chats = { dm: paperAddress('dm'), group: paperAddress('group') }
  readonly #listeners = new Set<(update: PaperUpdate) => void>()
  readonly #updates: PaperUpdate[] = []
  readonly #shown: (ShownText & { readonly chat: string })[] = []

  subscribe(listener: (update: PaperUpdate) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  show(chat: string, text: string, rings: boolean): string {
    const id = `bot-${this.#shown.length}`
    const links = text.match(/https:\S+/g) ?? []
    this.#shown.push({ chat, id, text, pings: rings && text.includes('@everyone') ? ['everyone'] : [], previews: rings ? links : [] })
    return id
  }

  say({ chatId }: ChatAddress, text: string, { from = 'somebody', mentionsUs, file }: Saying = {}): string {
    if (file) throw new Error('paper takes no files')
    return this.#post({ kind: 'message', chat: chatId, who: from, text: mentionsUs ? `@us ${text}` : text }).about
  }

  act(id: string, act: PersonAct): void {
    const chat = this.#updates.find((update) => update.about === id)?.chat ?? 'dm'
    const by = { chat, who: 'somebody', about: id }
    if ('edit' in act) this.#post({ ...by, kind: 'edit', text: act.edit })
    else if ('react' in act) this.#post({ ...by, kind: 'reaction', text: act.react })
    else if ('unreact' in act) this.#post({ ...by, kind: 'reaction', text: act.unreact, isBack: true })
    else if ('press' in act) this.#post({ ...by, kind: 'press', text: act.press })
    else this.#post({ ...by, kind: 'removal', text: '' })
  }

  command({ chatId }: ChatAddress, name: string, args: string): void {
    this.#post({ kind: 'command', chat: chatId, who: 'somebody', about: name, text: args })
  }

  redeliver(id: string): void {
    const update = this.#updates.find(({ about }) => about === id)
    if (update) for (const listener of this.#listeners) listener(update)
  }

  request({ chatId }: ChatAddress, text: string, { now, flaw }: RequestMaking): Request {
    const shift = flaw === 'stale' ? -hourMs : flaw === 'future' ? hourMs : 0
    const at = now + shift
    const update = JSON.stringify(this.#update({ kind: 'message', chat: chatId, who: 'somebody', text }))
    const signed = flaw === 'malformed' ? update.slice(1) : update
    const signature = signatureOf(flaw === 'forged' ? 'another-secret' : secret, at, signed)
    const headers = { 'x-paper-at': String(at), ...(flaw !== 'unsigned' && { 'x-paper-signature': signature }) }
    const body = flaw === 'altered' ? signed.replace(text, 'something else') : signed
    return new Request('https://bot.test/paper', { method: 'POST', headers, body })
  }

  shown({ chatId }: ChatAddress): readonly ShownText[] {
    return this.#shown.filter(({ chat }) => chat === chatId)
  }

  spoil(native: unknown, defect: 'throws' | 'hangs'): void {
    ;(native as EventEmitter).on('update', (): unknown => {
      if (defect === 'throws') throw new Error('planted')
      return new Promise(() => {})
    })
  }

  fault(): void {
    throw new Error('paper has no faults')
  }

  cut(): void {}

  freeze(): void {}

  stop(): Promise<void> {
    return Promise.resolve()
  }

  #update(parts: Omit<PaperUpdate, 'number' | 'at' | 'about'> & { readonly about?: string }): PaperUpdate {
    const number = this.#updates.length
    const update = { about: `message-${number}`, ...parts, number, at: Date.now() }
    this.#updates.push(update)
    return update
  }

  #post(parts: Omit<PaperUpdate, 'number' | 'at' | 'about'> & { readonly about?: string }): PaperUpdate {
    const update = this.#update(parts)
    for (const listener of this.#listeners) listener(update)
    return update
  }
}
