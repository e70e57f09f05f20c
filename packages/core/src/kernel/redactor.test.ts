import { hideSecret } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { createRedactor } from './index.js'

const token = '123456:AAH-x/y+z "quoted"'

describe('a redactor', () => {
  it('takes out a value as it is, URL-encoded in both cases, and JSON-escaped', () => {
    const redactor = createRedactor()
    redactor.add(hideSecret(token))
    const forms = [
      token,
      encodeURIComponent(token),
      encodeURIComponent(token).replaceAll('%3A', '%3a').replaceAll('%2F', '%2f').replaceAll('%2B', '%2b'),
      JSON.stringify({ token }),
    ]
    for (const form of forms) expect(redactor.redact(`https://api/bot${form}/getMe`)).not.toContain('AAH-x')
  })

  it('takes out base64 forms wherever the value stands in what was encoded', () => {
    const redactor = createRedactor()
    redactor.add(hideSecret('super-secret-value'))
    for (const user of ['', 'a:', 'ab:', 'abc:']) {
      const header = Buffer.from(`${user}super-secret-value`).toString('base64')
      const shown = redactor.redact(`Basic ${header}`)
      expect(shown).toContain('[secret]')
      expect(Buffer.from(shown.replace('[secret]', '').slice(6), 'base64').toString()).not.toContain('ecret-v')
    }
  })

  it('prefers the longest value where one contains another', () => {
    const redactor = createRedactor()
    redactor.add(hideSecret('abcd'))
    redactor.add(hideSecret('abcd-efgh'))
    expect(redactor.redact('x abcd-efgh y')).toBe('x [secret] y')
  })

  it('does not look for a value of fewer than four characters', () => {
    const redactor = createRedactor()
    redactor.add(hideSecret('a.b'))
    expect(redactor.redact('a.b axb')).toBe('a.b axb')
  })

  it('knows a value until every registration of it is disposed', () => {
    const redactor = createRedactor()
    const first = redactor.add(hideSecret('twice-known'))
    const second = redactor.add(hideSecret('twice-known'))
    first.dispose()
    first.dispose()
    expect(redactor.redact('twice-known')).toBe('[secret]')
    second.dispose()
    expect(redactor.redact('twice-known')).toBe('twice-known')
  })

  it('survives values with unpaired surrogates and characters that regular expressions read', () => {
    const redactor = createRedactor()
    redactor.add(hideSecret('\ud800.*[('))
    expect(redactor.redact('x\ud800.*[(y')).toBe('x[secret]y')
  })
})
