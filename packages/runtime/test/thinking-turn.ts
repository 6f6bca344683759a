import { type AnyTool, defineTool } from '../src/index.ts';

/** The tool of a turn that is killed while it runs; it may run again. */
export function look(execute: () => string | Promise<string>): AnyTool {
  return defineTool({ name: 'look', onInterrupted: 'retry', execute });
}
