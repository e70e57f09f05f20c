import { describe, expect, it } from 'vitest'
import { parseCommand } from './parse-command.js'

describe('parseCommand', () => {
  it.each([
    ['/new', { name: 'new', args: '' }],
    ['  /New@some_bot  now ', { name: 'new', args: 'now' }],
    ['/say two\nlines', { name: 'say', args: 'two\nlines' }],
    ['/run —fast –x', { name: 'run', args: '--fast -x' }],
  ])('reads %j', (text, command) => {
    expect(parseCommand(text)).toEqual(command)
  })

  it.each(['', 'hello /new', '/', '/ new', '/usr/bin', '/etc/hosts is a file', '//new'])('leaves %j alone', (text) => {
    expect(parseCommand(text)).toBeUndefined()
  })
})
