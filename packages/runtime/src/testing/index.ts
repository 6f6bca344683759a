// Testing: a scripted model, the store suite and an engine that forgets nothing, all published. Tests call it; nothing in this package does.

export { hookView } from './hook-view.ts';
export type { Journal, JournalEngineOptions } from './journal-engine.ts';
export { journalEngine } from './journal-engine.ts';
export type { ReaderCase, ReaderCaseSetup, ReaderSuiteOptions } from './reader-suite.ts';
export { readerCases, readerSuite } from './reader-suite.ts';
export type {
  ScriptedAnswer,
  ScriptedModel,
  ScriptedReasoning,
  ScriptedReply,
  ScriptedStep,
  ScriptedToolCall,
} from './scripted-model.ts';
export { scriptedModel } from './scripted-model.ts';
export type { StoreCase, StoreSuiteOptions } from './store-suite.ts';
export { storeCases, storeSuite } from './store-suite.ts';
