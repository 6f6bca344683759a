import { type AnyHook, type Decision, defineHook, type PermissionRequest } from '@spec/hooks';
import { expect } from 'vitest';
import { gate, type Kit, lines, never, onBothStores, type Setup } from '../../test/kit.ts';
import { defineTool, type PermissionAsk } from '../index.ts';

interface Trial {
  /** What the tool was run with. */
  readonly ran: unknown[];
  readonly asks: PermissionAsk[];
  /** The tool row. */
  readonly row: string | undefined;
  readonly lines: string[];
}

interface TrialOptions extends Setup {
  readonly permission?: 'ask';
  /** What the person answers; without it there is nobody. */
  readonly person?: (ask: PermissionAsk) => boolean | Promise<boolean>;
}

/** One turn in which the model calls `act` with `{ n: 1 }`. */
async function tryCall(kit: Kit, { permission, person, ...setup }: TrialOptions): Promise<Trial> {
  const ran: unknown[] = [];
  const asks: PermissionAsk[] = [];
  const act = defineTool({
    name: 'act',
    ...(permission === undefined ? {} : { permission }),
    parameters: { type: 'object' },
    execute: (input: unknown) => {
      ran.push(input);
      return 'acted';
    },
  });
  const onAsk = (ask: PermissionAsk): boolean | Promise<boolean> => {
    asks.push(ask);
    return (person as NonNullable<typeof person>)(ask);
  };
  const { thread } = await kit.thread({
    tools: [act],
    script: [{ toolCalls: [{ id: 'c1', name: 'act', input: { n: 1 } }] }, 'ok'],
    ...(person === undefined ? {} : { onAsk }),
    ...setup,
  });
  await thread.send('Go');
  const all = await lines(thread);
  return { ran, asks, row: all.find((line) => line.startsWith('tool:')), lines: all };
}

let hookCount = 0;
const decide = (decision: Decision | null | (() => Decision | null)): AnyHook =>
  defineHook({
    hook: 'before_tool_call',
    id: `decide_${hookCount++}`,
    execute: async (_) => (typeof decision === 'function' ? decision() : decision),
  });
const permit = (execute: (request: PermissionRequest) => Decision | null): AnyHook =>
  defineHook({
    hook: 'before_permission_request',
    id: `permit_${hookCount++}`,
    execute: async (_, request) => execute(request),
  });

onBothStores('deny: the tool does not run, the model gets the reason', async (kit) => {
  const deny = defineHook({
    hook: 'before_tool_call',
    id: 'no_way',
    execute: async (_) => ({ decision: 'deny', reason: 'Not on Sundays.', context: 'Try tomorrow.' }),
  });
  const trial = await tryCall(kit, { policies: [deny] });
  expect(trial.ran).toEqual([]);
  expect(trial.lines).toEqual([
    ...['user: Go', 'assistant: null', 'tool: This tool call was denied by no_way. Not on Sundays.'],
    ...['user: Try tomorrow.', 'assistant: ok'],
  ]);
});

onBothStores('a decide hook that fails, hangs or answers nonsense denies', async (kit) => {
  for (const execute of [
    () => Promise.reject(new Error('secret')),
    () => never<null>(),
    async () => ({ decision: 'maybe' }) as never,
  ]) {
    const guard = defineHook({ hook: 'before_tool_call', id: 'guard', timeout: 20, execute });
    const { ran, row } = await tryCall(kit, { policies: [guard] });
    expect(ran).toEqual([]);
    expect(row).toMatch(/^tool: This tool call was denied by guard\. Hook "guard" \(before_tool_call\)/);
    expect(row).not.toContain('secret');
  }
});

onBothStores('a rewrite is what runs, and what the rest of the chains sees', async (kit) => {
  const seen: string[] = [];
  const look = defineHook({
    hook: 'after_tool_call_success',
    id: 'look',
    execute: async (_, call) => {
      seen.push(call.function.arguments);
      return null;
    },
  });
  const { ran } = await tryCall(kit, { policies: [decide({ input: { n: 2 } }), look] });
  expect(ran).toEqual([{ n: 2 }]);
  expect(seen).toEqual(['{"n":2}']);
});

onBothStores('a rewrite that the tool’s schema does not accept denies', async (kit) => {
  const { z } = await import('zod');
  const strict = defineTool({ name: 'act', input: z.object({ n: z.number() }), execute: ({ n }) => `${n}` });
  const rewrite = defineHook({
    hook: 'before_tool_call',
    id: 'rewrite',
    execute: async (_) => ({ input: { n: 'secret-value' } }),
  });
  const { row } = await tryCall(kit, { tools: [strict], policies: [rewrite] });
  expect(row).toMatch(/^tool: This tool call was denied by rewrite\. Hook "rewrite" \(before_tool_call\) /);
  expect(row).toMatch(/the rewritten input does not fit: the tool "act" does not accept it at n\.$/);
  expect(row).not.toContain('secret-value');
});

onBothStores('a result answers the call, and the tool does not run', async (kit) => {
  const answered = await tryCall(kit, {
    policies: [decide({ result: { status: 'success', result: 'cached' } })],
  });
  expect(answered).toMatchObject({ ran: [], row: 'tool: cached' });
});

onBothStores('ask without a person is a deny', async (kit) => {
  const trial = await tryCall(kit, { policies: [decide({ decision: 'ask', reason: 'Costs money.' })] });
  expect(trial.ran).toEqual([]);
  expect(trial.row).toBe(
    'tool: This tool call was denied. It needs permission, and there is nobody to ask (onAsk is not set): Costs money.',
  );
});

onBothStores('ask goes to the person, with the call as it would run', async (kit) => {
  const policies = [decide({ input: { n: 3 } }), decide({ decision: 'ask', reason: 'Costs money.' })];
  const allowed = await tryCall(kit, { policies, person: () => true });
  expect(allowed.ran).toEqual([{ n: 3 }]);
  expect(allowed.asks).toEqual([
    {
      about: 'tool_call',
      id: expect.any(String),
      threadId: expect.any(String),
      toolCallId: 'c1',
      tool: 'act',
      input: { n: 3 },
      reason: 'Costs money.',
      abortSignal: expect.any(AbortSignal),
    },
  ]);
  const refused = await tryCall(kit, { policies, person: () => false });
  expect(refused).toMatchObject({
    ran: [],
    row: 'tool: This tool call was denied. Permission was refused: Costs money.',
  });
});

onBothStores(
  'a person’s way of answering that fails, or answers otherwise than true, denies',
  async (kit) => {
    const policies = [decide({ decision: 'ask' })];
    const failing = await tryCall(kit, { policies, person: () => Promise.reject(new Error('secret')) });
    expect(failing).toMatchObject({
      ran: [],
      row: 'tool: This tool call was denied. Asking for permission failed.',
    });
    expect(await tryCall(kit, { policies, person: () => 'yes' as never })).toMatchObject({ ran: [] });
  },
);

onBothStores('a tool that needs permission asks, unless a hook allows it', async (kit) => {
  expect(await tryCall(kit, { permission: 'ask' })).toMatchObject({ ran: [] });
  expect((await tryCall(kit, { permission: 'ask', person: () => true })).ran).toHaveLength(1);
  const policies = [decide({ decision: 'allow' })];
  expect(await tryCall(kit, { permission: 'ask', policies })).toMatchObject({ ran: [{ n: 1 }], asks: [] });
});

onBothStores('an allow never beats a deny or an ask', async (kit) => {
  const allow = decide({ decision: 'allow' });
  expect(await tryCall(kit, { policies: [allow, decide({ decision: 'deny' })] })).toMatchObject({ ran: [] });
  expect(await tryCall(kit, { policies: [allow, decide({ decision: 'ask' })] })).toMatchObject({ ran: [] });
});

onBothStores('before_permission_request answers for the person', async (kit) => {
  const requests: PermissionRequest[] = [];
  const allow = permit((request) => {
    requests.push(request);
    return { decision: 'allow' };
  });
  const ask = decide({ decision: 'ask', reason: 'why' });
  expect((await tryCall(kit, { policies: [ask, allow], person: () => false })).ran).toHaveLength(1);
  expect(requests).toMatchObject([{ reason: 'why', toolCall: { id: 'c1', function: { name: 'act' } } }]);
  const deny = permit(() => ({ decision: 'deny', reason: 'never' }));
  const denied = await tryCall(kit, { policies: [ask, deny], person: () => true });
  expect(denied).toMatchObject({ ran: [], asks: [] });
  expect(denied.row).toMatch(/^tool: This tool call was denied by permit_\d+\. never$/);
});

onBothStores('before_permission_request with an ask, context or result', async (kit) => {
  const ask = decide({ decision: 'ask' });
  const again = permit(() => ({ decision: 'ask', reason: 'really?', context: 'asked twice' }));
  const asked = await tryCall(kit, { policies: [ask, again], person: () => true });
  expect(asked.asks).toMatchObject([{ reason: 'really?' }]);
  expect(asked.lines).toContain('user: asked twice');
  const result = permit(() => ({
    decision: 'allow',
    result: { status: 'success', result: 'from the hook' },
  }));
  expect(await tryCall(kit, { policies: [ask, result] })).toMatchObject({
    ran: [],
    row: 'tool: from the hook',
  });
});

onBothStores('a call rewritten for permission is decided on anew', async (kit) => {
  const guard = defineHook({
    hook: 'before_tool_call',
    id: 'guard',
    execute: async (_, call) =>
      call.function.arguments.includes('666') ? { decision: 'deny', reason: 'evil' } : { decision: 'ask' },
  });
  const rewrite = (n: number): AnyHook => permit(() => ({ decision: 'allow', input: { n } }));
  expect(await tryCall(kit, { policies: [guard, rewrite(666)] })).toMatchObject({
    ran: [],
    row: 'tool: This tool call was denied by guard. evil',
  });
  expect(await tryCall(kit, { policies: [guard, rewrite(2)] })).toMatchObject({ ran: [{ n: 2 }] });
});

onBothStores('a call that is rewritten for permission again and again is denied', async (kit) => {
  let n = 0;
  const restless = permit(() => ({ decision: 'allow', input: { n: n++ } }));
  const { ran, row } = await tryCall(kit, { policies: [decide({ decision: 'ask' }), restless] });
  expect(ran).toEqual([]);
  expect(row).toBe('tool: This tool call was denied: its arguments were rewritten again and again, 3 times.');
});

onBothStores('a stop ends the wait for a person', async (kit) => {
  const asked = gate();
  const { thread } = await kit.thread({
    policies: [decide({ decision: 'ask' })],
    tools: [defineTool({ name: 'act', execute: () => 'acted' })],
    script: [{ toolCalls: [{ name: 'act' }] }],
    onAsk: () => {
      asked.open();
      return never();
    },
  });
  const sending = thread.send('Go');
  await asked.opened;
  void thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted' });
  expect((await lines(thread)).at(-1)).toContain('tool: The turn was stopped');
});

for (const way of ['invokeTool', 'queueTool'] as const) {
  onBothStores(`a tool called through ${way} needs the same permission`, async (kit) => {
    const answers: unknown[] = [];
    let asks = 0;
    let ran = 0;
    const act = defineTool({ name: 'act', permission: 'ask', execute: () => void ran++ });
    const start = defineHook({
      hook: 'before_user_message',
      id: 'start',
      execute: async (state) => {
        answers.push(await state[way]('act', {}));
        return null;
      },
    });
    for (const allow of [true, false]) {
      const { thread } = await kit.thread({
        policies: [start],
        tools: [act],
        script: ['ok'],
        onAsk: () => {
          asks++;
          return allow;
        },
      });
      await thread.send('Go');
      if (way === 'queueTool') answers.push((await thread.messages())[2]?.content);
    }
    expect([asks, ran]).toEqual([2, 1]);
    const refusal = 'This tool call was denied. Permission was refused.';
    expect(answers.filter((answer) => answer !== undefined)).toEqual(
      way === 'queueTool'
        ? ['', refusal]
        : [
            { status: 'success', result: '' },
            { status: 'error', error: refusal },
          ],
    );
  });
}
