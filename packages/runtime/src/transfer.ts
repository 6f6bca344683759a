export { exportThread } from './transfer/export.ts';
export { type ImportOptions, importThread } from './transfer/import.ts';
export type { ExportText } from './transfer/lines.ts';
