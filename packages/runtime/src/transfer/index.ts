// Transfer: a thread as lines of text and back. The runtime and the application call it; it never runs a hook.

export { exportThread } from './export.ts';
export { type ImportOptions, importThread } from './import.ts';
export type { ExportText } from './lines.ts';
