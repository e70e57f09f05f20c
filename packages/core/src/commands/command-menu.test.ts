import type { Command } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { builtInCommands, menuOf } from './built-in-commands.js'
import { composeMenu, findByMenuName, type MenuCommand } from './command-menu.js'

const telegram = { limit: 60, descriptionLimit: 40, takesArguments: false }

function commands(count: number, rank: MenuCommand['rank'], prefix: string): MenuCommand[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, description: `Does ${prefix}${index}`, rank }))
}
function plugin(name: string, more: Partial<Command> = {}): Command {
  return { name, description: 'x', run: () => undefined, ...more }
}

describe('composeMenu', () => {
  // adapters 33
  it('fills the cap with commands of the house first, keeps what is guaranteed, and counts the rest', () => {
    const all = [
      ...commands(66, 'built-in', 'core'),
      { name: 'plan', description: 'Make a plan', rank: 'guaranteed' as const },
      ...commands(83, 'plugin', 'plugin'),
    ]
    const menu = composeMenu(all, telegram)
    expect(menu.commands).toHaveLength(60)
    expect(menu.commands.every(({ name }) => name === 'plan' || name.startsWith('core'))).toBe(true)
    expect(menu.commands[0]?.name).toBe('plan')
    expect(menu.hidden).toBe(90)
  })

  it('keeps what is guaranteed in a menu that is too small for it', () => {
    const all = [...commands(3, 'guaranteed', 'sure'), ...commands(3, 'plugin', 'other')]
    expect(composeMenu(all, { ...telegram, limit: 1 }).commands.map(({ name }) => name)).toEqual(['sure0', 'sure1', 'sure2'])
  })

  it('has every built-in command marked guaranteed inside the menu at the default cap', () => {
    const many = Array.from({ length: 200 }, (_, index) => plugin(`p${index}`))
    const names = new Set(composeMenu(menuOf(many), telegram).commands.map(({ name }) => name))
    const guaranteed = builtInCommands.filter((command) => command.isGuaranteed)
    expect(guaranteed.length).toBeGreaterThan(0)
    for (const { name } of guaranteed) expect(names).toContain(name)
  })

  it('shows names without hyphens, each once, and knows them when they are typed', () => {
    const long = 'a'.repeat(15)
    const own = [plugin('deep-research'), plugin('deep_research'), plugin(`${long}-${long}x`), plugin(`${long}_${long}x`)]
    const names = composeMenu(menuOf(own), telegram).commands.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['deep_research', 'deep_research0', `${long}_${long}x`, `${long}_${long}0`]))
    expect(new Set(names).size).toBe(names.length)
    expect(names.every((name) => /^[a-z0-9_]{1,32}$/.test(name))).toBe(true)
    expect(findByMenuName('deep_research0', own)?.name).toBe('deep-research')
    expect(findByMenuName('deep_research', own)?.name).toBe('deep_research')
    expect(findByMenuName('unknown', own)).toBeUndefined()
  })

  it('leaves out what needs arguments where the menu takes none, and cuts descriptions of plugins', () => {
    const own = [plugin('say', { argumentHint: '<text>' }), plugin('find', { argumentHint: '[text]', description: `${'x'.repeat(38)}👍👍` })]
    const shown = composeMenu(menuOf(own), telegram).commands.filter(({ name }) => ['say', 'find'].includes(name))
    expect(shown).toEqual([{ name: 'find', description: `${'x'.repeat(38)}…`, argumentHint: '[text]' }])
    expect(composeMenu(menuOf(own), { ...telegram, takesArguments: true }).commands.map(({ name }) => name)).toContain('say')
  })
})
