import { accepted, badRequest } from './api-reply.js'
import type { ApiReply } from './api-reply.js'
import type { Payload } from './payload-reader.js'

const downloadLimitBytes = 20 * 1024 * 1024

/** What messages say of a file. */
export interface FileFacts {
  readonly file_id: string
  readonly file_unique_id: string
  readonly file_size: number
}

interface StoredFile extends FileFacts {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The files that people sent, as bots fetch them. */
export class FileShelf {
  readonly #files = new Map<string, StoredFile>()

  /** Keeps a file. `claimedSize` makes the platform say another size than it has. */
  add(bytes: Uint8Array, claimedSize = bytes.byteLength): FileFacts {
    const number = this.#files.size + 1
    const facts = { file_id: `file-${number}`, file_unique_id: `unique-${number}`, file_size: claimedSize }
    this.#files.set(facts.file_id, { ...facts, path: `documents/file_${number}`, bytes })
    return facts
  }

  /** The method `getFile`. */
  getFile(payload: Payload): ApiReply {
    const file = this.#files.get(String(payload['file_id']))
    if (!file) return badRequest('invalid file_id')
    if (file.bytes.byteLength > downloadLimitBytes) return badRequest('file is too big')
    const { path, bytes: _bytes, ...facts } = file
    return accepted({ ...facts, file_path: path })
  }

  /** The bytes behind a `file_path`. */
  read(path: string): Uint8Array | undefined {
    for (const file of this.#files.values()) if (file.path === path) return file.bytes
    return undefined
  }
}
