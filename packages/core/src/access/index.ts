// What somebody did, and the access options of its adapter come in; a verdict goes out. People whom no list names may be let in by a code.

export { createAccess, type Access, type AccessCounts } from './access.js'
export { accessMode, type AccessMode, type AccessSubject, type AccessVerdict } from './judge-access.js'
export type { PairingApproval, PairingChoice, PairingList, WaitingPerson } from './pairing.js'
