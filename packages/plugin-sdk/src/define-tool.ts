import { checkDefinition } from './check-definition.js'
import { describesObject } from './tool-input.js'
import type { Tool } from './tool.js'

const namePattern = /^[A-Za-z0-9_-]{1,64}$/

/** Types a tool by its input schema, and returns it as it is. Throws `value.invalid`, naming the tool, for a wrong shape. */
export function defineTool<Input>(tool: Tool<Input>): Tool<Input> {
  checkDefinition('tool', tool, [
    ['name', (name) => typeof name === 'string' && namePattern.test(name), `must match ${namePattern}`],
    ['description', (description) => typeof description === 'string' && description !== '', 'must be a text that is not empty'],
    ['input', describesObject, 'must be a zod schema or a JSON Schema of an object, with properties as an object, in a form that JSON Schema has'],
    ['approval', isApproval, "must be 'never', 'always' or a function"],
    ['run', (run) => typeof run === 'function', 'must be a function'],
  ])
  return tool
}

function isApproval(approval: unknown): boolean {
  return approval === undefined || approval === 'never' || approval === 'always' || typeof approval === 'function'
}
