export type {
  AnswerStore,
  CachedAnswer,
  CacheModelCallsHooks,
  CacheModelCallsOptions,
} from './cache-model-calls.ts';
export { cacheModelCalls } from './cache-model-calls.ts';
export type { Account, CostStore, Reservation } from './cost-store.ts';
export { memoryCosts } from './cost-store.ts';
export type { LimitCostHooks, LimitCostOptions, Price } from './limit-cost.ts';
export { limitCost } from './limit-cost.ts';
export type { LimitMessagesOptions } from './limit-messages.ts';
export { limitMessages } from './limit-messages.ts';
export type {
  LogToolCallsHooks,
  LogToolCallsOptions,
  ToolCallEntry,
  ToolCallValues,
} from './log-tool-calls.ts';
export { logToolCalls } from './log-tool-calls.ts';
export type {
  CustomPattern,
  PlaceholderFormat,
  RedactHooks,
  RedactKind,
  RedactOptions,
  Restore,
  RestoreInto,
  RestoreKey,
  RestoreOptions,
  RestoringRedactHooks,
} from './redact/index.ts';
export { redact } from './redact/index.ts';
export { textRedactor } from './redact/text-redactor.ts';
export type { StampField, StampMetadataOptions } from './stamp-metadata.ts';
export { stampMetadata } from './stamp-metadata.ts';
