import { createExecutor, type StoredToolResult, scopeOf, type ThreadState } from '@spec/hooks';
import { fakeState } from '@spec/hooks/testing';
import type { AnyTrigger } from '../src/trigger.ts';
import { triggerHooks } from '../src/trigger-hooks.ts';

/** A tool call with what it gave. */
export interface Used {
  readonly tool: string;
  readonly value: unknown;
  readonly input?: Record<string, unknown>;
  readonly fails?: true;
}

let asked = 0;

/** What triggers say after one batch, through the executor. */
export async function hooksSaid(
  triggers: readonly AnyTrigger[],
  uses: readonly Used[],
  state: ThreadState = fakeState(),
): Promise<readonly string[]> {
  const members = triggerHooks(triggers).map((hook) => ({ hook, source: 'policy' }));
  const first = 100 * asked++; // Each batch has calls of its own.
  const results = uses.map((use, i) => toResult(use, first + i));
  return createExecutor().run('after_tool_batch', scopeOf(members), state, results);
}

/** A use as the runtime has stored it. */
export function toResult({ tool, value, input = {}, fails }: Used, index: number): StoredToolResult {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    toolCall: {
      id: `call_${index}`,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(input) },
    },
    result: fails ? { status: 'error', error: text } : { status: 'success', result: text },
  };
}
