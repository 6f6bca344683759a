import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type AnyHook, defineHook, type Hook } from '../define/define.ts';
import { emptyScope, scopeOf } from '../define/scope.ts';
import { DefinitionError, RunError } from '../errors.ts';
import { fakeState, runHook, toolCall, virtualClock } from '../testing/index.ts';
import type { Decision } from '../vocabulary/control.ts';
import type { HookToolCall } from '../vocabulary/messages.ts';
import type { RunDetails, RunRecord } from '../vocabulary/record.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import { createExecutor, type ExecutorOptions } from './executor.ts';

const SECRET = '4111111111111111';

/** A call with other arguments. */
const withArguments = (call: HookToolCall, input: unknown): HookToolCall => ({
  ...call,
  function: { ...call.function, arguments: JSON.stringify(input) },
});

const vault = (options: Partial<Hook<'before_tool_call'>> = {}): AnyHook =>
  defineHook({
    hook: 'before_tool_call',
    id: 'vault',
    execute: async () => null,
    restore: async (_state, call) => withArguments(call, { card: SECRET }),
    conceal: async (_state, _call, decision) =>
      JSON.parse(JSON.stringify(decision).replaceAll(SECRET, '[CARD_1]')),
    ...(options as object),
  });

/** Restores one call in a scope of these hooks. */
function harness(hooks: readonly AnyHook[], options: Partial<ExecutorOptions> = {}) {
  const runs: RunRecord[] = [];
  const details: RunDetails<ThreadState>[] = [];
  const executor = createExecutor({
    onRun(run, more) {
      runs.push(run);
      details.push(more);
    },
    ...options,
  });
  const scope = scopeOf(hooks.map((hook) => ({ hook, source: 'test' })));
  const state = fakeState();
  return { executor, scope, state, runs, details };
}

const charge = toolCall('charge', { card: '[CARD_1]' });

async function refused(promise: Promise<unknown> | unknown): Promise<RunError> {
  const error: unknown = await Promise.resolve(promise).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof RunError) return error;
  throw new Error('expected a RunError');
}

describe('restore of a before_tool_call hook', () => {
  test('gives the tool its arguments, and the call stays the one that was decided on', async () => {
    const greedy = vault({
      restore: async (_state: unknown, call: HookToolCall) => ({
        ...withArguments(call, { card: SECRET }),
        id: 'another',
        function: { name: 'delete_all', arguments: JSON.stringify({ card: SECRET }) },
      }),
    } as never);
    const { executor, scope, state } = harness([greedy]);
    expect(await executor.restore(scope, state, charge)).toEqual(withArguments(charge, { card: SECRET }));
    expect(charge.function.arguments).toBe('{"card":"[CARD_1]"}');
  });

  test('runs once: the call that was decided on is the one that its tool gets', async () => {
    let restored = 0;
    const counting = vault({
      restore: async (_state: unknown, call: HookToolCall) =>
        withArguments(call, { card: SECRET, time: ++restored }),
    } as never);
    const { executor, scope, state } = harness([counting]);
    const { subject } = await executor.run('before_tool_call', scope, state, charge);
    const permission = await executor.run('before_permission_request', scope, state, { toolCall: subject });
    expect(await executor.restore(scope, state, permission.subject.toolCall)).toEqual(
      withArguments(charge, { card: SECRET, time: 1 }),
    );
  });

  test('costs nothing where no hook in scope has one (C11)', () => {
    const plain = defineHook({ hook: 'before_tool_call', id: 'plain', execute: async () => null });
    const { executor, scope, state, runs } = harness([plain]);
    expect(executor.restore(emptyScope, state, charge)).toBe(charge);
    expect(executor.restore(scope, state, charge)).toBe(charge);
    expect(Object.keys(scope)).toEqual(['before_tool_call']);
    expect(runs).toEqual([]);
  });

  test('runs one after the other, by priority, and null keeps the call', async () => {
    const append = (id: string, priority: number): AnyHook =>
      defineHook({
        hook: 'before_tool_call',
        id,
        priority,
        execute: async () => null,
        restore: async (_state, call) =>
          withArguments(call, [...(JSON.parse(call.function.arguments) as unknown[]), id]),
        conceal: async (_state, _call, decision) => decision,
      });
    const silent = vault({ restore: async () => null });
    const { executor, scope, state } = harness([append('second', 0), silent, append('first', 1)]);
    const { function: called } = await executor.restore(scope, state, toolCall('t', [] as never));
    expect(called.arguments).toBe('["first","second"]');
  });

  test('keeps to its matcher, which looks at the call as it was decided on', async () => {
    const { executor, scope, state, runs } = harness([vault({ match: 'send_*' } as never)]);
    expect(await executor.restore(scope, state, charge)).toEqual(charge);
    expect(runs).toMatchObject([{ outcome: 'skipped', why: expect.stringMatching(/^restore: .*send_\*/) }]);
  });

  test('is recorded without what it put back, neither its value nor its size', async () => {
    const { executor, scope, state, runs, details } = harness([vault(), vault({ id: 'later' })]);
    await executor.restore(scope, state, charge);
    expect(runs).toMatchObject([
      { hook: 'before_tool_call', id: 'vault', outcome: 'changed', changed: true, why: 'restore' },
      { hook: 'before_tool_call', id: 'later', outcome: 'ok', changed: false, why: 'restore' },
    ]);
    expect(runs.map(({ sizeBefore, sizeAfter }) => [sizeBefore, sizeAfter])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(inspect(details, { depth: 9 })).not.toContain(SECRET);
  });
});

describe('a restore that does not succeed', () => {
  const throwing = (): Promise<never> => Promise.reject(new Error(SECRET));

  test('throws, naming the hook and never a value', async () => {
    const { executor, scope, state, runs, details } = harness([vault({ restore: throwing })]);
    const error = await refused(executor.restore(scope, state, charge));
    expect(error).toMatchObject({ code: 'hook_failed', id: 'vault', hook: 'before_tool_call' });
    expect(runs).toMatchObject([{ outcome: 'failed', code: 'hook_failed' }]);
    expect(runs[0]?.why).toMatch(/^restore: /);
    expect(inspect([error, runs, details], { depth: 9 })).not.toContain(SECRET);
  });

  test.each([
    ['value_lost', /the value behind a placeholder is no longer known/],
    ['wrong_key', /encrypted under another key, or changed/],
  ] as const)('says why by the code %s, in words of ours', async (code, words) => {
    const restore = (): Promise<never> => Promise.reject(new RunError(code, SECRET));
    const { executor, scope, state } = harness([vault({ restore })]);
    const { message } = await refused(executor.restore(scope, state, charge));
    expect(message).toMatch(words);
    expect(message).not.toContain(SECRET);
  });

  test.each([undefined, 'block', 'ask'] as const)('ends the call under the policy %s', async (onError) => {
    const { executor, scope, state } = harness([
      vault({ restore: throwing, ...(onError && { onError }) }),
      vault({ id: 'later' }),
    ]);
    expect((await refused(executor.restore(scope, state, charge))).code).toBe('hook_failed');
  });

  test('goes on with the call as it is under the policy continue', async () => {
    const { executor, scope, state } = harness([vault({ restore: throwing, onError: 'continue' })]);
    expect(await executor.restore(scope, state, charge)).toEqual(charge);
  });

  test('is ended at its timeout', async () => {
    const clock = virtualClock();
    const hangs = vault({ restore: () => new Promise(() => {}), timeout: 50 } as never);
    const { executor, scope, state } = harness([hangs], { clock });
    const waiting = refused(executor.restore(scope, state, charge));
    await clock.advance(51);
    expect((await waiting).code).toBe('hook_timed_out');
  });

  test('is ended by the abort of the thread, whatever its policy', async () => {
    const hangs = vault({ restore: () => new Promise(() => {}), onError: 'continue' });
    const { executor, scope, state } = harness([hangs]);
    const waiting = refused(executor.restore(scope, state, charge));
    state.abort();
    expect((await waiting).code).toBe('aborted');
  });

  test('and what is no tool call is refused', async () => {
    const { executor, scope, state } = harness([vault({ restore: (async () => SECRET) as never })]);
    const error = await refused(executor.restore(scope, state, charge));
    expect(error.code).toBe('invalid_result');
    expect(error.message).not.toContain(SECRET);
  });
});

describe('hooks that decide on a call with values', () => {
  /** Answers each call with what it makes of its arguments. */
  const guard = (
    answer: (input: Record<string, unknown>) => Decision | null,
    options: Partial<Hook<'before_tool_call'>> = {},
  ): AnyHook =>
    defineHook({
      hook: 'before_tool_call',
      id: 'guard',
      execute: async (_state, { function: called }) => answer(JSON.parse(called.arguments)),
      ...(options as object),
    });

  test('see it as its tool will get it, before and after the hook that restores; so do matchers and schemas', async () => {
    const seen: unknown[] = [];
    const sees = (id: string, options: object = {}): AnyHook =>
      guard(
        (input) => {
          seen.push([id, input]);
          return null;
        },
        { id, ...options },
      );
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (call: unknown) =>
          (call as HookToolCall).function.arguments.includes(SECRET)
            ? { value: call }
            : { issues: [{ message: 'no card' }] },
      },
    };
    const permission = defineHook({
      hook: 'before_permission_request',
      id: 'permission',
      match: { input: { card: /^4111/ } },
      execute: async (_state, request) => {
        seen.push(['permission', JSON.parse(request.toolCall.function.arguments)]);
        return null;
      },
    });
    const { executor, scope, state, details, runs } = harness([
      sees('first'),
      vault(),
      sees('matched', { match: { input: { card: /^4111/ } } }),
      sees('checked', { schema }),
      permission,
    ]);
    const { subject, decision } = await executor.run('before_tool_call', scope, state, charge);
    const asked = await executor.run('before_permission_request', scope, state, { toolCall: subject });
    expect([decision, subject, asked.subject]).toEqual([null, charge, { toolCall: charge }]);
    const ids = ['first', 'matched', 'checked', 'permission'];
    expect(seen).toEqual(ids.map((id) => [id, { card: SECRET }]));
    expect(inspect([details, runs], { depth: 9 })).not.toContain(SECRET);
  });

  test.each(['deny', 'ask', 'allow', undefined] as const)(
    'say %s without the values: reason, context, message, result',
    async (decision) => {
      const says = guard(({ card }) => ({
        ...(decision === undefined ? {} : { decision }),
        reason: `because of ${card}`,
        userMessage: `see ${card}`,
        context: [`${card} is known`],
        result: { status: 'success', result: `paid ${card}` },
      }));
      const { executor, scope, state, details } = harness([vault(), says]);
      const verdict = await executor.run('before_tool_call', scope, state, charge);
      expect(inspect([verdict, details], { depth: 9 })).not.toContain(SECRET);
      expect(verdict).toMatchObject({
        decision: decision ?? null,
        userMessage: 'see [CARD_1]',
        context: ['[CARD_1] is known'],
        result: { result: 'paid [CARD_1]' },
      });
    },
  );

  test('rewrite it: the verdict has the placeholder, and all who are asked again the value', async () => {
    const seen: unknown[] = [];
    const putBack = vault({
      restore: async (_state: unknown, call: HookToolCall) => ({
        ...call,
        function: { ...call.function, arguments: call.function.arguments.replaceAll('[CARD_1]', SECRET) },
      }),
    } as never);
    const { executor, scope, state } = harness([
      guard(
        (input) => {
          seen.push(input);
          return null;
        },
        { id: 'watches' },
      ),
      putBack,
      guard((input) => (input.amount === undefined ? { input: { ...input, amount: 5 } as never } : null)),
    ]);
    const { subject } = await executor.run('before_tool_call', scope, state, charge);
    expect(JSON.parse(subject.function.arguments)).toEqual({ card: '[CARD_1]', amount: 5 });
    expect(seen).toEqual([{ card: SECRET }, { card: SECRET, amount: 5 }]);
    const given = await executor.restore(scope, state, subject);
    expect(JSON.parse(given.function.arguments)).toEqual({ card: SECRET, amount: 5 });
  });

  test('deny it where the values cannot be put back, whatever they say', async () => {
    const failing = vault({ restore: () => Promise.reject(new Error(SECRET)) });
    const { executor, scope, state } = harness([failing, guard(() => ({ decision: 'allow' }))]);
    const verdict = await executor.run('before_tool_call', scope, state, charge);
    expect([verdict.decision, verdict.by]).toEqual(['deny', 'vault']);
    expect(verdict.reason).toMatch(/could not be restored/);
    expect(inspect(verdict, { depth: 9 })).not.toContain(SECRET);
  });

  test('deny it where what they say cannot be made safe, or where they throw, and nothing of it is told', async () => {
    const talks = guard(({ card }) => ({ decision: 'allow', reason: String(card) }));
    const throws = guard(({ card }) => {
      throw new Error(String(card));
    });
    const broken = vault({ conceal: () => Promise.reject(new Error(SECRET)) });
    for (const hooks of [
      [broken, talks],
      [vault(), throws],
    ]) {
      const { executor, scope, state, details } = harness(hooks);
      const verdict = await executor.run('before_tool_call', scope, state, charge);
      expect(verdict.decision).toBe('deny');
      expect(inspect([verdict, details], { depth: 9 })).not.toContain(SECRET);
    }
  });
});

describe('at definition', () => {
  test('only a before_tool_call hook may have one, and it is a function', () => {
    const options = { id: 'vault', execute: async () => null };
    const restore = async () => null;
    expect(() => defineHook({ ...options, hook: 'after_tool_call_success', restore } as never)).toThrow(
      /restore .*before_tool_call/,
    );
    expect(() => defineHook({ ...options, hook: 'before_tool_call', restore: 5 } as never)).toThrow(
      DefinitionError,
    );
    expect(() => defineHook({ ...options, hook: 'before_tool_call', restore } as never)).toThrow(
      /restore shows values .* there must be a function conceal/,
    );
    expect(() => defineHook({ ...options, hook: 'before_tool_call', conceal: restore } as never)).toThrow(
      /conceal .* there is no restore/,
    );
  });
});

describe('the test kit', () => {
  /** A hook that invokes `charge` when `start` is called. */
  const invoking = (restore: Hook<'before_tool_call'>['restore'], answers: unknown[]): AnyHook =>
    defineHook({
      hook: 'before_tool_call',
      id: 'vault',
      execute: async (state, call) => {
        if (call.function.name === 'start')
          answers.push(await state.invokeTool('charge', { card: '[CARD_1]' }));
        return null;
      },
      restore: restore as NonNullable<typeof restore>,
      conceal: async (_state, _call, decision) => decision,
    });

  test('gives a tool that a hook invokes its real arguments', async () => {
    const state = fakeState({ tools: { charge: 'done' } });
    const hook = invoking(async (_state, call) => withArguments(call, { card: SECRET }), []);
    await runHook.with({ state })(hook as Hook<'before_tool_call'>, toolCall('start'));
    expect(state.invokedTools).toEqual([{ name: 'charge', input: { card: SECRET } }]);
  });

  test('does not run a tool whose values could not be put back', async () => {
    const state = fakeState({ tools: { charge: 'done' } });
    const answers: unknown[] = [];
    const hook = invoking(() => Promise.reject(new RunError('value_lost', SECRET)), answers);
    await runHook.with({ state })(hook as Hook<'before_tool_call'>, toolCall('start'));
    expect(state.invokedTools).toEqual([]);
    expect(answers).toEqual([
      { status: 'error', error: expect.stringMatching(/denied.* The tool was not run, .* Hook "vault"/) },
    ]);
    expect(inspect(answers)).not.toContain(SECRET);
  });
});
