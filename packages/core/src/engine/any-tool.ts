import type { AgentRuntime } from '@hermes/plugin-sdk'

/** A tool of whatever input. */
export type AnyTool = NonNullable<AgentRuntime['tools']>[number]

/** May a call be made again whose first run may have had effects? */
export function isReplayable(tool: AnyTool | undefined): boolean {
  return tool?.replay === 'safe' || (tool?.readOnly === true && tool.replay !== 'never')
}
