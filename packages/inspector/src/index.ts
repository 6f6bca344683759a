export type { InspectorOptions } from './ports.ts';
export { createInspector, type Inspector, type RunningInspector } from './server/create-inspector.ts';
