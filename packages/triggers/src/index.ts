export type { ContextUtilisationOptions } from './built-in/context-utilisation.ts';
export { contextUtilisation } from './built-in/context-utilisation.ts';
export type { FileReminderOptions } from './built-in/file-reminders.ts';
export {
  codeChangedWithoutTests,
  manyFilesChanged,
  sensitiveFileChanged,
} from './built-in/file-reminders.ts';
export { longOutputCut } from './built-in/long-output.ts';
export { isPlanComplete, planCompletion } from './built-in/plan-completion.ts';
export type { TriggerInput } from './declared.ts';
export { declaredTriggers, triggersJsonSchema } from './declared.ts';
export { formatSystemHook, formatSystemHooks } from './format.ts';
export type { PastUse, ToolUse } from './tool-use.ts';
export type {
  AnyTrigger,
  BatchOccasion,
  MessageOccasion,
  Occasions,
  ResultOccasion,
  SessionOccasion,
  Trigger,
  TriggerKind,
  TurnSoFar,
} from './trigger.ts';
export { defineTrigger } from './trigger.ts';
export type { TriggerHookOptions } from './trigger-hooks.ts';
export { triggerHooks } from './trigger-hooks.ts';
