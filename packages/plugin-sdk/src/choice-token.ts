import { HermesError } from './errors.js'

/** What the tightest platform takes as the data of a button, bytes. */
const tokenLimit = 64
const idPattern = '[A-Za-z0-9_-]+'
const choiceToken = new RegExp(`^choice:(${idPattern}):(${idPattern})$`)

/**
 * The data of a button: which option of which prompt it stands for. It is no secret and proves nothing: whoever presses is judged
 * by the core. Throws `value.invalid` where an id holds more than `A-Z a-z 0-9 _ -` or both do not fit into 64 bytes.
 */
export function encodeChoice(promptId: string, optionId: string): string {
  const token = `choice:${promptId}:${optionId}`
  if (decodeChoice(token)) return token
  const issues = [`must be made of A-Z a-z 0-9 _ - and fit into ${tokenLimit} bytes together`]
  throw new HermesError('value.invalid', `A button cannot carry the ids ${JSON.stringify([promptId, optionId])}: they ${issues.join()}.`, {
    where: 'encodeChoice',
    issues,
  })
}

/** Reads what `encodeChoice` wrote; `undefined` for anything else, such as a button of somebody else's. */
export function decodeChoice(token: string): { readonly promptId: string; readonly optionId: string } | undefined {
  if (typeof token !== 'string' || token.length > tokenLimit) return undefined
  const [, promptId, optionId] = choiceToken.exec(token) ?? []
  return promptId !== undefined && optionId !== undefined ? { promptId, optionId } : undefined
}
