import {
  type AnyHook,
  defineHook,
  type LifecycleName,
  lifecycleTable,
  specificationTable,
} from '@spec/hooks';
import { expect, test } from 'vitest';
import { gate, type Kit, lines, never, onBothStores, settle, thrownBy } from '../test/kit.ts';
import { defineAgent, definePrompt, defineTool } from './index.ts';

const notFired = ['before_compaction', 'after_session_started', 'after_session_ended', 'after_notification'];

/** One hook of every name that this runtime calls; each adds what it was called with to the list, and keeps what it gets. */
function recorders(record: (name: LifecycleName, args: unknown[], state: never) => void): AnyHook[] {
  const names = (Object.keys(lifecycleTable) as LifecycleName[]).filter((name) => !notFired.includes(name));
  return names.map((hook) => {
    const { kind } = lifecycleTable[hook];
    const execute = async (state: never, ...args: unknown[]): Promise<unknown> => {
      record(hook, args, state);
      return kind === 'transform' ? args.at(-1) : null;
    };
    return defineHook({ hook, id: `on_${hook}`, execute: execute as never }) as AnyHook;
  });
}

const ping = defineTool({ name: 'ping', execute: () => 'pong' });
const fail = defineTool({
  name: 'fail',
  execute: () => {
    throw new Error('no luck');
  },
});

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
  expect(record.splice(0)).toEqual(['after_thread_created']);
  await thread.send('Hello');
  const step = ['after_system_message', 'filter_messages', 'prefilter_llm_history'];
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
    'before_stop',
  ]);
  const [user] = await thread.messages();
  await thread.update(user?.id ?? '', { content: 'Hello!' });
  expect(record.splice(0)).toEqual(['before_update_message', 'after_update_message']);
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

onBothStores('before_user_message: a denied message is stored nowhere', async ({ thread: start }) => {
  const { thread, model, events } = await start({
    policies: [
      defineHook({
        hook: 'before_user_message',
        id: 'no_cards',
        execute: async (_) => ({ decision: 'deny', reason: 'card number', userMessage: 'Please, no cards.' }),
      }),
    ],
  });
  const result = await thread.send('4111 1111 1111 1111');
  expect(result).toMatchObject({
    status: 'denied',
    text: null,
    steps: 0,
    reason: 'card number',
    userMessage: 'Please, no cards.',
  });
  expect(await lines(thread)).toEqual([]);
  expect(model.calls).toEqual([]);
  await settle();
  expect(events.at(-1)).toEqual({ type: 'turn_ended', turnId: result.turnId, status: 'denied' });
});

onBothStores(
  'before_user_message: a rewrite is the text that is stored and sent',
  async ({ thread: start }) => {
    const { thread, model } = await start({
      policies: [
        defineHook({
          hook: 'before_user_message',
          id: 'rewrite',
          execute: async (_, { content }) => ({
            input: `${content}`.replace('foo', 'bar'),
            context: ['It is Monday.', 'It rains.'],
          }),
        }),
      ],
      script: ['ok'],
    });
    await thread.send({ content: 'foo!', name: 'Ada', tag: 7 });
    expect(await lines(thread)).toEqual([
      'user: bar!',
      'user: It is Monday.',
      'user: It rains.',
      'assistant: ok',
    ]);
    expect((await thread.messages())[0]).toMatchObject({ name: 'Ada', tag: 7, role: 'user' });
    expect(JSON.stringify(model.calls)).not.toContain('foo');
  },
);

async function sendAsked(kit: Kit, onAsk?: (ask: unknown) => boolean): Promise<[string, string | undefined]> {
  const { thread } = await kit.thread({
    policies: [
      defineHook({
        hook: 'before_user_message',
        id: 'unsure',
        execute: async (_) => ({ decision: 'ask', reason: 'a card?' }),
      }),
    ],
    script: ['ok'],
    ...(onAsk === undefined ? {} : { onAsk }),
  });
  const { status, reason } = await thread.send('4111');
  return [status, reason];
}

onBothStores('before_user_message: an ask nobody can answer is a deny', async (kit) => {
  expect(await sendAsked(kit)).toEqual([
    'denied',
    'It needs permission, and there is nobody to ask: a card?',
  ]);
});

onBothStores('before_user_message: an ask goes to the person', async (kit) => {
  const asks: unknown[] = [];
  const answered = await sendAsked(kit, (ask) => {
    asks.push(ask);
    return true;
  });
  expect(answered).toEqual(['completed', undefined]);
  expect(asks).toMatchObject([{ about: 'user_message', text: '4111', reason: 'a card?' }]);
  expect(await sendAsked(kit, () => false)).toEqual(['denied', 'Permission was refused: a card?']);
});

onBothStores('before_stop keeps a turn going, eight times at most', async ({ thread: start }) => {
  const kept: number[] = [];
  const { thread } = await start({
    policies: [
      defineHook({
        hook: 'before_stop',
        id: 'on_and_on',
        execute: async (_, { keptGoing }) => {
          kept.push(keptGoing);
          return { keepGoing: `more ${keptGoing}` };
        },
      }),
    ],
    script: Array.from({ length: 20 }, (_, i) => `answer ${i}`),
  });
  const result = await thread.send('Go');
  expect(result).toMatchObject({ status: 'completed', steps: 9, text: 'answer 8' });
  expect(kept).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect((await lines(thread)).slice(-3)).toEqual([
    'assistant: answer 7',
    'user: more 7',
    'assistant: answer 8',
  ]);
});

onBothStores('a turn ends at the agent’s limit of steps', async ({ thread: start }) => {
  const { thread } = await start({
    tools: [ping],
    agent: { maxSteps: 2 },
    script: Array.from({ length: 5 }, () => ({ text: 'again', toolCalls: [{ name: 'ping' }] })),
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'limit', steps: 2, text: 'again' });
  expect((await lines(thread)).at(-1)).toBe('tool: pong');
});

onBothStores('execution.stop ends the turn after its step', async ({ thread: start }) => {
  const { thread } = await start({
    tools: [
      defineTool({
        name: 'enough',
        execute: (_input, { state }) => {
          state.execution.stop();
          return 'stopping';
        },
      }),
    ],
    script: [{ text: 'one', toolCalls: [{ name: 'enough' }] }, 'two'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'stopped', steps: 1, text: 'one' });
  expect((await lines(thread)).at(-1)).toBe('tool: stopping');
});

onBothStores('execution.stop before the first step: the model is not called', async ({ thread: start }) => {
  const { thread, model } = await start({
    policies: [
      defineHook({
        hook: 'after_create_message',
        id: 'stop',
        execute: async (state) => state.execution.stop(),
      }),
    ],
    script: ['never said'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'stopped', steps: 0, text: null });
  expect(model.calls).toEqual([]);
});

onBothStores('sends of one thread run one after another', async ({ thread: start }) => {
  const order: string[] = [];
  const { thread } = await start({
    script: ['a', 'b', 'c'].map((text) => async () => {
      order.push(`start ${text}`);
      await settle(5);
      order.push(`end ${text}`);
      return text;
    }),
  });
  const results = await Promise.all([thread.send('1'), thread.send('2'), thread.send('3')]);
  expect(results.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect(order).toEqual(['start a', 'end a', 'start b', 'end b', 'start c', 'end c']);
  expect(await lines(thread)).toEqual([
    ...['user: 1', 'assistant: a', 'user: 2'],
    ...['assistant: b', 'user: 3', 'assistant: c'],
  ]);
});

onBothStores('a turn that fails holds up none of the next', async ({ thread: start }) => {
  const { thread, events } = await start({ script: [new Error('boom'), 'fine'] });
  const [first, second] = await Promise.allSettled([thread.send('1'), thread.send('2')]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'model_failed' } });
  expect(second).toMatchObject({ status: 'fulfilled', value: { status: 'completed', text: 'fine' } });
  await settle();
  const ends = events.filter(({ type }) => type === 'turn_ended');
  expect(ends.map((event) => (event as { status: string }).status)).toEqual(['failed', 'completed']);
});

onBothStores('a failed turn leaves an error row that the model never sees', async ({ thread: start }) => {
  const { thread, model } = await start({ script: [new Error('boom'), 'fine'] });
  await thrownBy(thread.send('1'));
  expect((await thread.messages()).at(-1)).toMatchObject({
    role: 'assistant',
    content: 'The turn ended with an error: model_failed.',
    error_code: 'model_failed',
  });
  await thread.send('2');
  expect(JSON.stringify(model.calls[1])).not.toContain('model_failed');
});

onBothStores('a message of a user must have a text, and may change afterwards', async ({ thread: start }) => {
  const { thread } = await start({ script: ['ok'] });
  const broken = await thrownBy(thread.send({ role: 'user' } as never));
  expect(broken).toMatchObject({ code: 'invalid_message' });
  expect(broken.message).toBe('A user message needs a text: send("…") or send({ content: "…" }).');
  const input = { content: 'as sent' };
  const sending = thread.send(input);
  input.content = 'changed later';
  await sending;
  expect((await lines(thread))[0]).toBe('user: as sent');
});

onBothStores('the system message may be a function; its failure is told without its text', async (kit) => {
  const systems: Array<() => string | Promise<string>> = [
    async () => 'Be brief.',
    () => {
      throw new Error('secret-in-system');
    },
    () => 7 as never,
  ];
  const { thread, model } = await kit.thread({
    prompt: { system: () => (systems.shift() as (typeof systems)[0])() },
    script: ['ok'],
  });
  await thread.send('1');
  expect(model.calls[0]?.prompt[0]).toEqual({ role: 'system', content: 'Be brief.' });
  const errors = [await thrownBy(thread.send('2')), await thrownBy(thread.send('3'))];
  expect(errors.map(({ message }) => message)).toEqual([
    'The system message of the prompt "prompt" could not be rendered: its function failed.',
    'The system message of the prompt "prompt" could not be rendered: its function gave no string.',
  ]);
  expect(errors.map(({ code }) => code)).toEqual(['invalid_result', 'invalid_result']);
});

onBothStores('queued messages and tools come at the start of the next step', async ({ thread: start }) => {
  const { thread, model } = await start({ tools: [ping], script: ['ok', 'fine'] });
  await thread.queue({ role: 'user', content: 'queued' });
  await thread.state.queueTool('ping', {});
  expect(await lines(thread)).toEqual([]);
  await thread.send('Go');
  const stored = ['user: Go', 'user: queued', 'assistant: null', 'tool: pong', 'assistant: ok'];
  expect(await lines(thread)).toEqual(stored);
  expect(model.calls[0]?.prompt).toHaveLength(4);
  await thread.send('Again');
  expect(await lines(thread)).toEqual([...stored, 'user: Again', 'assistant: fine']);
});

onBothStores('a turn with a hanging tool is running until it is stopped', async ({ thread: start }) => {
  const started = gate();
  const { thread } = await start({
    tools: [
      defineTool({
        name: 'hang',
        execute: () => {
          started.open();
          return never<string>();
        },
      }),
    ],
    script: [{ toolCalls: [{ name: 'hang' }] }],
  });
  const sending = thread.send('Go');
  await started.opened;
  expect(thread.state.execution.stepCount).toBe(1);
  thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted', text: null, steps: 1 });
  expect(thread.state.execution.stepCount).toBe(0);
});
