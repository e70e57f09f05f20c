import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes every TypeScript example of a README into a file of its own: `readme-core-1.mts`. Each must stand for itself. */
export async function copyExamplesOfReadme(readme, destination, name) {
  const text = await readFile(readme, 'utf8')
  const examples = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code)
  await Promise.all(examples.map((code, index) => writeFile(join(destination, `readme-${name}-${index + 1}.mts`), code)))
}
