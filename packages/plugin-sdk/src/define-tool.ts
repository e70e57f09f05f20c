import { HermesError } from './errors.js'
import type { Tool } from './tool.js'

const namePattern = /^[A-Za-z0-9_-]{1,64}$/

/** Types a tool by its input schema; throws `value.invalid`, naming the tool, for a wrong shape. */
export function defineTool<Input>(tool: Tool<Input>): Tool<Input> {
  const issues: string[] = []
  if (!namePattern.test(tool.name)) issues.push(`name must match ${namePattern}`)
  if (typeof tool.description !== 'string' || tool.description === '') issues.push('description must not be empty')
  if (typeof tool.input !== 'object' || tool.input === null || Array.isArray(tool.input))
    issues.push('input must be a zod schema or a JSON Schema object')
  if (typeof tool.run !== 'function') issues.push('run must be a function')
  if (issues.length > 0)
    throw new HermesError('value.invalid', `Tool ${JSON.stringify(tool.name)}: ${issues.join('; ')}.`, { where: `tool ${tool.name}`, issues })
  return tool
}
