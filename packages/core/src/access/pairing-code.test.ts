import { expect, it } from 'vitest'
import type { PairingRequest } from '../store/index.js'
import { findByCode, newPairingCode } from './pairing-code.js'

function request(userId: string): { readonly code: string; readonly request: PairingRequest } {
  const chat = { platform: 'test', adapter: 'test', kind: 'dm', chatId: userId } as const
  const { code, salt, hash } = newPairingCode()
  return { code, request: { adapter: 'test', userId, chat, salt, hash, requestedAt: 0, expiresAt: 1 } }
}

it('makes codes of eight characters that nobody mixes up, each another one', () => {
  const codes = Array.from({ length: 1000 }, () => newPairingCode().code)
  expect(codes.every((code) => /^[A-HJ-NP-Z2-9]{8}$/.test(code))).toBe(true)
  expect(new Set(codes).size).toBe(codes.length)
  expect(new Set(codes.join('')).size).toBe(32)
})

it('finds the request of a code as it may be typed, and no other', () => {
  const [one, two] = [request('u1'), request('u2')]
  const requests = [one.request, two.request]
  expect(findByCode(requests, two.code)?.userId).toBe('u2')
  expect(findByCode(requests, ` ${one.code.toLowerCase()}\n`)?.userId).toBe('u1')
  for (const wrong of ['', one.code.slice(1), `${one.code}A`, one.request.hash, 'x'.repeat(1_000_000)])
    expect(findByCode(requests, wrong)).toBeUndefined()
})
