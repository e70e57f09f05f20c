// The events of a turn come in; what is to be seen of its answer by now goes out.

export { followAnswer, type AnswerDisplay, type FollowedAnswer } from './follow-answer.js'
