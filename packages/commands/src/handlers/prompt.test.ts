import type { ThreadState } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import type { HandlerEnd } from './handler-end.ts';
import { runPrompt } from './prompt.ts';

interface Part {
  readonly type: string;
  readonly delta?: string;
}

/** A thread with one model, which says these parts; `stays`: and then nothing more. */
function makeState(parts: readonly Part[], stays = false): ThreadState {
  const stream = new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      if (!stays) controller.close();
    },
  });
  const state = {
    modelNames: () => ['judge'],
    loadModel: async () => ({ doStream: async () => ({ stream }) }),
  };
  return state as unknown as ThreadState;
}

const say = (delta: string): Part => ({ type: 'text-delta', delta });

function ask(parts: readonly Part[], stays = false): Promise<HandlerEnd> {
  const { signal } = new AbortController();
  const limits = { timeoutMs: 100, signal, state: makeState(parts, stays) };
  return runPrompt({ type: 'prompt', prompt: 'Fine?', model: 'judge' }, limits);
}

const readPrinted = (end: HandlerEnd): string | undefined =>
  'failure' in end && end.printed !== undefined ? new TextDecoder().decode(end.printed.stdout) : undefined;

describe('what a model has said before it failed can still refuse', () => {
  const no = '{"ok": false, "reason": "It removes files."}';

  test('at its deadline', async () => {
    const end = await ask([say('{"ok": false, '), say('"reason": "It')], true);
    expect(end).toMatchObject({ outcome: 'timed_out' });
    expect(readPrinted(end)).toBe('{"ok": false, "reason": "It');
  });

  test.each<[string, readonly Part[], string]>([
    ['with an error', [say(no), { type: 'error' }], no],
    ['without an end', [say(no)], no],
    ['in a block of code', [say(`\`\`\`json\n${no}\n\`\`\``)], no],
  ])('where its answer breaks off %s', async (_, parts, printed) => {
    expect(readPrinted(await ask(parts))).toBe(printed);
  });

  test('where its answer is too long', async () => {
    const end = await ask([say('{"ok": false, "reason": "'), say('x'.repeat(200_000)), { type: 'finish' }]);
    expect(end).toMatchObject({ failure: { why: 'the model did not answer to the end' } });
    expect(readPrinted(end)).toMatch(/^\{"ok": false/);
  });

  test('and where it said nothing, nothing is kept', async () => {
    expect(await ask([{ type: 'error' }])).not.toHaveProperty('printed');
  });
});
