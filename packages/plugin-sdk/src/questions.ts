/** Something that a person is to decide or to say. */
export interface Question {
  /**
   * Names the question in its turn, over all its lives: one that was answered is not asked again, its answer is given again. That of
   * an approval is the id of the call; one that a running tool asks gets the id of its call as a prefix: `call_1/name`.
   */
  readonly id: string
  /** `approval`: yes or no. `choice`: one of `choices`, or words of one's own. `text`: words. */
  readonly kind: 'approval' | 'choice' | 'text'
  /** What is asked, in one or two sentences. */
  readonly text: string
  /** What it is about, in full: the command, the mail. */
  readonly detail?: string | undefined
  readonly choices?: readonly string[] | undefined
}

/**
 * What came of a question. `approved` answers an approval, `text` a choice or a text; `denied` refuses any. `unanswered`: nobody is
 * there to ask, nobody answered in time, or the turn came to its end. Silence is not consent.
 */
export type Answer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'denied'; readonly reason?: string | undefined }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unanswered'; readonly why: 'nobody' | 'timeout' | 'stopped' }
