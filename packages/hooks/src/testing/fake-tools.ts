import type { Promisable } from 'type-fest';
import { RunError } from '../errors.ts';
import type { HookToolResult } from '../vocabulary/messages.ts';

/** A tool of a fake state: its result, or a function that gives the result, or just the text of a success. */
export type FakeTool =
  | string
  | HookToolResult
  | ((input: Record<string, unknown>) => Promisable<string | HookToolResult>);

/** A tool that a hook asked for. */
export interface FakeToolUse {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** Runs a fake tool. A tool that throws gives an error result with its message, as a real one does. */
export async function runFakeTool(tool: FakeTool, input: Record<string, unknown>): Promise<HookToolResult> {
  try {
    const answer = typeof tool === 'function' ? await tool(structuredClone(input)) : structuredClone(tool);
    return typeof answer === 'string' ? { status: 'success', result: answer } : answer;
  } catch (error) {
    return { status: 'error', error: error instanceof Error ? error.message : 'The tool failed.' };
  }
}

/** @throws {RunError} `not_found` */
export function toolNamed(name: string, tools: Readonly<Record<string, FakeTool>>): FakeTool {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool !== undefined) return tool;
  const known = Object.keys(tools).join(', ') || 'none';
  throw new RunError(
    'not_found',
    `There is no tool named "${name}"; there are: ${known}. Give it to fakeState({ tools: { ${name}: … } }).`,
  );
}
