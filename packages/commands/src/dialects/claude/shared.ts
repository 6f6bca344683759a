import type { ClaudeOptions } from './options.ts';
import type { PrivateFolder } from './output-cap.ts';

/** What the entries of one dialect share. */
export interface Shared {
  readonly options: ClaudeOptions;
  readonly folder: PrivateFolder;
}
