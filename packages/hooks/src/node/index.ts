// Node: loads hook modules and reads files and processes. Programs on Node and the other packages call it; nothing else in this package does.

export { importModule, readModuleText } from './import-modules.ts';
export { isExecutable } from './is-executable.ts';
export type { Listing, ListPage } from './list-pages.ts';
export { listAllPages } from './list-pages.ts';
export type { HookWatch, LoadOptions, WatchListeners, WatchOptions } from './load-hooks.ts';
export { loadHooks } from './load-hooks.ts';
export { importProblem } from './module-problem.ts';
export { endProcess, processIds, startedWith } from './processes.ts';
export { realPaths } from './real-paths.ts';
export type { FileRefusal } from './regular-file.ts';
export { readRegularFile } from './regular-file.ts';
export { momentIn, nameRun } from './run-name.ts';
export { sourceOf } from './source-of.ts';
export type { TimedRegexes, TimedTester } from './timed-regexes.ts';
export { timedRegexes } from './timed-regexes.ts';
export type { ChangingSource, FileReading, SourceListeners, SourceWatch } from './watch-source.ts';
export { changingFiles, watchSource } from './watch-source.ts';
