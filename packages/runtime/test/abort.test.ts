import { type AnyHook, defineHook, type LifecycleName, lifecycleTable } from '@spec/hooks';
import { expect } from 'vitest';
import { readToolCalls, validExchanges } from '../src/history/exchanges.ts';
import { defineTool } from '../src/index.ts';
import {
  gate,
  type Kit,
  lines,
  never,
  onBothStores,
  runWhatIsReady,
  type Setup,
  type StartedThread,
} from './kit.ts';

const ping = defineTool({ name: 'ping', execute: () => 'pong' });

/** Every stored call has its result directly behind it, and the thread takes another turn. */
async function expectUsable({ thread, model }: StartedThread): Promise<void> {
  const messages = (await thread.messages()).filter((message) => !('error_code' in message));
  expect(validExchanges(messages)).toEqual(messages);
  for (const message of messages) expect(readToolCalls(message)).toHaveLength(readToolCalls(message).length);
  const callsBefore = model.calls.length;
  expect(await thread.send('And now?')).toMatchObject({ status: 'completed', text: 'fine' });
  expect(model.calls.length).toBe(callsBefore + 1);
  expect((await lines(thread)).slice(-2)).toEqual(['user: And now?', 'assistant: fine']);
}

interface Interrupted extends StartedThread {
  readonly stored: string[];
}

/** Sends a message, waits for `reached`, stops, and expects the turn to end as aborted. */
async function stopAt(kit: Kit, reached: Promise<void>, setup: Setup): Promise<Interrupted> {
  const started = await kit.thread(setup);
  const sending = started.thread.send('Go');
  await reached;
  void started.thread.stop('the person pressed escape');
  expect(await sending).toMatchObject({ status: 'aborted', text: null });
  const stored = await lines(started.thread);
  await runWhatIsReady();
  expect(started.events.filter(({ type }) => type === 'turn_ended')).toMatchObject([{ status: 'aborted' }]);
  return { ...started, stored };
}

onBothStores('stopped while the model is asked', async (kit) => {
  const reached = gate();
  const started = await stopAt(kit, reached.opened, {
    script: [
      () => {
        reached.open();
        return never();
      },
      'fine',
    ],
  });
  expect(started.stored).toEqual(['user: Go']);
  await expectUsable(started);
});

onBothStores('stopped while a tool runs that ignores it', async (kit) => {
  const reached = gate();
  const deaf = defineTool({
    name: 'deaf',
    execute: () => {
      setTimeout(() => reached.open(), 10);
      return never<string>();
    },
  });
  const started = await stopAt(kit, reached.opened, {
    tools: [ping, deaf],
    script: [{ toolCalls: [{ name: 'ping' }, { name: 'deaf' }] }, 'fine'],
  });
  expect(started.stored).toEqual([
    ...['user: Go', 'assistant: null', 'tool: pong'],
    'tool: The turn was stopped before this tool call was finished.',
  ]);
  expect((await started.thread.messages())[3]).toMatchObject({ status: 'error' });
  await expectUsable(started);
});

onBothStores('stopped while a tool runs that listens', async (kit) => {
  const reached = gate();
  const reasons: unknown[] = [];
  const polite = defineTool({
    name: 'polite',
    execute: (_input, { abortSignal }) => {
      reached.open();
      return new Promise<string>((_, reject) => {
        abortSignal.addEventListener('abort', () => {
          reasons.push(abortSignal.reason);
          reject(new Error('interrupted'));
        });
      });
    },
  });
  const started = await stopAt(kit, reached.opened, {
    tools: [polite],
    script: [{ toolCalls: [{ name: 'polite' }] }, 'fine'],
  });
  expect(reasons).toEqual(['the person pressed escape']);
  expect(started.stored).toHaveLength(3);
  await expectUsable(started);
});

const interruptible = (Object.keys(lifecycleTable) as LifecycleName[]).filter(
  (name) => !/compaction|session|notification|thread_created|subagent|update|failure/.test(name),
);

for (const name of interruptible) {
  onBothStores(`stopped while a ${name} hook hangs`, async (kit) => {
    const reached = gate();
    const aborted = gate();
    let calls = 0;
    const passOn = (args: unknown[]): unknown =>
      lifecycleTable[name].kind === 'transform' ? args.at(-1) : null;
    const hanging = defineHook({
      hook: name,
      id: 'hanging',
      execute: (async (state: { execution: { abortSignal: AbortSignal } }, ...args: unknown[]) => {
        if (calls++ > 0) return passOn(args);
        state.execution.abortSignal.addEventListener('abort', () => aborted.open());
        reached.open();
        return never();
      }) as never,
    }) as AnyHook;
    const permission = name === 'before_permission_request' ? 'ask' : 'allow';
    const started = await stopAt(kit, reached.opened, {
      policies: [hanging],
      tools: [{ ...ping, permission }],
      // More answers than any hook takes: one that hangs behind the last answer has used it up.
      script: [{ toolCalls: [{ name: 'ping' }] }, 'fine', 'fine', 'fine'],
    });
    await aborted.opened;
    const runs = await started.thread.runs();
    expect(runs.filter(({ outcome }) => outcome === 'aborted')).toHaveLength(1);
    if (!started.stored.includes('assistant: null')) {
      await started.thread.send('Again').then(({ status }) => expect(status).toBe('completed'));
      return;
    }
    await expectUsable(started);
  });
}

onBothStores('an abort while a result is redacted: it is redacted again, never stored raw', async (kit) => {
  const reached = gate();
  let calls = 0;
  const redact = defineHook({
    hook: 'before_store_tool_result',
    id: 'redact',
    execute: async (_, _call, result) => {
      if (calls++ === 0) {
        reached.open();
        return never();
      }
      return { ...result, result: `${result.result}`.replace('secret', '***') };
    },
  });
  const started = await stopAt(kit, reached.opened, {
    policies: [redact],
    tools: [defineTool({ name: 'leaky', execute: () => 'the secret' })],
    script: [{ toolCalls: [{ name: 'leaky' }] }, 'fine'],
  });
  expect(started.stored.at(-1)).toBe('tool: the ***');
  await expectUsable(started);
});

onBothStores('an abort ends the other hooks of the chain too, whatever continue says', async (kit) => {
  const reached = gate();
  const hang = defineHook({
    hook: 'after_system_message',
    id: 'hang',
    onError: 'continue',
    execute: (_) => {
      reached.open();
      return never<null>();
    },
  });
  let ran = 0;
  const next = defineHook({
    hook: 'after_system_message',
    id: 'next',
    execute: (_) => {
      ran++;
      return null;
    },
  });
  const { thread, model } = await stopAt(kit, reached.opened, { policies: [hang, next] });
  expect([ran, model.calls.length]).toEqual([0, 0]);
  expect((await thread.runs()).map(({ id, outcome }) => [id, outcome])).toEqual([
    ['hang', 'aborted'],
    ['next', 'skipped'],
  ]);
});

onBothStores('stopped between two steps', async (kit) => {
  let stop = (): void => {};
  const between = defineHook({
    hook: 'after_tool_batch',
    id: 'between',
    execute: async (_) => {
      stop();
      return null;
    },
  });
  const started = await kit.thread({
    policies: [between],
    tools: [ping],
    script: [{ toolCalls: [{ name: 'ping' }] }, 'fine'],
  });
  stop = () => started.thread.stop();
  expect(await started.thread.send('Go')).toMatchObject({ status: 'aborted', steps: 1 });
  await expectUsable(started);
});

onBothStores('a stop right after send stores nothing', async (kit) => {
  const started = await kit.thread({ script: ['fine'] });
  const sending = started.thread.send('Go');
  void started.thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted', steps: 0 });
  expect(await lines(started.thread)).toEqual([]);
  await expectUsable(started);
});

onBothStores('a stop ends one turn, not those that wait behind it', async (kit) => {
  const reached = gate();
  const { thread } = await kit.thread({
    script: [
      () => {
        reached.open();
        return never();
      },
      'second',
    ],
  });
  const sends = [thread.send('1'), thread.send('2')];
  await reached.opened;
  void thread.stop();
  expect((await Promise.all(sends)).map(({ status }) => status)).toEqual(['aborted', 'completed']);
});

onBothStores('a stop while nothing runs does nothing', async (kit) => {
  const pass = defineHook({
    hook: 'before_create_message',
    id: 'pass',
    execute: async (_, message) => message,
  });
  const started = await kit.thread({ policies: [pass], script: ['fine'] });
  void started.thread.stop();
  await started.thread.inject({ role: 'user', content: 'still here' });
  expect(started.thread.state.execution.abortSignal.aborted).toBe(false);
  await expectUsable(started);
});

onBothStores(
  'once a turn is stopped the state is at rest again, though the turn is not done',
  async (kit) => {
    const pass = defineHook({
      hook: 'before_create_message',
      id: 'pass',
      execute: async (_, message) => message,
    });
    const reached = gate();
    const started = await kit.thread({
      policies: [pass],
      script: [
        () => {
          reached.open();
          return never();
        },
        'fine',
      ],
    });
    const { thread } = started;
    const sending = thread.send('Go');
    await reached.opened;
    void thread.stop();
    const injecting = thread.state.injectMessage({ role: 'user', content: 'right away' });
    expect(thread.state.execution.stepCount).toBe(0);
    expect(await injecting).toMatchObject({ content: 'right away' });
    expect(await sending).toMatchObject({ status: 'aborted' });
    await expectUsable(started);
  },
);

onBothStores('a tool that stops its own thread', async (kit) => {
  let stop = (): void => {};
  const suicidal = defineTool({
    name: 'suicidal',
    execute: () => {
      stop();
      return 'never stored';
    },
  });
  const started = await kit.thread({
    tools: [suicidal],
    script: [{ toolCalls: [{ name: 'suicidal' }] }, 'fine'],
  });
  stop = () => started.thread.stop();
  expect(await started.thread.send('Go')).toMatchObject({ status: 'aborted' });
  expect((await lines(started.thread)).at(-1)).toContain('tool: ');
  await expectUsable(started);
});

onBothStores('a system message that hangs', async (kit) => {
  const reached = gate();
  let calls = 0;
  const started = await stopAt(kit, reached.opened, {
    prompt: {
      system: () => {
        reached.open();
        return calls++ === 0 ? never() : 'Be brief.';
      },
    },
    script: ['fine'],
  });
  await expectUsable(started);
});
