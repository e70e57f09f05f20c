import type { ToolClaim } from '@hermes/plugin-sdk'
import type { AnyTool } from './any-tool.js'

/** What a call keeps others from using. */
export type SlotClaims = 'alone' | readonly ToolClaim[]

/** A place in the order of calls. */
export interface ToolSlot {
  /** Resolves when no earlier call is in the way. */
  readonly isFree: Promise<void>
  release(): void
}

/** Order of the calls of a turn: a call waits for every earlier one that it conflicts with, and for no other. */
export class ToolSlots {
  readonly #taken = new Set<{ readonly claims: Promise<SlotClaims>; readonly released: Promise<void> }>()

  /** Takes the next place. What the call claims may turn out later: others wait for it only where they must know. */
  take(claims: Promise<SlotClaims>): ToolSlot {
    const earlier = [...this.#taken]
    let free: () => void = () => undefined
    const released = new Promise<void>((resolve) => (free = resolve))
    const place = { claims, released }
    this.#taken.add(place)
    return {
      isFree: this.#waitFor(earlier, claims),
      release: () => {
        this.#taken.delete(place)
        free()
      },
    }
  }

  async #waitFor(
    earlier: readonly { readonly claims: Promise<SlotClaims>; readonly released: Promise<void> }[],
    claims: Promise<SlotClaims>,
  ): Promise<void> {
    const own = await claims
    for (const other of earlier) if (conflicts(own, await other.claims)) await other.released
  }
}

/** What a call of this tool claims. A `parallel` that throws, or gives no claims, claims everything. */
export function claimsOf(tool: AnyTool, input: unknown): SlotClaims {
  const { parallel = tool.readOnly ? 'free' : 'alone' } = tool
  if (parallel === 'free') return []
  if (parallel === 'alone') return 'alone'
  try {
    const claims: unknown = parallel(input)
    return Array.isArray(claims) && claims.every((claim) => typeof claim?.resource === 'string') ? (claims as ToolClaim[]) : 'alone'
  } catch {
    return 'alone'
  }
}

function conflicts(left: SlotClaims, right: SlotClaims): boolean {
  if (left === 'alone' || right === 'alone') return true
  return left.some((mine) => right.some((other) => mine.resource === other.resource && (mine.access === 'write' || other.access === 'write')))
}
