export type { Clock } from './clock.ts';
export { systemClock } from './clock.ts';
export type * from './control.ts';
export type {
  AnyHook,
  FailurePolicy,
  Hook,
  HookDefinitionOptions,
  HookDefinitionResult,
  HookOptions,
  Reads,
} from './define.ts';
export { defineHook, isHook } from './define.ts';
export type { Duration } from './duration.ts';
export { durationInMs, parseDuration } from './duration.ts';
export { recordEntry } from './entries.ts';
export type { DefinitionCode, ErrorCode, RunCode, RunErrorPlace } from './errors.ts';
export { DefinitionError, RunError } from './errors.ts';
export type { Executor, ExecutorOptions } from './executor.ts';
export { createExecutor } from './executor.ts';
export { guardState, threadStateWrites } from './guard-state.ts';
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
} from './lifecycle.ts';
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
export { type Expand, UNKNOWN } from './match/shell/scan.ts';
export type { ShellLine, ShellLineCommand } from './match/shell/shell-line.ts';
export { readShellLine } from './match/shell/shell-line.ts';
export { areCommandsPlain } from './match/texts.ts';
export type * from './messages.ts';
export { nearest } from './nearest.ts';
export { onAbort } from './on-abort.ts';
export type { HookPermit, LateWrite, PausableClock } from './permit.ts';
export { hookPermit, isForWriteOfAnother } from './permit.ts';
export type * from './record.ts';
export type { EntryRun, RunDetails } from './record.ts';
export type { Registry, RegistryOptions, ScopeOwner, ScopeRequest } from './registry.ts';
export { createRegistry } from './registry.ts';
export type { ChainMember, Scope } from './scope.ts';
export { emptyScope, scopeOf } from './scope.ts';
export type { JsonAnswer } from './shapes/result.ts';
export { answerToJson } from './shapes/result.ts';
export type * from './signatures.ts';
export type { SchemaIssue, SchemaResult, StandardSchema } from './standard-schema.ts';
export { issuePaths } from './standard-schema.ts';
export type * from './state.ts';
export { type DecisionName, isStricter, MAX_DECISION_ROUNDS, rewrittenTooOften } from './strictness.ts';
export type { HookRow } from './table.ts';
export { controlTable, isLifecycleName, lifecycleTable, specificationTable } from './table.ts';
export { whereThrown } from './thrown.ts';
export { parseArguments } from './tool-arguments.ts';
export { isRecord, isThenable } from './values.ts';
