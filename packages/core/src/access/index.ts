// An event and the access options of its adapter come in; a verdict goes out.

export { judgeAccess, type AccessRefusal, type AccessVerdict } from './judge-access.js'
