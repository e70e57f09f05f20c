/** Where a message comes from, as far as it decides which session it belongs to. */
export interface SessionSource {
  /** Namespace; none or `default` is `main`. */
  readonly profile?: string | undefined
  readonly platform: string
  /** `dm`, `group`, `channel`, `thread`, or a platform's own kind. */
  readonly kind: string
  readonly scopeId?: string | undefined
  readonly chatId?: string | undefined
  readonly threadId?: string | undefined
  /** The thread in which a channel message will be answered, so that the answers to it lead to the same session. */
  readonly prospectiveThreadId?: string | undefined
  readonly userId?: string | undefined
}

/** Who shares a session. */
export interface SessionRules {
  /** In a group or channel everybody has a session of their own. Default true. */
  readonly isPerUserInGroups?: boolean | undefined
  /** In a thread, too. Default false; it takes the other rule as well. */
  readonly isPerUserInThreads?: boolean | undefined
}

/**
 * The name of the session: `agent:<namespace>:<platform>:<kind>[:<scope>][:<chat>][:<thread>][:<person>]`.
 * In a direct chat the person counts only where there is no chat id, and stands before the thread.
 */
export function sessionKey(source: SessionSource, rules: SessionRules = {}): string {
  const isDirect = source.kind === 'dm'
  const threadId = source.threadId ?? (isDirect ? undefined : source.prospectiveThreadId)
  const parts = ['agent', namespaceOf(source.profile), source.platform, kindOf(source.kind, threadId)]
  // Only Slack's ids repeat from one workspace to the next.
  if (source.platform === 'slack' && source.scopeId !== undefined) parts.push(source.scopeId)
  if (source.chatId !== undefined) parts.push(source.chatId)
  if (isDirect && source.chatId === undefined && source.userId !== undefined) parts.push(source.userId)
  if (threadId !== undefined) parts.push(threadId)
  if (!isDirect && source.userId !== undefined && hasOwnSession(threadId !== undefined, rules)) parts.push(source.userId)
  return parts.join(':')
}

/** The kind tells whether a thread or a person follows, so that an id of the one never leads to a session of the other. */
function kindOf(kind: string, threadId: string | undefined): string {
  if (threadId !== undefined && (kind === 'group' || kind === 'channel')) return 'thread'
  if (threadId === undefined && (kind === 'thread' || kind === 'forum')) return 'group'
  return kind
}

function hasOwnSession(isInThread: boolean, { isPerUserInGroups = true, isPerUserInThreads = false }: SessionRules): boolean {
  return isPerUserInGroups && (!isInThread || isPerUserInThreads)
}

/** A profile that is really called `main` must not meet the one without a name. */
function namespaceOf(profile: string | undefined): string {
  if (profile === undefined || profile === 'default') return 'main'
  return profile === 'main' ? 'main~' : profile
}

/**
 * The profile of an adapter instance: none for the one that bears its platform's name, so that its keys are the plain ones. Two
 * bots of one platform never share a session, whatever they are called.
 */
export function profileOfInstance(instance: string, platform: string): string | undefined {
  if (instance === platform) return undefined
  return instance === 'default' ? 'default~' : instance
}
