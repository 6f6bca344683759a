export type { LoadOptions, WatchOptions } from './load-hooks.ts';
export { loadHooks } from './load-hooks.ts';
export { realPaths } from './real-paths.ts';
export { sourceOf } from './source-of.ts';
export type { TimedRegexes } from './timed-regexes.ts';
export { timedRegexes } from './timed-regexes.ts';
export type { HookWatch, WatchListeners } from './watch-hooks.ts';
export type { ChangingSource, SourceListeners, SourceWatch } from './watch-source.ts';
export { changingFiles, watchSource } from './watch-source.ts';
