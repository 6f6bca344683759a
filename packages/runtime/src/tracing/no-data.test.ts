import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { defineHook } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { bundleProgram } from '../../test/bundle-program.ts';
import { createKit, type Setup } from '../../test/kit.ts';
import { registerSdk } from '../../test/spans.ts';
import { defineTool, memoryStore } from '../index.ts';

const SECRET = 'correct-horse-battery';

/** A turn with the secret in every place where data can be. */
const everywhere: Setup = {
  script: [
    {
      text: `The model says ${SECRET}`,
      toolCalls: [
        { name: 'lookup', input: { query: SECRET } },
        { name: 'lookup', input: `{ broken ${SECRET}` },
        { name: 'guarded', input: { query: SECRET } },
        { name: 'failing', input: { query: SECRET } },
        { name: SECRET, input: {} },
      ],
    },
    new Error(`The provider says ${SECRET}`),
  ],
  tools: [
    defineTool({ name: 'lookup', execute: () => `found ${SECRET}` }),
    defineTool({ name: 'guarded', execute: () => SECRET }),
    defineTool({
      name: 'failing',
      execute: () => {
        throw new Error(SECRET);
      },
    }),
  ],
  prompt: { system: `You know ${SECRET}.`, tools: ['lookup', 'guarded', 'failing'] },
  policies: [
    defineHook({
      hook: 'before_tool_call',
      id: 'guard',
      match: 'guarded',
      execute: async (_state) =>
        ({ decision: 'deny', reason: SECRET, userMessage: SECRET, context: SECRET }) as const,
    }),
    defineHook({
      hook: 'before_create_message',
      id: 'stamp',
      execute: async (_state, message) => ({ ...message, metadata: { [SECRET]: SECRET } }),
    }),
    defineHook({
      hook: 'after_create_message',
      id: 'throws',
      execute: async (_state) => {
        throw Object.assign(new Error(SECRET), { name: SECRET, code: SECRET });
      },
    }),
    defineHook({
      hook: 'after_tool_batch',
      id: 'collects',
      execute: async (_state) => [SECRET],
    }),
  ],
};

async function exportedSpans(setup: Setup): Promise<string> {
  const spans = registerSdk();
  const kit = createKit(memoryStore());
  const { thread } = await kit.thread(setup);
  await thread.send(`I say ${SECRET}`).catch(() => {});
  const texts = (await thread.messages()).map(({ content }) => content).join();
  await kit.close();
  expect(texts.split(SECRET).length).toBeGreaterThan(3);
  expect(spans.all().length).toBeGreaterThan(15);
  return JSON.stringify(
    spans
      .all()
      .map(({ name, attributes, status, events, links }) => ({ name, attributes, status, events, links })),
  );
}

describe('what spans have', () => {
  test('no text, no argument, no result, no error message, whatever goes wrong', async () => {
    expect(await exportedSpans(everywhere)).not.toContain(SECRET);
  });

  test("with `trace: 'values'` answers, arguments and results", async () => {
    const exported = await exportedSpans({ ...everywhere, trace: 'values' });
    expect(exported).toContain(`The model says ${SECRET}`);
    expect(exported).toContain(`found ${SECRET}`);
    const { 'gen_ai.output.messages': output } = JSON.parse(exported).find(
      ({ name }: { name: string }) => name === 'chat scripted',
    ).attributes;
    expect(JSON.parse(output)).toMatchObject([
      {
        role: 'assistant',
        finish_reason: 'tool-calls',
        parts: [
          { type: 'text', content: `The model says ${SECRET}` },
          { type: 'tool_call', id: 'call_1', name: 'lookup', arguments: JSON.stringify({ query: SECRET }) },
          {},
          {},
          {},
          {},
        ],
      },
    ]);
    // An error's message is no value of the conversation.
    expect(exported).not.toContain('The provider says');
  });
});

test('without an SDK the API is not even loaded', { timeout: 30_000 }, async () => {
  const program = await bundleProgram('untraced-process');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(JSON.parse(stdout)).toEqual({ text: 'hi', loaded: [] });
});
