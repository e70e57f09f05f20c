import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { PairingRequest } from '../store/index.js'

/** Letters and digits without those that look alike: I and 1, O and 0. Their 32 make five random bits each. */
const symbols = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const codeLength = 8
const saltBytes = 16
/** Nobody types more than this for a code. */
const typedLimit = 64

/** A code and what is stored of it. */
export interface PairingCode {
  readonly code: string
  readonly salt: string
  readonly hash: string
}

/** Makes a code that nobody can guess. */
export function newPairingCode(): PairingCode {
  const code = Array.from(randomBytes(codeLength), (byte) => symbols[byte % symbols.length]).join('')
  const salt = randomBytes(saltBytes).toString('hex')
  return { code, salt, hash: hashOf(code, salt).toString('hex') }
}

/** The request whose code this is; letters may be small. How long it takes tells nothing of the codes. */
export function findByCode(requests: readonly PairingRequest[], typed: string): PairingRequest | undefined {
  const code = typed.slice(0, typedLimit).trim().toUpperCase()
  let found: PairingRequest | undefined
  for (const request of requests) {
    const isIt = timingSafeEqual(hashOf(code, request.salt), Buffer.from(request.hash, 'hex'))
    if (isIt) found = request
  }
  return found
}

function hashOf(code: string, salt: string): Buffer {
  return createHash('sha256').update(salt).update(code).digest()
}
