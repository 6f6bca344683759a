export type { KnownHookCard } from './api.ts';
export type { HookProject, InspectorOptions, ProjectHooks } from './ports.ts';
export { createInspector, type Inspector, type RunningInspector } from './server/create-inspector.ts';
