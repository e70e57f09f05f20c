/** A typed command: its name in lower case without slash and without `@bot`, and the rest. */
export interface ParsedCommand {
  readonly name: string
  readonly args: string
}

/**
 * Reads a text as a command, if it is one: it begins with `/` and its first word holds no other `/` (that would be a path).
 * Phones turn `--` into a dash: an em dash becomes `--` again, an en dash `-`.
 */
export function parseCommand(text: string): ParsedCommand | undefined {
  const match = /^\/([^\s/@]+)(?:@\S*)?(?:\s+([\s\S]*))?$/.exec(text.trimStart())
  if (!match?.[1]) return undefined
  return { name: match[1].toLowerCase(), args: (match[2] ?? '').trimEnd().replaceAll('—', '--').replaceAll('–', '-') }
}
