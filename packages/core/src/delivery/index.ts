// Texts and stored rows of the outbox come in; calls of adapters, and what became of each, go out.
// One owner of what is shown: it alone decides whether a message was delivered.

export { createDelivery } from './delivery.js'
export type { ComposeOptions, ConnectedAdapters, Delivery, DeliveryPorts, DeliveryStatus, LiveMessage, LiveOptions, UnknownRule } from './ports.js'
