// What an adapter, a tool, a plugin or an agent loop needs to know of its host goes out; nothing but zod comes in.
// The order is that of the readers: plugin authors, adapter authors, authors of agent loops, everybody.

export { definePlugin } from './define-plugin.js'
export type {
  AdapterView,
  HookOptions,
  HostApi,
  InjectedMessage,
  NativeHandler,
  PlatformName,
  PlatformRegistration,
  Plugin,
  PluginDefinition,
} from './plugin.js'
export type { Collection, CollectionRange, Deletion, PluginStorage, Stored, Write } from './storage.js'
export { isGrant, type Grant } from './grants.js'
export type { DispatchDirective, FinishedToolCall, Hook, HookContext, HookName, Hooks, HookTap, ModelCall, ToolCall, ToolDirective } from './hooks.js'
export { defineTool } from './define-tool.js'
export type { Tool, ToolClaim, ToolContext, ToolResult } from './tool.js'
export { defineCommand } from './define-command.js'
export type { Command, CommandContext } from './command.js'
export type { TurnRef, TurnState } from './turns.js'
export type { Run, RunRequest } from './runs.js'

export { defineAdapter, type AdapterDefinition, type AdapterFactory } from './define-adapter.js'
export { sharedOptions, type SharedOptions } from './shared-options.js'
export type { Adapter, AdapterContext, AdapterFailure, MessageStream, NativeOf, OpenedAttachment, PlatformNatives } from './adapter.js'
export type { Author, ChatAddress, RoutedChat } from './addresses.js'
export type { ChatCapabilities } from './capabilities.js'
export type {
  Attachment,
  InboundChoice,
  InboundCommand,
  InboundDelete,
  InboundEdit,
  InboundEvent,
  InboundMessage,
  InboundNotice,
  InboundReaction,
  MediaKind,
  Receipt,
} from './events.js'
export { decodeChoice, encodeChoice } from './choice-token.js'
export type { CommandMenu, CommandSpec } from './command-menu.js'
export type { Call, OutboundMessage, RejectedOutcome, RejectReason, SendOutcome, SentOutcome, UnknownOutcome } from './messages.js'
export { textLength, type LengthUnit, type TextSize } from './text-length.js'
export { splitText } from './split-text.js'
export { neverSent } from './never-sent.js'

export { eventsFrom } from './events-from.js'
export type {
  AgentEvent,
  AgentFailure,
  AgentRuntime,
  AgentTurn,
  FailureReason,
  Inbox,
  RuntimeEvent,
  StepBudget,
  StopReason,
  ToolBox,
  ToolListing,
  TurnOutcome,
} from './agent.js'
export type {
  AssistantMessage,
  CallId,
  CallPart,
  Finish,
  JsonSchema,
  MediaPart,
  MediaRef,
  Message,
  MessageId,
  ModelRef,
  New,
  ReasoningPart,
  Replay,
  ResultPart,
  SummaryMessage,
  TextPart,
  ToolMessage,
  ToolStatus,
  TurnId,
  Usage,
  UserMessage,
} from './transcript.js'

export type { Answer, Question } from './questions.js'
export type { MediaStore } from './media.js'
export type { Clock, Log, Logger, Registration } from './services.js'
export { adapterError, HermesError, type HermesErrorCode, type HermesErrorDetails, type OptionIssue } from './errors.js'
export { closestName } from './closest-name.js'
export { parseOptions } from './options.js'
export { hideSecret, isSecret, secret, type Secret } from './secret.js'
export type { Awaitable, JsonObject, JsonValue } from './json.js'
