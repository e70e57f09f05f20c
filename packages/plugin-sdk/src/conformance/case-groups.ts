import type { SkippingTestApi } from './test-api.js'

/** A promise, and what finds it broken. */
export type SuiteCase<Stage> = readonly [promise: string, check: (stage: Stage) => Promise<void>]

/** The cases of a suite, by what they are about. */
export interface CaseGroups<Stage> {
  readonly [group: string]: readonly SuiteCase<Stage>[]
}

/** What does not run: `group` or `group: promise` → reason. */
export interface SkippedCases {
  readonly [groupOrCase: string]: string
}

/** How the cases of a suite run. */
export interface CaseRun<Stage> {
  readonly skip?: SkippedCases | undefined
  readonly play: (check: SuiteCase<Stage>[1]) => Promise<void>
}

/** Makes tests of all cases; what is skipped is told with its reason. Throws for a name in `skip` that no group and no case has. */
export function runGroups<Stage>(test: SkippingTestApi, groups: CaseGroups<Stage>, { skip = {}, play }: CaseRun<Stage>): void {
  const names = new Set(Object.entries(groups).flatMap(([group, cases]) => [group, ...cases.map(([promise]) => `${group}: ${promise}`)]))
  const unknown = Object.keys(skip).find((name) => !names.has(name))
  if (unknown !== undefined) throw new TypeError(`skip names "${unknown}", which is no group and no case of the suite`)
  for (const [group, cases] of Object.entries(groups))
    test.describe(group, () => {
      for (const [promise, check] of cases) {
        const reason = skip[group] ?? skip[`${group}: ${promise}`]
        if (reason === undefined) test.it(promise, () => play(check))
        else test.it.skip(`${promise} (skipped: ${reason})`, async () => {})
      }
    })
}
