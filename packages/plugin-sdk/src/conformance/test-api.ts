/** The test functions of any runner: vitest's, or those of `node:test`. */
export interface TestApi {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

/** Test functions that also tell of a case that does not run. */
export interface SkippingTestApi extends TestApi {
  readonly it: TestApi['it'] & { readonly skip: TestApi['it'] }
}
