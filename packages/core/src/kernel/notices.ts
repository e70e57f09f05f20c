/**
 * What hermes itself says in a chat, as opposed to what the agent says. Every sentence a person may read stands here.
 */
export const notices = {
  'queue.full': (limit: number) => `⏳ Not accepted: ${limit} messages wait already. Please send it again later.`,
  'command.unknown': (name: string) => `I do not know /${name}. /help lists what I know.`,
  'command.busy': (name: string) => `/${name} cannot run while I am working. Wait, or /stop first.`,
  'command.failed': (name: string) => `⚠️ /${name} failed. The operator's log says why.`,
  'command.denied': (name: string) => `/${name} is for admins only.`,
  'pairing.offer': (code: string, minutes: number) =>
    `👋 I do not know you yet. Your code: ${code}\nGive it to the person who runs me; it is good for ${minutes} minutes.`,
  'pairing.approved': () => '✅ You are let in. Please send your message again.',
  'pair.usage': () => 'Give me the code that somebody was shown: /pair CODE',
  'pair.done': (name: string) => `✅ ${name} is let in.`,
  'pair.unknown': () => 'No code like that is open. Whoever wants in writes to me and gets a new one.',
  'pair.locked': (minutes: number) => `🔒 Too many wrong codes. I take none for ${minutes} minutes.`,
  'quota.over': (limit: number) => `⏳ That was too much at once: I take ${limit} messages a minute. What you send beyond that is lost.`,
  'stop.done': () => '⏹ Stopped.',
  'stop.idle': () => 'Nothing is running.',
  'new.done': () => '✨ New conversation.',
  /** Stands in a message where a file should be; the model reads it, too. */
  'attachment.missing': (file: string, reason = 'the operator’s log says why') => `[${file}: could not be fetched (${reason})]`,
  'turn.empty': () => '⚠️ The model gave no answer. Please ask again.',
  'turn.crashed': () =>
    '⚠️ I was restarted while a tool was running. It may have had effects, so I did not run it again. Please check, and ask again if needed.',
  'delivery.repeated': () => '↻ possibly repeated:',
  'failure.auth': () => '⚠️ The model refused our credentials. The operator must look at it.',
  'failure.billing': () => '⚠️ The model’s account has no credit left. The operator must look at it.',
  'failure.rate-limit': () => '⚠️ The model is being asked too often right now. Please try again in a few minutes.',
  'failure.overloaded': () => '⚠️ The model is overloaded right now. Please try again in a few minutes.',
  'failure.server-error': () => '⚠️ The model has a problem right now. Please try again in a few minutes.',
  'failure.timeout': () => '⚠️ The model did not answer in time. Please try again.',
  'failure.context-overflow': () => '⚠️ This conversation is too long for the model. /new begins another one.',
  'failure.payload-too-large': () => '⚠️ This conversation is too large for the model. /new begins another one.',
  'failure.image-too-large': () => '⚠️ An image is too large for the model. Please send a smaller one.',
  'failure.model-not-found': () => '⚠️ The model that I am set up with does not exist, or is not open to us. The operator must look at it.',
  'failure.policy-blocked': () => '⚠️ The settings of the model’s account forbid this model. The operator must look at it.',
  'failure.content-policy': () => '⚠️ The model’s provider refuses to answer this. Please ask differently; /new forgets what was said before.',
  'failure.format-error': () => '⚠️ The model refused the request. The operator must look at it.',
  'failure.replay-refused': () => '⚠️ The model no longer takes what it said earlier in this conversation. /new begins another one.',
  'failure.empty-response': () => '⚠️ The model gave no answer. Please ask again.',
  'failure.runtime': () => '⚠️ Something went wrong on my side. The operator’s log says what.',
  'failure.unknown': () => '⚠️ Something went wrong with the model. Please try again.',
} as const
