import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { placeOf } from './house-map.js'
import { findCircles, toGraph } from './import-circles.js'
import { findForbiddenImports, listFileImports, type FileImport } from './import-rules.js'
import { readSourceFiles, readTextFiles, repository, type SourceFiles } from './source-files.js'

const longestFile = 500
/** Paths of machines that people write code on. This file is the one that may name them. */
const workplaces = ['/root/', '/home/', '/Users/'].map((path) => new RegExp(`(?<![\\w.:/-])${path}\\w`))

let files: SourceFiles
let imports: readonly FileImport[]

beforeAll(async () => {
  files = await readSourceFiles(['packages', 'examples', 'tests', 'bench', 'scripts'])
  imports = listFileImports(files)
})

async function readManifest(folder: string): Promise<{ name: string; exports?: Record<string, unknown> }> {
  return JSON.parse(await readFile(join(repository, folder, 'package.json'), 'utf8')) as { name: string; exports?: Record<string, unknown> }
}

/** What the manifests of our packages publish. */
async function readDoors(): Promise<Set<string>> {
  const names = await readdir(join(repository, 'packages'))
  const manifests = await Promise.all([...names.map((name) => `packages/${name}`), 'tests'].map(readManifest))
  return new Set(manifests.flatMap(({ name, exports }) => Object.keys(exports ?? {}).map((door) => name + door.slice(1))))
}

describe('the house', () => {
  it('has no import that breaks its floors and doors', async () => {
    expect(findForbiddenImports(files, await readDoors())).toEqual([])
  })

  it('has no circle between files', () => {
    const running = imports.filter(({ isType }) => !isType)
    expect(findCircles(toGraph(running.map(({ from, to }) => [from, to])))).toEqual([])
  })

  it('has no circle between rooms, not even of types', () => {
    const rooms = imports.flatMap(({ from, to }) => {
      const [here, there] = [placeOf(from), placeOf(to)]
      const isCounted = !here.isTest && here.room !== undefined && there.room !== undefined && here.home === there.home
      return isCounted ? [[`${here.home}/${here.room}`, `${there.home}/${there.room}`] as const] : []
    })
    expect(findCircles(toGraph(rooms))).toEqual([])
  })

  it('has a door in every room of the core', () => {
    const rooms = new Set([...files.keys()].flatMap((path) => /^(packages\/core\/src\/[^/]+)\//.exec(path)?.[1] ?? []))
    expect([...rooms].filter((room) => !files.has(`${room}/index.ts`))).toEqual([])
  })

  it('has no adapter that keeps its native object from plugins', () => {
    const makers = [...files].filter(
      ([path, text]) => /^(?:packages|examples)\//.test(path) && /\bdefineAdapter\(\{/.test(text) && !placeOf(path).isTest,
    )
    const homes = new Set(makers.map(([path]) => placeOf(path).home))
    const wires = (home: string): boolean =>
      [...files].some(([path, text]) => path.startsWith(`${home}/`) && !placeOf(path).isTest && /await context\.wireNative\(/.test(text))
    expect([...homes]).toEqual(expect.arrayContaining(['packages/adapter-telegram', 'examples/terminal', 'examples/custom-adapter']))
    expect([...homes].filter((home) => !wires(home))).toEqual([])
  })

  it('says at every door what comes in and what goes out', () => {
    const doors = [...files].filter(([path]) => /^(?:packages|tests)\/.*\/index\.ts$/.test(path))
    expect(doors.filter(([, text]) => !/^\/\/ .+\n(?:\/\/ .+\n)?(?!\/\/)/.test(text)).map(([path]) => path)).toEqual([])
  })

  it(`has no file of more than ${longestFile} lines`, () => {
    expect([...files].filter(([, text]) => text.split('\n').length - 1 > longestFile).map(([path]) => path)).toEqual([])
  })

  it('names no place of the machines that it was written on', async () => {
    const texts = [...(await readTextFiles())].filter(([path]) => path !== 'tests/boundaries/house.test.ts')
    expect(texts.filter(([, text]) => workplaces.some((workplace) => workplace.test(text))).map(([path]) => path)).toEqual([])
  })
})
