export type { FileSource, LinkedFile, UserFile, UserPart } from '@spec/hooks';
export type { CompactionResult, CompactOptions } from './compaction/compact.ts';
export type { AgentDefinition, AgentSide, AiHumanAgent, DualAiAgent } from './definitions/agent.ts';
export { defineAgent } from './definitions/agent.ts';
export type { CompactionOptions } from './definitions/compaction.ts';
export type { LanguageModel } from './definitions/model.ts';
export type { AskPerson, PermissionAnswer, PermissionAsk } from './definitions/permission-ask.ts';
export type { PermissionMode } from './definitions/permission-mode.ts';
export type { PromptDefinition, SystemFunction, SystemInclude, SystemPart } from './definitions/prompt.ts';
export { definePrompt } from './definitions/prompt.ts';
export type { Skill, SkillLoader } from './definitions/skill.ts';
export type { FinishedCall, FinishedStep, StopCondition } from './definitions/stop-conditions.ts';
export { calledTool, saidText } from './definitions/stop-conditions.ts';
export type {
  AgentTool,
  AgentToolOptions,
  AnyTool,
  FunctionTool,
  PromptToolOptions,
  ToolAnswer,
  ToolContext,
} from './definitions/tool.ts';
export { defineTool } from './definitions/tool.ts';
export type {
  CreateEngine,
  Engine,
  EngineParts,
  RunTurn,
  TurnContext,
  TurnRequest,
} from './engine/engine.ts';
export { embeddedEngine } from './engine/engine.ts';
export { readEndedOutcome, readOutcome } from './engine/outcome.ts';
export type { TurnResult } from './engine/turn-result.ts';
export type { EventsOptions, FamilyEvent, ListenerOptions, ThreadEvent, TokenUsage } from './events/hub.ts';
export type { Signal, Signals } from './events/signals.ts';
export type { Age } from './ledger/age.ts';
export type { Ledger, LedgerQuery, Moment, Prune, UsageQuery } from './ledger/ledger.ts';
export type { LedgerOption } from './ledger/retention.ts';
export type { Streaming } from './model/streaming.ts';
export type { AskThroughStoreOptions, StoredAsk, StoredAsks } from './permission/stored-asks.ts';
export { askThroughStore, storedAsks } from './permission/stored-asks.ts';
export type { OpenOptions, RuntimeOptions, RunValues, ThreadOptions } from './runtime/options.ts';
export type { ResumedThread, ResumeOptions } from './runtime/resume-all.ts';
export type { Runtime } from './runtime/runtime.ts';
export { createRuntime } from './runtime/runtime.ts';
export type { QueueOptions, SendOptions, Thread, UserInput, UserMessage } from './runtime/thread.ts';
export { memoryStore } from './stores/memory/index.ts';
export type { OwnRecords, StoreRecordsOptions } from './stores/records/store-records.ts';
export { storeRecords } from './stores/records/store-records.ts';
export type { HookStats } from './stores/run-sums.ts';
export type * from './stores/store.ts';
export type { ExportText, ImportOptions } from './transfer/index.ts';
export { exportThread, importThread } from './transfer/index.ts';
