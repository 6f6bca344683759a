import type { ClaudeOptions } from './options.ts';
import type { PrivateFolder } from './output-cap.ts';
import type { ClaudeVariant } from './variant.ts';

/** What the entries of one dialect share. */
export interface Shared {
  readonly variant: ClaudeVariant;
  readonly options: ClaudeOptions;
  readonly folder: PrivateFolder;
}
