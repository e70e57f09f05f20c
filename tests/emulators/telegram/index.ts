// In: the calls of a Telegram bot over HTTP, and what people and faults do by script.
// Out: the Bot API's answers, a ledger of the calls, and what people see in their chats.
export { startTelegramEmulator } from './emulator.js'
export type { TelegramEmulator, TelegramEmulatorOptions } from './emulator.js'
export type { Fault, FaultKind, PlantedFault } from './faults.js'
export type { Call, Ledger, MethodName } from './ledger.js'
export type { UploadedFile } from './payload-reader.js'
export type { SayOptions, ShownMessage } from './script.js'
