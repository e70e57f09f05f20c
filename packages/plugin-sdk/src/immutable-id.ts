/** Why a text cannot be an immutable id of any platform; `undefined`: it may be one. */
export function findIdProblem(id: string): string | undefined {
  if (id === '') return 'must not be empty'
  if (id === '*') return 'is no id: the option allowAll lets everybody speak'
  if (/[\s\p{C}]/u.test(id)) return `${JSON.stringify(id)} holds white space or invisible characters, and no id does`
  if (id !== id.normalize('NFKC')) return `${JSON.stringify(id)} holds characters that only look like those of an id; type it in plain ones`
  // Where a server follows (@ann:example.org), it is an id.
  if (/^@[^:]*$/.test(id)) return `${JSON.stringify(id)} is a name, and names change hands: give the immutable id`
  return undefined
}
