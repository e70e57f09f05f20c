// The events of a turn come in; what is to be seen of its answer by now goes out.

export { createWantedText, type WantedChange, type WantedText } from './wanted-text.js'
export { followAnswer, type AnswerDisplay, type FollowedAnswer } from './follow-answer.js'
