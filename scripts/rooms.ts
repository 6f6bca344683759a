/**
 * The rooms of the two packages that are too large for one folder, floor by floor, the lowest first. A room imports from the floors
 * below it and from nothing on its own floor or above, types included. A room is a folder of `src`, or a file beside the folders.
 */
export const rooms: Readonly<Record<string, readonly (readonly string[])[]>> = {
  hooks: [
    [
      'duration',
      'errors',
      'json',
      'nearest',
      'on-abort',
      'standard-schema',
      'strictness',
      'thrown',
      'values',
      'match/shell',
    ],
    ['option-names'],
    ['match', 'vocabulary'],
    ['shapes', 'tool-arguments'],
    ['lifecycle'],
    ['define'],
    ['executor'],
    ['index', 'testing'],
    ['node'],
  ],
  runtime: [
    ['aborted', 'events', 'stores', 'time'],
    ['definitions', 'engine', 'given', 'stores/derive', 'stores/sqlite/schema'],
    ['ledger', 'mcp', 'skills', 'stores/memory', 'stores/sqlite/file', 'transfer'],
    ['stores/sqlite/tables', 'thread'],
    ['history', 'model', 'stores/sqlite/methods'],
    ['stores/sqlite', 'tracing'],
    ['writes'],
    ['compaction', 'session'],
    ['permission'],
    ['tools'],
    ['state', 'turn'],
    ['runtime', 'testing'],
    ['index', 'ui-stream'],
  ],
};
