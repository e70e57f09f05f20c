/** A place in the house: which package a file belongs to, and in which room of it. */
export interface Place {
  /** The folder of its package: `packages/core`, `examples/terminal`, `tests`. */
  readonly home: string
  /** The first folder under `src`; none for files directly in it and outside of `packages`. */
  readonly room: string | undefined
  readonly isTest: boolean
}

/**
 * The floors of the core: a room imports only from rooms on lower floors, so that no neighbour needs a neighbour. What a station needs
 * of one it declares as a port, and the gateway fills it.
 */
const floors: ReadonlyMap<string, number> = new Map([
  ['kernel', 1],
  ['hooks', 2],
  ['store', 2],
  ['intake', 3],
  ['access', 3],
  ['sessions', 3],
  ['commands', 3],
  ['engine', 3],
  ['streaming', 3],
  ['delivery', 3],
  ['liveness', 3],
  ['sqlite', 3],
  ['testing', 3],
  ['turns', 4],
  ['gateway', 5],
])

/** The floor of a room of the core; `undefined` for a room that nobody has put on a floor. */
export function floorOf(room: string): number | undefined {
  return floors.get(room)
}

/** Where a file stands. */
export function placeOf(path: string): Place {
  const [first = '', second = ''] = path.split('/')
  const home = first === 'packages' || first === 'examples' ? `${first}/${second}` : first
  const room = /^packages\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1]
  return { home, room, isTest: /\.test(?:-d)?\.ts$/.test(path) }
}

/** What of ours a package may import. A test of an adapter may use the core, too, as it plays the host. */
export function packagesAllowedIn({ home, isTest }: Place): readonly string[] {
  if (home === 'packages/plugin-sdk') return []
  if (home === 'packages/core') return ['@hermes/plugin-sdk']
  if (home.startsWith('packages/')) return isTest ? ['@hermes/plugin-sdk', '@hermes/core'] : ['@hermes/plugin-sdk']
  return ['@hermes/plugin-sdk', '@hermes/core', '@hermes/adapter-telegram', 'hermes-tests']
}
