// An adapter and the double of its platform come in.
// Tests go out: what every adapter promises the core.

export { adapterConformance, type AdapterConformance } from './adapter-conformance.js'
export type {
  AdapterUnderTest,
  DoubledOperation,
  FaultKind,
  PersonAct,
  PlatformDouble,
  RequestFlaw,
  RequestMaking,
  Saying,
  ShownText,
} from './platform-double.js'
