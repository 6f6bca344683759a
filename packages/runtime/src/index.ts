export type {
  AgentDefinition,
  AgentTool,
  AnyTool,
  FunctionTool,
  LanguageModel,
  PromptDefinition,
  ToolAnswer,
  ToolContext,
} from './definitions.ts';
export { defineAgent, definePrompt, defineTool } from './definitions.ts';
export type { ThreadEvent } from './events.ts';
export type { AskPerson, PermissionAsk } from './permission.ts';
export type { Runtime, RuntimeOptions, RunValues, ThreadOptions } from './runtime.ts';
export { createRuntime } from './runtime.ts';
export type * from './store.ts';
export { memoryStore } from './stores/memory.ts';
export type { Thread, UserInput } from './thread.ts';
export type { TurnResult } from './turn.ts';
