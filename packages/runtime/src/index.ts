export type { Age } from './age.ts';
export type { AgentDefinition, AgentSide, AiHumanAgent, DualAiAgent } from './agents.ts';
export { defineAgent } from './agents.ts';
export type { AskPerson, PermissionAnswer, PermissionAsk } from './asks.ts';
export type { CompactionResult, CompactOptions } from './compaction/compact.ts';
export type { CompactionOptions } from './compaction/options.ts';
export type {
  AgentTool,
  AgentToolOptions,
  AnyTool,
  FunctionTool,
  LanguageModel,
  PromptDefinition,
  PromptToolOptions,
  SystemFunction,
  SystemInclude,
  SystemPart,
  ToolAnswer,
  ToolContext,
} from './definitions.ts';
export { definePrompt, defineTool } from './definitions.ts';
export type { CreateEngine, Engine, EngineParts, RunTurn, TurnContext, TurnRequest } from './engine.ts';
export { embeddedEngine } from './engine.ts';
export type { EventsOptions, FamilyEvent, ListenerOptions, ThreadEvent, TokenUsage } from './events.ts';
export type { Ledger, LedgerQuery, Moment, Prune } from './ledger.ts';
export type { HookStats } from './ledger-stats.ts';
export { readOutcome } from './outcome.ts';
export type { PermissionMode } from './permission-mode.ts';
export type { ResumedThread, ResumeOptions } from './resume-all.ts';
export type { LedgerOption } from './retention.ts';
export type { OpenOptions, Runtime, RuntimeOptions, RunValues, ThreadOptions } from './runtime.ts';
export { createRuntime } from './runtime.ts';
export type { Skill, SkillLoader } from './skills.ts';
export type { FinishedCall, FinishedStep, StopCondition } from './stop-conditions.ts';
export { calledTool, saidText } from './stop-conditions.ts';
export type * from './store.ts';
export { memoryStore } from './stores/memory.ts';
export type { Streaming } from './streaming.ts';
export type { QueueOptions, SendOptions, Thread, UserInput } from './thread.ts';
export type { ExportText, ImportOptions } from './transfer.ts';
export { exportThread, importThread } from './transfer.ts';
export type { TurnResult } from './turn-result.ts';
