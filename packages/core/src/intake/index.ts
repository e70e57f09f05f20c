// Events of adapters come in; durable rows of the inbox go out, and a receipt that an adapter may acknowledge by.

export { createIntake, type InboundSource, type Intake, type IntakePorts } from './intake.js'
