import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { randomIds } from '../kernel/index.js'
import { createFileMedia, createMemoryMedia } from './index.js'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function fileMedia() {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-media-'))
  folders.push(folder)
  return { folder, media: createFileMedia(join(folder, 'media')) }
}
const bytes = new TextEncoder().encode('hello')

describe.each([
  ['memory', () => Promise.resolve(createMemoryMedia(randomIds))],
  ['files', async () => (await fileMedia()).media],
])('media in %s', (_kind, make) => {
  it('gives back the bytes of a reference', async () => {
    const media = await make()
    const ref = await media.put(bytes, 'text/plain', 'a.txt')
    expect(ref).toMatchObject({ mediaType: 'text/plain', name: 'a.txt', bytes: 5 })
    expect(await media.get(ref)).toEqual(bytes)
  })

  it.each(['media_unknown', '../secret', 'media_aaaaaaaaaaaaaaaaaaaaaaaa', '/etc/passwd'])('holds nothing under %s', async (ref) => {
    const media = await make()
    await expect(media.get({ ref, mediaType: 'text/plain' })).rejects.toMatchObject({ code: 'media.missing', detail: { ref } })
  })
})

describe('media in files', () => {
  it('can be read by their owner only, and by a store of a later process', async () => {
    const { folder, media } = await fileMedia()
    const ref = await media.put(bytes, 'text/plain')
    const [file] = await readdir(join(folder, 'media'))
    expect((await stat(join(folder, 'media', file ?? ''))).mode & 0o777).toBe(0o600)
    expect(await createFileMedia(join(folder, 'media')).get(ref)).toEqual(bytes)
  })

  it('make every directory that is missing, for their owner only', async () => {
    const { folder } = await fileMedia()
    await createFileMedia(join(folder, 'one', 'two')).put(bytes, 'text/plain')
    for (const path of [join(folder, 'one'), join(folder, 'one', 'two')]) expect((await stat(path)).mode & 0o777).toBe(0o700)
  })

  it('are refused, and do not hang, where no directory can be made', async () => {
    await expect(createFileMedia('/proc/nowhere/media').put(bytes, 'text/plain')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('never leave their folder', async () => {
    const { folder, media } = await fileMedia()
    await writeFile(join(folder, 'secret'), 'x')
    await expect(media.get({ ref: '../secret', mediaType: 'text/plain' })).rejects.toMatchObject({ code: 'media.missing' })
  })
})
