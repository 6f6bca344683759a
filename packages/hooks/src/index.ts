export type {
  AnyHook,
  FailurePolicy,
  Hook,
  HookDefinitionOptions,
  HookDefinitionResult,
  HookOptions,
  Reads,
  StreamText,
} from './define/define.ts';
export { defineHook, isHook } from './define/define.ts';
export type { Registry, RegistryOptions, ScopeOwner, ScopeRequest } from './define/registry.ts';
export { createRegistry } from './define/registry.ts';
export { keepToRuntime } from './define/runtime-only.ts';
export type { ChainMember, Scope } from './define/scope.ts';
export { emptyScope, findKeeper, scopeOf } from './define/scope.ts';
export { describeDenial, ENDLESSLY_REWRITTEN } from './denial.ts';
export { describeGiven } from './describe-given.ts';
export { digestText } from './digest-text.ts';
export type { Duration } from './duration.ts';
export { describeWrongDuration, durationInMs, guessDurationMs, parseDuration } from './duration.ts';
export type { DefinitionCode, ErrorCode, RunCode, RunErrorPlace } from './errors.ts';
export { DefinitionError, messageWithoutCause, RunError, readCause, withCause, withPlace } from './errors.ts';
export type { Clock } from './executor/clock.ts';
export { systemClock } from './executor/clock.ts';
export type { Executor, ExecutorOptions } from './executor/executor.ts';
export { createExecutor } from './executor/executor.ts';
export { guardState, threadStateWrites } from './executor/guard-state.ts';
export type { HookPermit, LateWrite, PausableClock } from './executor/permit.ts';
export { areTextsRewritten, hookPermit, hookTexts, isForWriteOfAnother } from './executor/permit.ts';
export { recordEntry } from './executor/record-entry.ts';
export type { AnyRow, HookRow } from './lifecycle/row.ts';
export {
  controlTable,
  isLifecycleName,
  lifecycleRow,
  lifecycleTable,
  specificationTable,
} from './lifecycle/table.ts';
export { listPaths, PATH_FIELDS, textsToTest } from './match/fields.ts';
export type {
  CompiledMatcher,
  CompileMatcherOptions,
  CompileRegex,
  MatchEnvironment,
  Matcher,
  MatcherObject,
  RegexTester,
  ToolCallView,
} from './match/matcher.ts';
export { compileMatcher } from './match/matcher.ts';
export { findMisnamedTools, type MisnamedTool } from './match/misnamed-tools.ts';
export { runsInIndex } from './match/shell/launchers.ts';
export { type Expand, UNKNOWN } from './match/shell/scan.ts';
export type { ShellLine, ShellLineCommand, ShellStep } from './match/shell/shell-line.ts';
export { readShellLine } from './match/shell/shell-line.ts';
export { areCommandsPlain } from './match/texts.ts';
export { nearest } from './nearest.ts';
export { onAbort } from './on-abort.ts';
export type { OptionNames } from './option-names.ts';
export { checkOptionNames, findUnknownOption, ownOptions } from './option-names.ts';
export type { JsonAnswer } from './shapes/result.ts';
export { answerToJson } from './shapes/result.ts';
export type { SchemaIssue, SchemaResult, StandardSchema } from './standard-schema.ts';
export { issuePaths } from './standard-schema.ts';
export {
  type DecisionName,
  isStricter,
  MAX_DECISION_ROUNDS,
  rewrittenTooOften,
} from './strictness.ts';
export { whereThrown } from './thrown.ts';
export { parseArguments } from './tool-arguments.ts';
export {
  decodeBase64,
  encodeBase64,
  isBase64,
  isMediaType,
  readGivenMessage,
  readUserContent,
  requireText,
} from './user-content.ts';
export { isRecord, isThenable } from './values.ts';
export type { AuthorSignatures, ParsedToolCall } from './vocabulary/author.ts';
export type * from './vocabulary/control.ts';
export type {
  AnyHookKind,
  ChainResult,
  HookArgs,
  HookKind,
  LifecycleName,
  LifecycleSignatures,
  RecordHookName,
  Subject,
  ToolHookName,
  Verdict,
} from './vocabulary/lifecycle.ts';
export type * from './vocabulary/messages.ts';
export type { ModelUsage } from './vocabulary/model-usage.ts';
export type * from './vocabulary/record.ts';
export type { EntryRun, RunDetails } from './vocabulary/record.ts';
export type * from './vocabulary/recorded-runs.ts';
export type * from './vocabulary/records.ts';
export type * from './vocabulary/signatures.ts';
export type * from './vocabulary/state.ts';
export type * from './vocabulary/turn-marks.ts';
