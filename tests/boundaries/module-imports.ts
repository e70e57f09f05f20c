import { parseSync } from 'vite'

/** One import of a file, in any form: `import`, `export from`, `import()`, `import type`, `typeof import()`. */
export interface ModuleImport {
  readonly specifier: string
  /** It is gone when the file runs. */
  readonly isType: boolean
}

/** What a file imports, in the order of the forms above. Throws for a file that cannot be parsed. A dynamic import of a computed name has no specifier and is left out. */
export function readImports(path: string, text: string): readonly ModuleImport[] {
  const { module, program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message ?? ''}`)
  const statics = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
  }))
  const exported = module.staticExports.flatMap(({ entries }) => {
    const [first] = entries.filter(({ moduleRequest }) => moduleRequest)
    return first?.moduleRequest ? [{ specifier: first.moduleRequest.value, isType: entries.every(({ isType }) => isType) }] : []
  })
  const dynamics = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const literal = /^(['"`])([^$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))
    return literal?.[2] === undefined ? [] : [{ specifier: literal[2], isType: false }]
  })
  return [...statics, ...exported, ...dynamics, ...findImportTypes(program)]
}

function findImportTypes(node: unknown): ModuleImport[] {
  if (Array.isArray(node)) return node.flatMap(findImportTypes)
  if (typeof node !== 'object' || node === null) return []
  const { type, source } = node as { type?: unknown; source?: { value?: unknown } }
  const inner = Object.values(node).flatMap(findImportTypes)
  return type === 'TSImportType' && typeof source?.value === 'string' ? [{ specifier: source.value, isType: true }, ...inner] : inner
}
