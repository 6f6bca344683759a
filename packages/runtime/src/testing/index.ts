export type {
  ScriptedAnswer,
  ScriptedModel,
  ScriptedReply,
  ScriptedStep,
  ScriptedToolCall,
} from './scripted-model.ts';
export { scriptedModel } from './scripted-model.ts';
export type { StoreCase, StoreSuiteOptions } from './store-suite.ts';
export { storeCases, storeSuite } from './store-suite.ts';
