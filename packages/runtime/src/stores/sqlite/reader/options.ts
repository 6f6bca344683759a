import { DefinitionError, findUnknownOption, type OptionNames } from '@spec/hooks';
import type { OnUnreadable } from '../../rows/damaged.ts';

/** Options of {@link sqliteReader}. */
export interface ReaderOptions {
  /** The file of a `sqliteStore`. */
  readonly path: string;
  /** Called with a damaged row that is left out (`store_unreadable`). Default: a process warning, once for each row. */
  readonly onUnreadable?: OnUnreadable;
}

const optionNames: OptionNames<ReaderOptions> = { path: true, onUnreadable: true };

/** @throws DefinitionError `bad_option`, naming the option. */
export function checkReaderOptions(options: ReaderOptions): ReaderOptions {
  const problem = findProblem(options);
  if (problem !== undefined) throw new DefinitionError('bad_option', `sqliteReader: ${problem}`);
  return options;
}

function findProblem(options: ReaderOptions): string | undefined {
  if (typeof options !== 'object' || options === null) return 'needs options, such as { path }';
  const { path, onUnreadable } = options;
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    return 'path must be the path of a file';
  if (onUnreadable !== undefined && typeof onUnreadable !== 'function')
    return 'onUnreadable must be a function';
  return findUnknownOption(options, optionNames);
}
