export type { Age } from './age.ts';
export type { AgentDefinition, AgentSide, AiHumanAgent, DualAiAgent } from './agents.ts';
export { defineAgent } from './agents.ts';
export type { CompactionResult, CompactOptions } from './compaction/compact.ts';
export type { CompactionOptions } from './compaction/options.ts';
export type { CreateEngine, Engine, EngineParts, RunTurn, TurnContext, TurnRequest } from './engine.ts';
export { embeddedEngine } from './engine.ts';
export type { EventsOptions, FamilyEvent, ListenerOptions, ThreadEvent, TokenUsage } from './events.ts';
export type { Ledger, LedgerQuery, Moment, Prune } from './ledger.ts';
export type { HookStats } from './ledger-stats.ts';
export type { LanguageModel } from './model-definition.ts';
export { readOutcome } from './outcome.ts';
export type { AskPerson, PermissionAnswer, PermissionAsk } from './permission-ask.ts';
export type { PermissionMode } from './permission-mode.ts';
export type { PromptDefinition, SystemFunction, SystemInclude, SystemPart } from './prompt-definition.ts';
export { definePrompt } from './prompt-definition.ts';
export type { ResumedThread, ResumeOptions } from './resume-all.ts';
export type { LedgerOption } from './retention.ts';
export type { Runtime } from './runtime.ts';
export { createRuntime } from './runtime.ts';
export type { OpenOptions, RuntimeOptions, RunValues, ThreadOptions } from './runtime-options.ts';
export type { Skill, SkillLoader } from './skill.ts';
export type { FinishedCall, FinishedStep, StopCondition } from './stop-conditions.ts';
export { calledTool, saidText } from './stop-conditions.ts';
export type * from './store.ts';
export { memoryStore } from './stores/memory.ts';
export type { Streaming } from './streaming.ts';
export type { QueueOptions, SendOptions, Thread, UserInput } from './thread.ts';
export type {
  AgentTool,
  AgentToolOptions,
  AnyTool,
  FunctionTool,
  PromptToolOptions,
  ToolAnswer,
  ToolContext,
} from './tool-definition.ts';
export { defineTool } from './tool-definition.ts';
export type { ExportText, ImportOptions } from './transfer.ts';
export { exportThread, importThread } from './transfer.ts';
export type { TurnResult } from './turn-result.ts';
