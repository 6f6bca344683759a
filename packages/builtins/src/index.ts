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
export type { StampField, StampMetadataOptions } from './stamp-metadata.ts';
export { stampMetadata } from './stamp-metadata.ts';
