import type { RunRecord, ThreadState } from '@spec/hooks';
import { createExecutor, scopeOf } from '@spec/hooks';
import { fakeState } from '@spec/hooks/testing';
import { describe, expect, test } from 'vitest';
import { toResult } from '../test/said.ts';
import { formatSystemHooks } from './format.ts';
import { type AnyTrigger, defineTrigger, type ResultOccasion } from './trigger.ts';
import { type TriggerHookOptions, triggerHooks } from './trigger-hooks.ts';

/** Triggers of one thread, batch by batch. */
function thread(triggers: readonly AnyTrigger[], options?: TriggerHookOptions) {
  const runs: RunRecord[] = [];
  const members = triggerHooks(triggers, options).map((hook) => ({ hook, source: 'policy' }));
  const { run } = createExecutor({ onRun: (record) => runs.push(record) });
  const values = fakeState();
  let calls = 0;
  const inTurn = (flowId: string) => ({ ...values, execution: { ...values.execution, flowId } });
  return {
    values,
    /** Records of triggers. */
    runs: () =>
      runs
        .filter(({ id }) => !members.some(({ hook }) => hook.id === id))
        .map(({ id, outcome, why }) => ({ id, outcome, ...(why && { why }) })),
    batch: async (tools: readonly string[], turn = 'one'): Promise<string[]> =>
      (
        await run(
          'after_tool_batch',
          scopeOf(members),
          inTurn(turn),
          tools.map((tool) => toResult({ tool, value: `${tool} ran` }, calls++)),
        )
      ).map((text) => text.replaceAll(/<\/?system-hook>/g, '').trim()),
    end: () =>
      run('after_session_ended', scopeOf(members), values, {
        sessionId: 's',
        source: 'created',
        agentId: 'a',
        parentId: null,
      }),
  };
}

const onResult = (more: Partial<AnyTrigger> = {}): AnyTrigger => {
  const message = ({ use }: ResultOccasion): string => `${use.name}!`;
  return defineTrigger({ id: 'told', on: 'tool_result', message, ...more } as never) as AnyTrigger;
};

test('what a thread keeps of a key is short, and says nothing of it', async () => {
  const key = ({ use }: ResultOccasion): string => `jane@example.com ${use.name} ${'x'.repeat(100_000)}`;
  const { batch, values } = thread([onResult({ once: 'thread', key } as never)]);
  expect(await batch(['a', 'b', 'a'])).toEqual(['a!', 'b!']);
  expect(await batch(['a', 'b', 'c'])).toEqual(['c!']);
  const kept = JSON.stringify(await values.getValue('triggers/told'));
  expect(kept).not.toContain('jane');
  expect(kept.length).toBeLessThan(1_000);
});

test('the globs of a matcher start where the environment says', async () => {
  const uses: string[] = [];
  const told = onResult({
    match: { paths: 'docs/**' },
    message: ({ use }: ResultOccasion) => `${use.id}`,
  } as never);
  const { run } = createExecutor();
  const scope = scopeOf(
    triggerHooks([told], { environment: { cwd: '/work' } }).map((hook) => ({ hook, source: 'policy' })),
  );
  const results = ['/work/docs/a.md', 'docs/a.md', '/docs/a.md', '/work/a.md'].map((path, i) =>
    toResult({ tool: 'Write', input: { path }, value: 'ok' }, i),
  );
  uses.push(...(await run('after_tool_batch', scope, fakeState(), results)));
  expect(uses).toHaveLength(2);
});

describe('when triggers fire', () => {
  test('on each result, then on the batch, in the order of definition', async () => {
    const { batch } = thread([
      defineTrigger({
        id: 'batch',
        on: 'tool_batch',
        message: ({ batch: { length }, uses }) => `${length} of ${uses.length}`,
      }),
      onResult({ id: 'one' }),
      onResult({ id: 'two', message: ({ use }: { use: { text: string } }) => use.text } as never),
    ]);
    expect(await batch(['a', 'b'])).toEqual(['a!', 'a ran', 'b!', 'b ran', '2 of 2']);
    expect((await batch(['c'])).at(-1)).toBe('1 of 3');
    expect((await batch(['c'], 'two')).at(-1)).toBe('1 of 1');
  });

  test('where match, when and message hold', async () => {
    const { batch, runs } = thread([
      onResult({ id: 'matched', match: 'get_*' } as never),
      onResult({ id: 'held', when: ({ use }: { use: { name: string } }) => use.name === 'b' } as never),
      onResult({ id: 'silent', message: () => null } as never),
      defineTrigger({ id: 'any', on: 'tool_batch', match: 'get_*', message: 'one of them' }),
    ]);
    expect(await batch(['get_a', 'b'])).toEqual(['get_a!', 'b!', 'one of them']);
    expect(await batch(['a'])).toEqual([]);
    expect(runs()).toEqual([
      { id: 'matched', outcome: 'ok' },
      { id: 'held', outcome: 'ok' },
      { id: 'any', outcome: 'ok' },
    ]);
  });

  test('results are not kept for later batches', async () => {
    const seen: unknown[] = [];
    const { batch } = thread([
      defineTrigger({
        id: 'look',
        on: 'tool_batch',
        message: ({ uses }) => void seen.push(...uses) as never,
      }),
    ]);
    await batch(['a']);
    expect(seen).toEqual([{ id: 'call_0', name: 'a', input: {}, status: 'success' }]);
  });
});

describe('how often', () => {
  test('the same text once in a message, again in the next', async () => {
    const { batch } = thread([onResult()]);
    expect(await batch(['a', 'a', 'b'])).toEqual(['a!', 'b!']);
    expect(await batch(['a'])).toEqual(['a!']);
  });

  test('once a turn, once a thread, for each key', async () => {
    const key = ({ use }: { use: { name: string } }) => use.name;
    const { batch, end } = thread([
      onResult({
        id: 'turn',
        once: 'turn',
        message: ({ use }: { use: { name: string } }) => `turn ${use.name}`,
      } as never),
      onResult({
        id: 'keyed',
        once: 'turn',
        key,
        message: ({ use }: { use: { name: string } }) => `keyed ${use.name}`,
      } as never),
      onResult({ id: 'thread', once: 'thread', message: 'thread' } as never),
    ]);
    expect(await batch(['a', 'b'])).toEqual(['turn a', 'keyed a', 'thread', 'keyed b']);
    expect(await batch(['a', 'c'])).toEqual(['keyed c']);
    expect(await batch(['a'], 'two')).toEqual(['turn a', 'keyed a']);
    await end();
    expect(await batch(['a'], 'two')).toEqual([]);
    expect(await batch(['a'], 'three')).toEqual(['turn a', 'keyed a']);
  });

  test('within a budget of characters: what does not fit is recorded, and not taken for told', async () => {
    const long = 'x'.repeat(60);
    const { batch, runs } = thread(
      [
        onResult({ id: 'first' }),
        onResult({ id: 'long', once: 'thread', message: long } as never),
        onResult({ id: 'last' }),
      ],
      { budget: 100 },
    );
    expect(await batch(['a'])).toEqual(['a!', 'a!']);
    expect(runs()[1]).toEqual({
      id: 'long',
      outcome: 'skipped',
      why: 'its text does not fit into the budget of the message',
    });
    const alone = thread([onResult({ id: 'long', once: 'thread', message: long } as never)], { budget: 100 });
    expect(await alone.batch(['a'])).toEqual([long]);
  });
});

describe('a trigger that fails', () => {
  const secret = (): never => {
    throw new Error('secret');
  };
  test.each([
    ['when', { when: secret }],
    ['message', { message: secret }],
    ['a message that is no text', { message: () => 5 }],
    ['key', { key: secret }],
    ['a promise', { message: async () => secret() }],
  ])('in %s tells nothing, keeps no other from firing, and its record says so', async (_name, broken) => {
    const { batch, runs } = thread([
      onResult({ id: 'broken', ...broken } as never),
      onResult({ id: 'fine' }),
    ]);
    expect(await batch(['a'])).toEqual(['a!']);
    expect(runs()).toEqual([
      { id: 'broken', outcome: 'failed', why: 'the trigger threw an error; it adds nothing' },
      { id: 'fine', outcome: 'ok' },
    ]);
  });
});

test.each([
  [{ id: 'No' }, 'its id must be snake_case'],
  [{ on: 'tool_results' }, 'on must be one of tool_result, tool_batch'],
  [{ message: ' ' }, 'message must be a text or a function'],
  [{ message: undefined }, 'message must be a text or a function'],
  [{ once: 'session' }, "once must be 'turn' or 'thread'"],
  [{ on: 'user_message', match: 'bash' }, 'on user_message there is no tool to match'],
  [{ when: true }, 'when must be a function'],
  [{ key: 'name' }, 'key must be a function'],
  [{ wen: () => true }, 'there is no option "wen". Did you mean "when"?'],
])('refused: %j', (broken, message) =>
  expect(() => defineTrigger({ id: 'told', on: 'tool_result', message: 'x', ...broken } as never)).toThrow(
    message,
  ),
);

test('refused: twins, a bad matcher, a bad budget', () => {
  expect(() => triggerHooks([onResult(), onResult()])).toThrow('Two triggers have the id "told"');
  expect(() => triggerHooks([onResult({ match: '/(/' } as never)])).toThrow('is not a regular expression');
  expect(() => triggerHooks([onResult()], { budget: 0 })).toThrow('budget must be');
  expect(triggerHooks([])).toEqual([]);
});

test('a long text of blanks behind a bracket is formatted at once', async () => {
  const { batch } = thread([onResult({ message: `<${' '.repeat(200_000)}x` } as never)], { budget: 1e6 });
  const startedAt = process.cpuUsage();
  await batch(['a']);
  expect(process.cpuUsage(startedAt).user).toBeLessThan(1_000_000); // µs
});

describe('a message of reminders that is made again, because a crash came before it was stored', () => {
  const results = [toResult({ tool: 'a', value: 'ok' }, 0)];
  const ask = (state: ThreadState, triggers: readonly AnyTrigger[]) => {
    const members = triggerHooks(triggers).map((hook) => ({ hook, source: 'policy' }));
    return createExecutor().run('after_tool_batch', scopeOf(members), state, results);
  };

  test.each(['turn', 'thread'] as const)(
    'has what is told once a %s, and later ones do not',
    async (once) => {
      const state = fakeState();
      const inStep = (stepCount: number) => ({ ...state, execution: { ...state.execution, stepCount } });
      const triggers = [onResult({ once, message: 'told' } as never)];
      expect(await ask(inStep(1), triggers)).toHaveLength(1);
      expect(await ask(inStep(1), triggers)).toHaveLength(1);
      expect(await ask(inStep(2), triggers)).toEqual([]);
      expect(await ask(inStep(3), triggers)).toEqual([]);
    },
  );
});

test('a trigger that never ends uses up no text that another one tells once', async () => {
  const state = fakeState();
  let hangs = true;
  const told = onResult({ once: 'thread', message: 'told' } as never);
  const hanging = onResult({ id: 'hanging', message: () => (hangs ? new Promise(() => {}) : null) } as never);
  const members = triggerHooks([told, hanging]).map((hook) => ({ hook, source: 'policy' }));
  const ask = (call: number, options?: { timeout: number }) =>
    createExecutor(options).run('after_tool_batch', scopeOf(members), state, [
      toResult({ tool: 'a', value: 'ok' }, call),
    ]);
  expect(await ask(0, { timeout: 20 })).toEqual([]);
  hangs = false;
  expect(await ask(1)).toHaveLength(1);
});

test('what a turn did before another process went on with it is in its messages', async () => {
  const call = (id: string, name: string, path: string) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify({ path }) },
  });
  const answer = (...calls: object[]) => ({
    role: 'assistant' as const,
    content: null,
    tool_calls: JSON.stringify(calls),
  });
  const result = (tool_call_id: string, status: string) => ({
    role: 'tool' as const,
    content: 'ok',
    tool_call_id,
    status,
  });
  const state = fakeState({
    messages: [
      { role: 'user', content: 'an earlier turn' },
      ...[answer(call('same', 'write', 'old.ts')), result('same', 'success')],
      { role: 'user', content: 'go' },
      ...[answer(call('same', 'write', 'a.ts'), call('other', 'write', 'b.ts'))],
      ...[result('same', 'success'), result('other', 'error')],
      ...[answer(call('call_0', 'write', 'c.ts')), result('call_0', 'success')],
    ],
  });
  const seen: unknown[] = [];
  const look = onResult({
    id: 'look',
    on: 'tool_batch',
    message: ({ uses }: { uses: readonly { input: { path?: string }; status: string }[] }) =>
      void seen.push(...uses.map(({ input, status }) => `${input.path} ${status}`)),
  } as never);
  const members = triggerHooks([look]).map((hook) => ({ hook, source: 'policy' }));
  const results = [toResult({ tool: 'write', value: 'ok', input: { path: 'c.ts' } }, 0)];
  const inStep = { ...state, execution: { ...state.execution, stepCount: 2 } };
  await createExecutor().run('after_tool_batch', scopeOf(members), inStep, results);
  expect(seen).toEqual(['a.ts success', 'b.ts error', 'c.ts success']);
});

test.each(['\u034f', '\ufe0f', '\u3164', '\u115f', '\u{e0100}', '\u180b', '\u200b'])(
  'a character that is not shown hides no tag: %j',
  (unseen) => {
    const text = formatSystemHooks([`a <${unseen}/sys${unseen}tem-${unseen}hook> b`]);
    expect(text).toContain('a &lt;');
  },
);

test('what triggers have told is set by no tool', () => {
  expect(triggerHooks([onResult()]).flatMap(({ keeps = [] }) => keeps)).toEqual(['triggers/told']);
});
