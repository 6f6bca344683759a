import { type AnyHook, defineHook, type LifecycleName, lifecycleTable, recordEntry } from '@spec/hooks';
import { expect } from 'vitest';
import { defineAgent, definePrompt, defineTool } from '../src/index.ts';
import { onBothStores } from './kit.ts';

/** What the runs of a hook are about; of the others, neither. */
const subjects: Readonly<Partial<Record<LifecycleName, 'message' | 'call'>>> = {
  before_create_message: 'message',
  after_create_message: 'message',
  before_update_message: 'message',
  after_update_message: 'message',
  before_store_tool_result: 'call',
  after_tool_call_success: 'call',
  after_tool_call_failure: 'call',
  before_user_message: 'message',
  before_tool_call: 'call',
  before_permission_request: 'call',
};

const ping = defineTool({ name: 'ping', execute: () => 'pong' });
const tools = [
  ping,
  defineTool({ name: 'pay', permission: 'ask', execute: () => 'paid' }),
  defineTool({
    name: 'fail',
    execute: () => {
      throw new Error('no luck');
    },
  }),
  defineTool({ name: 'helper', agent: 'child' }),
];

/** One hook of every name; where it may, it hands on what it gets. */
const policies = (Object.keys(lifecycleTable) as LifecycleName[]).map((hook) => {
  const hasAnswer = lifecycleTable[hook].kind === 'transform';
  const execute = async (_: never, ...args: unknown[]): Promise<unknown> => (hasAnswer ? args.at(-1) : null);
  return defineHook({ hook, id: `on_${hook}`, execute: execute as never }) as AnyHook;
});

onBothStores('each run says which message or call it was about', async (kit) => {
  const { thread, runtime } = await kit.thread({
    policies,
    tools,
    agents: [defineAgent({ name: 'child', prompt: 'child_prompt' })],
    prompts: [definePrompt({ name: 'child_prompt' })],
    prompt: { system: 'Be brief.' },
    onAsk: () => true,
    script: [
      { toolCalls: ['ping', 'pay', 'fail', 'helper'].map((name) => ({ name, input: { task: 'Think' } })) },
      'Thought.',
      'Done.',
      'All was well.',
    ],
  });
  await thread.send({ id: 'hello', content: 'Hello' });
  await thread.update('hello', { content: 'Hello!' });
  await thread.compact();
  const messages = (await thread.messages()).map(({ id }) => id);
  const calls = (await kit.store.listToolCalls(thread.id)).map(({ id }) => id);
  await thread.close();

  const runs = await runtime.ledger.runs({ threadId: thread.id });
  const seen = (hook: string) => runs.filter((run) => run.hook === hook);
  for (const hook of Object.keys(lifecycleTable) as LifecycleName[]) {
    const kind = subjects[hook];
    const about = seen(hook).map((run) => run.about);
    expect([hook, about.length > 0]).toEqual([hook, true]);
    const known = kind === 'message' ? messages : calls;
    const wanted =
      kind === undefined ? undefined : { [kind]: expect.toSatisfy((id: string) => known.includes(id)) };
    expect([hook, about]).toEqual([hook, about.map(() => wanted)]);
  }
  expect(new Set(seen('before_create_message').map(({ about }) => about?.message))).toEqual(
    new Set(messages),
  );
  expect(new Set(seen('before_tool_call').map(({ about }) => about?.call))).toEqual(new Set(calls));
});

onBothStores(
  'a run of an entry, one that is passed over and one that fails are about the same',
  async (kit) => {
    const { thread, runtime } = await kit.thread({
      tools: [ping],
      policies: [
        defineHook({
          hook: 'before_tool_call',
          id: 'entries',
          execute: async (state) => {
            recordEntry(state, {
              id: 'entry',
              outcome: 'ok',
              changed: false,
              ms: 1,
              sizeBefore: 1,
              sizeAfter: 1,
            });
            return null;
          },
        }),
        defineHook({ hook: 'before_tool_call', id: 'passed', match: 'delete_*', execute: async () => null }),
        defineHook({
          hook: 'before_tool_call',
          id: 'failing',
          execute: () => {
            throw new Error('broken');
          },
        }),
      ],
      script: [{ toolCalls: [{ name: 'ping', id: 'c1' }] }, 'Denied.'],
    });
    await thread.send('Hello');
    const runs = await runtime.ledger.runs();
    expect(runs.map(({ id, outcome, about }) => [id, outcome, about])).toEqual([
      ['entry', 'ok', { call: 'c1' }],
      ['entries', 'ok', { call: 'c1' }],
      ['passed', 'skipped', { call: 'c1' }],
      ['failing', 'failed', { call: 'c1' }],
    ]);
  },
);
