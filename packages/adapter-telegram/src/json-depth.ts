/** Are the objects and lists of a JSON text inside each other at most so deep? Looks at the text alone, so that no parser has to. */
export function isShallow(json: string, limit: number): boolean {
  let depth = 0
  let isInText = false
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (character === '"') isInText = !isInText
    else if (isInText) index += character === '\\' ? 1 : 0
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > limit) return false
  }
  return true
}
