// Doubles and suites for the tests of those who build on hermes go out; nothing here is needed at run time.

export { FakeClock } from './fake-clock.js'
export { storeConformance, type StoreConformance, type StoreUnderTest, type TestApi } from './store-conformance.js'
