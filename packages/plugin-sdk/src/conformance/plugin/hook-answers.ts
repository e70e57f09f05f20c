import assert from 'node:assert/strict'
import type { HookName } from '../../hooks.js'

type Reader = (answer: unknown) => boolean

const isText: Reader = (answer) => typeof answer === 'string'
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
const has =
  (members: { readonly [member: string]: Reader }): Reader =>
  (answer) =>
    isObject(answer) && Object.entries(members).every(([member, read]) => read(Reflect.get(answer, member)))
const is =
  (expected: unknown): Reader =>
  (value) =>
    value === expected
const oneOf =
  (...readers: readonly Reader[]): Reader =>
  (answer) =>
    readers.some((read) => read(answer))

/** What the hooks that ask for an answer take, beside none. */
const answers: { readonly [N in HookName]?: Reader } = {
  preDispatch: oneOf(has({ action: is('allow') }), has({ action: is('skip'), reason: isText }), has({ action: is('rewrite'), text: isText })),
  preToolCall: oneOf(
    has({ action: is('block'), message: isText }),
    has({ action: is('approve'), message: oneOf(isText, is(undefined)) }),
    has({ action: is('modify'), input: isObject }),
  ),
  turnStart: has({ context: isText }),
  transformToolResult: isText,
  transformAnswer: isText,
  prefersFreshFinalStreaming: (answer) => typeof answer === 'boolean',
}

/** Fails for an answer that the hook does not know. What is said to a hook that asks for none is ignored. */
export function assertAnswer(hook: HookName, answer: unknown): void {
  const read = answers[hook]
  if (!read || answer === undefined || answer === null) return
  assert.ok(read(answer), `the tap of ${hook} answered with something that this hook does not know`)
}
