import { posix } from 'node:path'
import { floorOf, packagesAllowedIn, placeOf, type Place } from './house-map.js'
import { readImports, type ModuleImport } from './module-imports.js'
import type { SourceFiles } from './source-files.js'

/** The doors of our packages: `@hermes/core/sqlite`. */
export type Doors = ReadonlySet<string>

/** An import that leads to a file of ours. */
export interface FileImport extends ModuleImport {
  readonly from: string
  readonly to: string
}

/** Every import that breaks a rule of the house, as a sentence. */
export function findForbiddenImports(files: SourceFiles, doors: Doors): readonly string[] {
  return [...files].flatMap(([path, text]) =>
    readImports(path, text).flatMap(({ specifier }) => {
      const reason = specifier.startsWith('.') ? judgeFile(path, resolveFile(path, specifier), files) : judgePackage(path, specifier, doors)
      return reason === undefined ? [] : [`${path} imports ${specifier}: ${reason}`]
    }),
  )
}

/** All imports between our files, those of `@hermes/…` left out. */
export function listFileImports(files: SourceFiles): readonly FileImport[] {
  return [...files].flatMap(([from, text]) =>
    readImports(from, text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map((entry) => ({ ...entry, from, to: resolveFile(from, entry.specifier) })),
  )
}

function resolveFile(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
}

function judgeFile(from: string, to: string, files: SourceFiles): string | undefined {
  if (!files.has(to)) return 'there is no such file.'
  const [here, there] = [placeOf(from), placeOf(to)]
  if (here.home !== there.home) return `it reaches into ${there.home}, which has doors.`
  if (here.home !== 'packages/core' || there.room === undefined || here.room === there.room) return undefined
  return judgeRoom(here, there, to)
}

function judgeRoom(here: Place, there: Place, to: string): string | undefined {
  // A unit test plays the host of its room: it may use every door, and single fakes.
  if (here.isTest && there.room === 'testing') return undefined
  if (!to.endsWith('/index.ts')) return `it goes past the door of ${there.room}.`
  if (here.isTest || here.room === undefined) return undefined
  const [hereFloor, thereFloor] = [floorOf(here.room), floorOf(there.room ?? '')]
  if (hereFloor === undefined) return `the room ${here.room} is on no floor.`
  if (thereFloor === undefined) return `the room ${there.room} is on no floor.`
  return thereFloor < hereFloor ? undefined : `${here.room} is on floor ${hereFloor} and ${there.room} on floor ${thereFloor}.`
}

function judgePackage(from: string, specifier: string, doors: Doors): string | undefined {
  const here = placeOf(from)
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (!name.startsWith('@hermes/') && name !== 'hermes-tests') {
    const isFree = !from.startsWith('packages/plugin-sdk/src/') || here.isTest || name === 'zod' || name.startsWith('node:')
    return isFree ? undefined : 'the contract needs zod alone.'
  }
  if (!doors.has(specifier)) return 'that is no door.'
  return packagesAllowedIn(here).includes(name) ? undefined : `${here.home} must not know ${name}.`
}
