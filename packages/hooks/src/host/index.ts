// Host: runs hooks in a loop that is somebody else's. Bridges, agents and runtimes of one's own call it; it never calls a model and stores nothing.

export { parseOrText } from '../json.ts';
export { onAbort } from '../on-abort.ts';
export {
  checkRewritten,
  describeMisfit,
  makeErrorResult,
  makeThrownResult,
  toResult,
} from './answers.ts';
export type { CalledTools } from './called-tools.ts';
export { readContentTexts } from './content-texts.ts';
export type { CallDecision, DecideCallOptions } from './decide-call.ts';
export { denyRewrite } from './decide-model-call.ts';
export { estimateTokens, readToolCalls, toLLMMessage, validExchanges } from './exchanges.ts';
export { type OtherFile, toDataAddress } from './file-places.ts';
export {
  type HeardMessage,
  hearUser,
  keepsFiles,
  MessageDeniedError,
  type SaidMessage,
} from './hear-user.ts';
export type {
  AcceptedHooks,
  Honour,
  Honoured,
  HonouredHook,
  Honours,
  HonourTable,
  WholeHook,
} from './honours.ts';
export { describeHonour, findHonour, honourOnly } from './honours.ts';
export type { Host, TurnOptions } from './host.ts';
export { createHost } from './host.ts';
export { type BridgeOptions, bridgeOptionNames, checkNames, type HostOptions } from './host-options.ts';
export { type GivenAnswer, KeptAnswers } from './kept-answers.ts';
export { LastThreads } from './last-threads.ts';
export type { LastResult, LentOriginal, PromptMessage, PromptPart } from './model-prompt.ts';
export {
  lendPrompt,
  listLastCalls,
  listLastResults,
  readPromptText,
  takePromptBack,
} from './model-prompt.ts';
export type { PassedCall } from './pass-call.ts';
export { passCall, passRefusal, takesRefusals } from './pass-call.ts';
export type { PassedRow, Said, SaidByUser, TextVerdict } from './pass-messages.ts';
export {
  passAnswer,
  passCalls,
  passContexts,
  passResultRow,
  passRow,
  receiveMessage,
  receiveText,
  reviewText,
} from './pass-messages.ts';
export { PassingAnswer } from './passing-answer.ts';
export type { StreamPart } from './passing-parts.ts';
export { PassingParts } from './passing-parts.ts';
export type { AskPerson, HostAnswer, HostAsk } from './person.ts';
export { noteAsked, takeApproved } from './person.ts';
export type { LentMessages } from './recall-rows.ts';
export { recallRows } from './recall-rows.ts';
export { RefusedCalls } from './refused-calls.ts';
export type { CallOutcome, RunCallOptions, Tool } from './run-call.ts';
export type { Novelty, ShownMessage } from './seen-messages.ts';
export { SeenMessages } from './seen-messages.ts';
export { changeFiles, compareFiles, type FileChanges, readFiles, type SentFile } from './sent-files.ts';
export type { StreamingHook } from './text-window.ts';
export { hasStream, hooksOnContent, StreamError, TextWindow } from './text-window.ts';
export type { ApplyUpdates, InsertMessage, ThreadPort } from './thread-port.ts';
export type { StoreAppend, StoreLease, ThreadRow, ThreadStore } from './thread-store.ts';
export type { HostTurn, MessageVerdict } from './turn.ts';
export { receiveOnce, Unanswered, UnansweredByThread } from './unanswered.ts';
export { followSignal } from './until-aborted.ts';
