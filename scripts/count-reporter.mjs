/**
 * A vitest reporter that ends a run with one line of counts: `12 passed, 1 failed`. What keeps a file from running, and an error
 * outside of every test, counts as one failure, so that `0 failed` means a green run.
 */
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its default export
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed = tests.filter((test) => test.result().state === 'failed').length
    const broken = suites.filter((suite) => suite.errors().length > 0).length
    console.log(`\n${passed} passed, ${failed + broken + unhandledErrors.length} failed`)
  }
}
