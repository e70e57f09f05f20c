import { describe, expect, it } from 'vitest'
import { runGroups, type CaseGroups, type SkippedCases } from './case-groups.js'

const groups: CaseGroups<undefined> = {
  door: [
    ['opens', async () => {}],
    ['closes', async () => {}],
  ],
  window: [['opens', async () => {}]],
}

/** What a runner is told. */
function told(skip: SkippedCases): readonly string[] {
  const lines: string[] = []
  const test = {
    describe: (name: string, body: () => void) => (lines.push(`${name}:`), body()),
    it: Object.assign((name: string) => void lines.push(name), { skip: (name: string) => void lines.push(`- ${name}`) }),
  }
  runGroups(test, groups, { skip, play: (check) => check(undefined) })
  return lines
}

describe('the cases of a suite', () => {
  it('are tests in their groups', () => {
    expect(told({})).toEqual(['door:', 'opens', 'closes', 'window:', 'opens'])
  })

  it('are told of with the reason where they are skipped, one of them or a whole group', () => {
    const skip = { 'door: opens': 'it is bricked up', window: 'there is none' }
    expect(told(skip)).toEqual(['door:', '- opens (skipped: it is bricked up)', 'closes', 'window:', '- opens (skipped: there is none)'])
  })

  it('are not skipped by a name that none of them has', () => {
    expect(() => told({ 'door: open': 'a slip' })).toThrow('skip names "door: open"')
    expect(() => told({ opens: 'a slip' })).toThrow('skip names "opens"')
  })
})
