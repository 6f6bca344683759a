export type { KnownHookCard } from './api.ts';
export type {
  HookOutlook,
  HookProject,
  InspectorOptions,
  ProjectHooks,
  ProjectOutlook,
  RerunResult,
  StoredEvent,
} from './ports.ts';
export { createInspector, type Inspector, type RunningInspector } from './server/create-inspector.ts';
