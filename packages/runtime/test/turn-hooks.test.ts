import {
  type AnyHook,
  defineHook,
  type LifecycleName,
  lifecycleTable,
  specificationTable,
} from '@spec/hooks';
import { expect, test } from 'vitest';
import { defineAgent, definePrompt, defineTool } from '../src/index.ts';
import { lines, onBothStores } from './kit.ts';

const ping = defineTool({ name: 'ping', execute: () => 'pong' });
const fail = defineTool({
  name: 'fail',
  execute: () => {
    throw new Error('no luck');
  },
});

/** One hook of every name; each adds what it was called with to the list, and keeps what it gets. */
function recorders(record: (name: LifecycleName, args: unknown[], state: never) => void): AnyHook[] {
  const names = Object.keys(lifecycleTable) as LifecycleName[];
  return names.map((hook) => {
    const { kind } = lifecycleTable[hook];
    const execute = async (state: never, ...args: unknown[]): Promise<unknown> => {
      record(hook, args, state);
      return kind === 'transform' ? args.at(-1) : null;
    };
    return defineHook({ hook, id: `on_${hook}`, execute: execute as never }) as AnyHook;
  });
}

function calls(record: string[]): AnyHook[] {
  return recorders((name, args) => {
    const subject = args.at(-1) as { role?: string } | undefined;
    record.push(/create_message/.test(name) ? `${name} ${subject?.role}` : name);
  });
}

onBothStores('every hook fires where the specification says', async ({ thread: start }) => {
  const record: string[] = [];
  const { thread } = await start({
    policies: calls(record),
    tools: [ping],
    script: [{ text: 'Let me see.', toolCalls: [{ name: 'ping' }] }, 'Done.'],
    prompt: { system: 'Be brief.' },
  });
  expect(record.splice(0)).toEqual(['after_thread_created', 'after_session_started']);
  await thread.send('Hello');
  const step = [
    ...['after_system_message', 'filter_messages', 'prefilter_llm_history'],
    ...['before_model_call', 'after_model_call'],
  ];
  expect(record.splice(0)).toEqual([
    'before_user_message',
    ...['before_create_message user', 'after_create_message user'],
    ...step,
    ...['before_create_message assistant', 'after_create_message assistant'],
    ...['before_tool_call', 'after_tool_call_success', 'before_store_tool_result'],
    ...['before_create_message tool', 'after_create_message tool'],
    'after_tool_batch',
    ...step,
    ...['before_create_message assistant', 'after_create_message assistant'],
    ...['before_stop', 'after_notification'],
  ]);
  const [user] = await thread.messages();
  await thread.update(user?.id ?? '', { content: 'Hello!' });
  expect(record.splice(0)).toEqual(['before_update_message', 'after_update_message']);
  await thread.close();
  expect(record).toEqual(['after_session_ended']);
});

onBothStores('a tool that fails is shown to after_tool_call_failure', async ({ thread: start }) => {
  const record: string[] = [];
  const { thread } = await start({
    policies: calls(record),
    tools: [fail],
    script: [{ toolCalls: [{ name: 'fail' }] }, 'Sorry.'],
  });
  await thread.send('Go');
  expect(record).toContain('after_tool_call_failure');
  expect(record).not.toContain('after_tool_call_success');
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: null', 'tool: no luck', 'assistant: Sorry.']);
});

onBothStores('after_subagent_created fires on the parent, after_thread_created on the child', async (kit) => {
  const record: string[] = [];
  const policies = recorders((name, args, state: { threadId: string }) => {
    if (!/^after_(thread|subagent)_created$/.test(name)) return;
    const child = args[0] as { threadId: string } | undefined;
    record.push([name, state.threadId, child?.threadId ?? ''].join(' '));
  });
  const { thread } = await kit.thread({
    policies,
    tools: [defineTool({ name: 'helper', agent: 'child' })],
    agents: [defineAgent({ name: 'child', prompt: 'child_prompt' })],
    prompts: [definePrompt({ name: 'child_prompt' })],
    script: [{ toolCalls: [{ name: 'helper', input: { task: 'Think' } }] }, 'Thought.', 'Done.'],
  });
  await thread.send('Go');
  const [child] = thread.state.children;
  expect(record).toEqual([
    `after_thread_created ${thread.id} `,
    `after_thread_created ${child} `,
    `after_subagent_created ${thread.id} ${child}`,
  ]);
});

test('the recorders above cover all twelve hooks of the specification', () => {
  const recorded = recorders(() => {}).map(({ hook }) => hook);
  expect(Object.keys(specificationTable).filter((name) => !recorded.includes(name as LifecycleName))).toEqual(
    [],
  );
});

onBothStores('what null and undefined keep, and what a hook returns replaces', async ({ thread: start }) => {
  const returned: unknown[] = [null, undefined, 'Be loud.'];
  const { thread, model } = await start({
    prompt: { system: 'Be brief.' },
    policies: [
      defineHook({
        hook: 'after_system_message',
        id: 'system',
        execute: () => returned.shift() as string | null | undefined,
      }),
    ],
    script: ['1', '2', '3'],
  });
  for (const text of ['a', 'b', 'c']) await thread.send(text);
  expect(model.calls.map(({ prompt }) => prompt[0]?.content)).toEqual(['Be brief.', 'Be brief.', 'Be loud.']);
});

onBothStores(
  'after_tool_call_success keeps with null, and replaces with a result',
  async ({ thread: start }) => {
    const returned: unknown[] = [null, undefined, { status: 'error', error: 'better not' }];
    const { thread } = await start({
      tools: [ping],
      policies: [
        defineHook({
          hook: 'after_tool_call_success',
          id: 'judge',
          execute: async () => returned.shift() as never,
        }),
      ],
      script: [{ toolCalls: [{ name: 'ping' }, { name: 'ping' }, { name: 'ping' }] }, 'ok'],
    });
    await thread.send('Go');
    const rows = (await thread.messages()).filter(({ role }) => role === 'tool');
    expect(rows.map(({ content }) => content)).toEqual(['pong', 'pong', 'better not']);
  },
);

onBothStores('a hook that recovers a failure makes it a success', async ({ thread: start }) => {
  const { thread } = await start({
    tools: [fail],
    policies: [
      defineHook({
        hook: 'after_tool_call_failure',
        id: 'recover',
        execute: async (_) => ({ status: 'success', result: 'from the cache' }),
      }),
    ],
    script: [{ toolCalls: [{ name: 'fail' }] }, 'ok'],
  });
  await thread.send('Go');
  expect((await thread.messages())[2]).toMatchObject({ content: 'from the cache', status: 'success' });
});

onBothStores('filter and prefilter decide what the model sees', async ({ thread: start }) => {
  const { thread, model } = await start({
    policies: [
      defineHook({
        hook: 'filter_messages',
        id: 'last_one',
        execute: async (_, messages) => messages.slice(-1),
      }),
      defineHook({
        hook: 'prefilter_llm_history',
        id: 'remind',
        execute: async (_, messages) => {
          const last = messages[messages.length - 1];
          if (last?.role === 'user') last.content += ' (briefly)';
          return messages;
        },
      }),
    ],
    script: ['1', '2'],
  });
  await thread.send('a');
  await thread.send('b');
  expect(model.calls[1]?.prompt).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'b (briefly)' }] },
  ]);
  expect(await lines(thread)).toEqual(['user: a', 'assistant: 1', 'user: b', 'assistant: 2']);
});

interface Seen {
  hook: string;
  flowId: string;
  stepCount: number;
  currentSide: string;
  stopped: boolean;
  isLive: boolean;
}

function executions(seen: Seen[]): AnyHook[] {
  return recorders((hook, _args, { execution }: { execution: Seen & { abortSignal: AbortSignal } }) => {
    const { flowId, stepCount, currentSide, stopped, abortSignal } = execution;
    seen.push({ hook, flowId, stepCount, currentSide, stopped, isLive: !abortSignal.aborted });
  });
}

onBothStores('every hook knows where it runs', async ({ thread: start }) => {
  const seen: Seen[] = [];
  const { thread } = await start({
    policies: executions(seen),
    tools: [ping],
    script: [{ toolCalls: [{ name: 'ping' }] }, 'Done.'],
  });
  seen.length = 0;
  const { turnId } = await thread.send('Hello');
  expect(new Set(seen.map(({ flowId }) => flowId))).toEqual(new Set([turnId]));
  expect(seen.every(({ isLive, currentSide, stopped }) => isLive && currentSide === 'a' && !stopped)).toBe(
    true,
  );
  const stepsOf = (name: string): number[] =>
    seen.filter(({ hook }) => hook === name).map(({ stepCount }) => stepCount);
  expect(stepsOf('before_user_message')).toEqual([0]);
  expect(stepsOf('before_create_message')).toEqual([0, 1, 1, 2]);
  expect(stepsOf('filter_messages')).toEqual([1, 2]);
  expect(stepsOf('before_store_tool_result')).toEqual([1]);
  expect(stepsOf('before_stop')).toEqual([2]);
  const runs = await thread.runs({ hook: 'filter_messages' });
  expect(runs.map(({ turnId: turn, step }) => [turn, step])).toEqual([
    [turnId, 1],
    [turnId, 2],
  ]);
});

onBothStores('at rest the step is 0 and the flow one of its own', async ({ thread: start }) => {
  const seen: Seen[] = [];
  const { thread } = await start({ policies: executions(seen), script: ['Hi.'] });
  const { turnId } = await thread.send('Hello');
  seen.length = 0;
  await thread.inject({ role: 'user', content: 'By the way' });
  expect(seen.map(({ hook, stepCount, isLive }) => [hook, stepCount, isLive])).toEqual([
    ['before_create_message', 0, true],
    ['after_create_message', 0, true],
  ]);
  expect(seen[0]?.flowId).not.toBe(turnId);
  expect(seen[0]?.flowId).not.toBe('');
  const [run] = await thread.runs({ hook: 'before_create_message', limit: 1 });
  expect(run).toMatchObject({ turnId: null, step: 0 });
});
