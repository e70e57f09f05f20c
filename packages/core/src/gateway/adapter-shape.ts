import { adapterError, type Adapter, type ChatAddress, type ChatCapabilities, type PlatformRegistration } from '@hermes/plugin-sdk'

/** `capabilities` is total: it has an answer for a chat that nobody ever saw. */
const anyChat = { kind: 'dm', chatId: '0' } as const

/** Makes an adapter and checks its shape. Throws what `create` throws, or `adapter.failed` as `misconfigured`, naming the member. */
export function createAdapter(name: string, registration: PlatformRegistration): Adapter {
  const adapter = registration.create()
  const problem = findProblem(adapter, { platform: registration.platform, ...anyChat })
  if (problem === undefined) return adapter
  throw adapterError({ code: 'misconfigured', message: `Adapter ${name} is not complete: ${problem}.`, isRetryable: false })
}

function findProblem(adapter: Adapter, chat: ChatAddress): string | undefined {
  if (typeof adapter !== 'object' || adapter === null) return 'create() must return an object'
  if (adapter.platform !== chat.platform) return `its platform must be ${JSON.stringify(chat.platform)}, as it was registered`
  for (const method of ['connect', 'disconnect', 'capabilities', 'send'] as const) {
    if (typeof adapter[method] !== 'function') return `the method ${method} is missing`
  }
  if (adapter.stallAfterMs !== undefined && !(adapter.stallAfterMs > 0)) return 'stallAfterMs must be a positive number of milliseconds'
  if (adapter.publishCommands !== undefined && !(Number(adapter.commandMenu?.limit) > 0))
    return 'publishCommands needs commandMenu, whose limit is a positive number'
  return findCapabilityProblem(adapter, chat)
}

function findCapabilityProblem(adapter: Adapter, chat: ChatAddress): string | undefined {
  try {
    const capabilities = adapter.capabilities(chat)
    if (capabilities.stream !== undefined && typeof adapter.stream !== 'function')
      return 'capabilities() declares a stream, and the method stream is missing'
    return findTextProblem(capabilities)
  } catch (error) {
    return `capabilities() must answer for any chat, and threw: ${error instanceof Error ? error.message : String(error)}`
  }
}

function findTextProblem({ text }: ChatCapabilities): string | undefined {
  if (!(text.limit > 0)) return 'capabilities().text.limit must be a positive number'
  if (text.unit !== 'utf16' && text.unit !== 'codePoints') return 'capabilities().text.unit must be utf16 or codePoints'
  return undefined
}

/** What an adapter says of a chat, or `undefined` where it throws or says nothing that can be used. */
export function readCapabilities(adapter: Adapter, chat: ChatAddress): ChatCapabilities | undefined {
  try {
    const capabilities = adapter.capabilities(chat)
    return findTextProblem(capabilities) === undefined ? capabilities : undefined
  } catch {
    return undefined
  }
}
