export type { HookFinding, KnownHookCard } from './api.ts';
export type { OpenAsk } from './asks.ts';
export type {
  Asks,
  HookOutlook,
  HookProject,
  InspectorOptions,
  ProjectHooks,
  ProjectOutlook,
  RerunResult,
  StoredEvent,
} from './ports.ts';
export { exportPage } from './reads/export-conversation.ts';
export type { Source } from './reads/read-threads.ts';
export { createInspector, type Inspector, type RunningInspector } from './server/create-inspector.ts';
export type { EmbeddedInspector, EmbedOptions } from './server/embed.ts';
