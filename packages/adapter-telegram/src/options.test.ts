import { HermesError } from '@hermes/plugin-sdk'
import { describe, expect, test } from 'vitest'
import { telegram } from './index.js'

function messageOf(make: () => unknown): string {
  try {
    make()
  } catch (error) {
    if (HermesError.is(error, 'options.invalid')) return error.message
  }
  return ''
}

describe('telegram()', () => {
  test.each([undefined, '', 'no token'])('says for the token %j what is wrong and where to get one', (token) => {
    expect(messageOf(() => telegram({ token: token as string }))).toMatch(/token: .*@BotFather/)
  })

  test('refuses unknown options, also inner ones, without showing the token', () => {
    const message = messageOf(() => telegram({ token: '1:planted', tokn: 1, polling: { timeout: 1 } } as never))
    expect(message).toContain('polling.timeout: unknown option')
    expect(message).toContain('tokn: unknown option')
    expect(message).not.toContain('planted')
  })

  test('makes a plugin under the name of the platform, or its own', () => {
    expect(telegram({ token: '1:a' }).id).toBe('telegram')
    expect(telegram({ token: '1:a', name: 'second' }).id).toBe('second')
  })
})
