// Mastra: runs hooks inside agents of Mastra, as a processor and around their tools. Applications give both to an agent; it calls no model itself.

export type { HooksProcessor, MastraHook, MastraHooks, MastraOptions } from './create-hooks.ts';
export { createHooks } from './create-hooks.ts';
export { honours } from './honours.ts';
export type { AskPayload } from './person.ts';
export { ToolFailedError } from './tools.ts';
