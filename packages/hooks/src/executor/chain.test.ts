import { describe, expect, test } from 'vitest';
import {
  deferred,
  type Execute,
  harness,
  kinds,
  makeHook,
  never,
  sampleCall,
  sampleMessage,
  samples,
  settled,
  threadState,
} from '../../test/chain.ts';
import type { AnyHook } from '../define/define.ts';
import { RunError } from '../errors.ts';
import type { Verdict } from '../vocabulary/lifecycle.ts';
import type { ThreadState } from '../vocabulary/state.ts';

/** Changes everything that can be reached. */
function spoil(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) spoil(item);
    value.push('spoilt');
  } else if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>;
    for (const key of Object.keys(record)) {
      spoil(record[key]);
      if (typeof record[key] !== 'object') record[key] = 'spoilt';
    }
    record.spoilt = true;
  }
}

describe.each(kinds)('a chain of kind %s', (kind) => {
  const { hook, args, same, other, wrong } = samples[kind];
  const named = (execute: Execute, options: object = {}): AnyHook => makeHook(hook, execute, options);
  const observes = kind === 'observe';

  test('C1: runs one hook at a time, in order', async () => {
    const events: string[] = [];
    const slow = (name: string, turns: number) =>
      named(async (_state, ...given) => {
        events.push(`${name} begins`);
        for (let i = 0; i < turns; i++) await null;
        events.push(`${name} ends`);
        return same(...given);
      });
    await harness().run([slow('a', 9), slow('b', 1), slow('c', 4)], ...args());
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('C1: a higher priority is earlier, equal ones are in the order given', async () => {
    const order: string[] = [];
    const noting = (name: string, priority?: number) =>
      named(
        (_state, ...given) => {
          order.push(name);
          return same(...given);
        },
        priority === undefined ? {} : { priority },
      );
    await harness().run([noting('low', -1), noting('a'), noting('b', 0), noting('high', 5)], ...args());
    expect(order).toEqual(['high', 'a', 'b', 'low']);
  });

  test.each(['throws', 'returns'])('C2: nobody sees what a hook changed when it %s', async (how) => {
    const given = args();
    const before = structuredClone(given);
    let seen: unknown;
    const spoils = named(
      async (_state, ...lent) => {
        for (const value of lent) spoil(value);
        if (how === 'throws') throw new Error('no');
        return same(...(structuredClone(before) as never[]));
      },
      { onError: 'continue' },
    );
    const looks = named((_state, ...lent) => {
      seen = structuredClone(lent);
      return same(...lent);
    });
    await harness().run([spoils, looks], ...given);
    expect(seen).toEqual(before);
    expect(given).toEqual(before);
  });

  test('C2: what a hook returned is not changed by what the hook does to it later', async () => {
    const wait = deferred();
    const returned: unknown[] = [];
    const answers = named(async (_state, ...lent) => {
      const answer = other(...lent);
      returned.push(answer, ...lent);
      return answer;
    });
    const waits = named(async (_state, ...lent) => {
      for (const value of returned) spoil(value);
      await wait.promise;
      return same(...lent);
    });
    const { run } = harness();
    const chain = run([answers, waits], ...args());
    wait.resolve(undefined);
    const result = await chain;
    for (const value of returned) spoil(value);
    expect(JSON.stringify(result ?? '')).not.toContain('spoilt');
  });

  test.each(wrong.map((answer) => [answer]))('C3: %j is refused', async (answer) => {
    const { run, records } = harness();
    const { value, error } = await settled(run([named(async () => answer, { onError: 'block' })], ...args()));
    expect(records).toMatchObject([{ outcome: 'invalid_result', code: 'invalid_result', changed: false }]);
    expect(records[0]?.why).toBeTruthy();
    if (kind === 'decide') expect((value as Verdict).decision).toBe('deny');
    else if (kind === 'replace') expect(value).toMatchObject({ status: 'error' });
    else expect(error?.code).toBe('invalid_result');
  });

  test('C4: at the deadline the signal of the hook fires and the chain goes on', async () => {
    const { run, clock, outcomes, records } = harness();
    let signal: AbortSignal | undefined;
    const hangs = named(
      (state) => {
        signal = state.execution.abortSignal;
        return never();
      },
      { timeout: 100, ...(observes ? {} : { onError: 'continue' }) },
    );
    const next = named((_state, ...lent) => same(...lent));
    const chain = run([hangs, next], ...args());
    await clock.advance(99);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' });
    await chain;
    expect(outcomes()).toEqual(['timed_out', 'ok']);
    expect(records[0]).toMatchObject({ code: 'hook_timed_out', ms: 100, why: 'no answer within 100 ms' });
  });

  test('C4: a signal that is first asked for after the deadline has fired already', async () => {
    const { run, clock } = harness();
    let late: ThreadState | undefined;
    const hangs = named(
      (state) => {
        late = state;
        return never();
      },
      { timeout: 10, ...(observes ? {} : { onError: 'continue' }) },
    );
    const chain = run([hangs], ...args());
    await clock.advance(10);
    await chain;
    expect(late?.execution.abortSignal.aborted).toBe(true);
  });

  test("C4: the thread's abort fires the signal of the hook, with its reason", async () => {
    const { run, thread, outcomes } = harness();
    let signal: AbortSignal | undefined;
    const hangs = named((state) => {
      signal = state.execution.abortSignal;
      return never();
    });
    const chain = settled(run([hangs], ...args()));
    await null;
    thread.abort('the user went away');
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toBe('the user went away');
    expect((await chain).error?.code).toBe('aborted');
    expect(outcomes()).toEqual(['aborted']);
  });

  test('C4: the signal of a hook that settled does not fire any more', async () => {
    const { run, thread, clock } = harness();
    let signal: AbortSignal | undefined;
    const settles = named((state, ...lent) => {
      signal = state.execution.abortSignal;
      return same(...lent);
    });
    const hangs = named(never, { timeout: 10, ...(observes ? {} : { onError: 'continue' }) });
    const chain = run([settles, hangs], ...args());
    await clock.advance(10);
    await chain;
    thread.abort();
    expect(signal?.aborted).toBe(false);
  });

  test.each(['settles', 'times out', 'is aborted'])(
    'C5: after a hook %s its state refuses writes',
    async (how) => {
      const { run, clock, thread, writes, lateWrites } = harness();
      let kept: ThreadState | undefined;
      const keeps = named(
        async (state, ...lent) => {
          kept = state;
          await state.setValue('in', 'time');
          return how === 'settles' ? same(...lent) : never();
        },
        { timeout: 10 },
      );
      const chain = settled(run([keeps], ...args()));
      await clock.advance(9);
      if (how === 'is aborted') thread.abort();
      await clock.advance(1);
      await chain;
      const state = kept as ThreadState;
      await expect(state.injectMessage({ role: 'user', content: 'late' })).rejects.toMatchObject({
        code: 'late_write',
      });
      await expect(state.terminate()).rejects.toMatchObject({ code: 'late_write' });
      expect(() => state.emit('late')).toThrow(RunError);
      expect(() => state.execution.stop()).toThrow('after it had ended; nothing was written');
      expect(writes).toEqual(['thread.setValue']);
      expect(lateWrites.map(({ write }) => write)).toEqual(['injectMessage', 'terminate', 'emit', 'stop']);
    },
  );

  test('C6: the abort of the thread beats continue', async () => {
    const { run, thread, records } = harness();
    const options = observes ? {} : { onError: 'continue', onTimeout: 'continue' };
    const hangs = named(never, options);
    const after = named(() => {
      throw new Error('must not run');
    }, options);
    const chain = settled(run([hangs, after], ...args()));
    await null;
    thread.abort();
    const { error } = await chain;
    expect(error).toMatchObject({ code: 'aborted', hook });
    expect(records.map(({ outcome, why }) => [outcome, why])).toEqual([
      ['aborted', 'the thread was aborted'],
      ['skipped', 'the thread was aborted'],
    ]);
  });

  test('C10: a hook that fails by default is recorded, and does what the table says', async () => {
    const { run, records } = harness();
    const fails = named(() => {
      throw new TypeError('secret');
    });
    const after = named((_state, ...lent) => other(...lent));
    const { value, error } = await settled(run([fails, after], ...args()));
    expect(records[0]).toMatchObject({ outcome: 'failed', code: 'hook_failed', changed: false });
    expect(records[0]?.why).toMatch(/^TypeError at .*chain\.test\.ts:\d+:\d+$/);
    const blocks = kind === 'transform' || kind === 'decide';
    expect(records[1]?.outcome === 'skipped').toBe(blocks);
    if (kind === 'transform') expect(error).toMatchObject({ code: 'hook_failed', hook, id: fails.id });
    if (kind === 'decide') expect(value).toMatchObject({ decision: 'deny', by: fails.id });
  });

  test('C10: what changed nothing is ok, whatever it returned', async () => {
    const { run, records } = harness();
    await run([named((_state, ...lent) => same(...(structuredClone(lent) as never[])))], ...args());
    expect(records).toMatchObject([{ hook, outcome: 'ok', changed: false, source: 'policy', ms: 0 }]);
  });

  test('C11: without a hook the result is there at once, and nothing is copied', () => {
    const { executor, state, records } = harness();
    const given = args();
    const result: unknown = executor.run(hook as never, {}, state, ...(given as never[]));
    expect(result).not.toBeInstanceOf(Promise);
    if (kind === 'transform' || kind === 'replace') expect(result).toBe(given.at(-1));
    if (kind === 'observe') expect(result).toBeUndefined();
    if (kind === 'collect') expect(result).toEqual([]);
    if (kind === 'decide') {
      expect(result).toEqual({ decision: null, by: null, context: [], subject: given[0], rewrittenBy: [] });
      expect((result as Verdict).subject).toBe(given[0]);
    }
    expect(records).toEqual([]);
  });
});

describe('what a chain carries', () => {
  test('C2: an untouched subject comes out as the very object that went in', async () => {
    const { run } = harness();
    const message = sampleMessage();
    expect(await run([makeHook('before_create_message', (_state, copy) => copy)], message)).toBe(message);
  });

  test("C2: the specification's own example, which changes its argument and returns it", async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const reminds = makeHook('prefilter_llm_history', async (_state, list: Array<{ content: string }>) => {
      const last = list.at(-1);
      if (last !== undefined) last.content += '\n\n(Remember to be concise)';
      return list;
    });
    const { run, outcomes } = harness();
    expect(await run([reminds], messages)).toEqual([
      { role: 'user', content: 'Hi\n\n(Remember to be concise)' },
    ]);
    expect(messages).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(outcomes()).toEqual(['changed']);
  });

  test('C3: fields that the specification does not know survive, attachments too', async () => {
    const { run } = harness();
    const adds = makeHook('after_tool_call_success', (_state, _call, result: object) => ({
      ...result,
      score: { of: 1 },
    }));
    const keeps = makeHook('after_tool_call_success', (_state, _call, result: object) => ({
      ...result,
      result: 'x',
    }));
    const { args } = samples.replace;
    expect(await run([adds, keeps], ...args())).toEqual({
      ...(args()[1] as object),
      result: 'x',
      score: { of: 1 },
    });
  });

  test('each hook gets what the one before it returned', async () => {
    const { run } = harness();
    const add = (mark: string) =>
      makeHook('after_system_message', (_state, text: string) => (mark === '-' ? null : `${text}${mark}`));
    expect(await run([add('1'), add('-'), add('2')], 'system')).toBe('system12');
  });

  test('an empty text is a text', async () => {
    expect(await harness().run([makeHook('after_system_message', () => '')], 'system')).toBe('');
  });

  test('collected texts come in the order of the hooks', async () => {
    const { run } = harness();
    const say = (answer: unknown) => makeHook('after_session_started', async () => answer);
    const session = { sessionId: 's', source: 'created', agentId: 'a', parentId: null };
    expect(await run([say('a'), say(null), say(['b', 'c']), say(undefined), say([])], session)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test('a hook without arguments gets the state alone', async () => {
    const { run } = harness();
    let given: unknown[] = [];
    const notes: Execute = (...all) => {
      given = all;
    };
    await run([makeHook('after_thread_created', notes)]);
    expect(given).toHaveLength(1);
  });

  test('the arguments before the subject are copies too, and not part of the result', async () => {
    const { run } = harness();
    const updates = { content: 'new' };
    const renames = makeHook('before_update_message', (_state, id: string, fields: object) => ({
      ...fields,
      name: id,
    }));
    expect(await run([renames], 'm1', updates)).toEqual({ content: 'new', name: 'm1' });
  });

  test('a thenable of any sort is awaited', async () => {
    const { run, outcomes } = harness();
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested
    const thenable = Object.assign(() => {}, { then: (resolve: (value: unknown) => void) => resolve('new') });
    expect(await run([makeHook('after_system_message', () => thenable)], 'old')).toBe('new');
    expect(outcomes()).toEqual(['changed']);
  });
});

describe('C5: what is reached through a hook ends with it', () => {
  test('the child thread that after_subagent_created is given, and its relatives', async () => {
    const { run, writes } = harness();
    const child = threadState('child');
    let kept: ThreadState | undefined;
    const keeps = makeHook('after_subagent_created', async (_state, given: ThreadState) => {
      kept = given;
      await given.setValue('in', 'time');
    });
    await run([keeps], child.state);
    const given = kept as ThreadState;
    expect(given).not.toBe(child.state);
    expect(given.execution.abortSignal).not.toBe(child.thread.signal);
    await expect(given.injectMessage({ role: 'user', content: 'late' })).rejects.toMatchObject({
      code: 'late_write',
    });
    expect(() => given.execution.stop()).toThrow(RunError);
    const parent = (await given.getParentThread()) as ThreadState;
    await expect(parent.setValue('a', 1)).rejects.toMatchObject({ code: 'late_write' });
    expect([...writes, ...child.writes]).toEqual(['child.setValue']);
  });

  test('while the next hook runs already', async () => {
    const { run, writes, lateWrites } = harness();
    const gone = deferred<ThreadState>();
    const first = makeHook('after_create_message', (state) => gone.resolve(state));
    const second = makeHook('after_create_message', async (state) => {
      const late = await gone.promise;
      await expect(late.setValue('a', 1)).rejects.toMatchObject({ id: first.id });
      await state.setValue('a', 2);
    });
    await run([first, second], sampleMessage());
    expect(writes).toEqual(['thread.setValue']);
    expect(lateWrites).toEqual([{ hook: 'after_create_message', id: first.id, write: 'setValue' }]);
  });
});

describe('C8: hooks within hooks', () => {
  test('four deep is allowed, five is refused with a message that says what to do', async () => {
    const { executor, state, records } = harness();
    let deepest = 0;
    const nests = makeHook(
      'before_create_message',
      async (inner: ThreadState, message: Record<string, unknown>) => {
        deepest++;
        await executor.run('before_create_message', scope, inner, sampleMessage());
        return message;
      },
    );
    const scope = { before_create_message: [{ hook: nests, source: 'policy' }] };
    const { error } = await settled(
      Promise.resolve(executor.run('before_create_message', scope, state, sampleMessage())),
    );
    expect(deepest).toBe(4);
    expect(error?.code).toBe('hook_failed');
    expect(records.map(({ why }) => why)[0]).toBe('it was refused something: depth_exceeded');
    expect(records).toHaveLength(4);
  });

  test('the chain that is one too deep names the hook', async () => {
    const { executor, state } = harness();
    let innermost: RunError | undefined;
    const nests = makeHook(
      'before_create_message',
      async (inner: ThreadState, message: Record<string, unknown>) => {
        await Promise.resolve(executor.run('before_create_message', scope, inner, sampleMessage())).catch(
          (error: RunError) => {
            innermost ??= error;
          },
        );
        return message;
      },
    );
    const scope = { before_create_message: [{ hook: nests, source: 'policy' }] };
    await executor.run('before_create_message', scope, state, sampleMessage());
    expect(innermost).toMatchObject({ code: 'depth_exceeded', hook: 'before_create_message' });
    expect(innermost?.message).toMatch(/more than 4 deep, last before_create_message. Make one of them stop/);
  });

  test('an inner chain ends with the hook around it', async () => {
    const { executor, state, clock, records } = harness();
    const inner = makeHook('after_create_message', never);
    const outer = makeHook(
      'before_create_message',
      async (view: ThreadState, message: Record<string, unknown>) => {
        await executor.run('after_create_message', scope, view, sampleMessage());
        return message;
      },
      { timeout: 50, onTimeout: 'continue' },
    );
    const scope = {
      before_create_message: [{ hook: outer, source: 'policy' }],
      after_create_message: [{ hook: inner, source: 'policy' }],
    };
    const chain = executor.run('before_create_message', scope, state, sampleMessage());
    await clock.advance(50);
    await chain;
    expect(records.map(({ id, outcome }) => [id, outcome])).toEqual([
      [inner.id, 'aborted'],
      [outer.id, 'timed_out'],
    ]);
  });
});

describe('two chains of one executor', () => {
  test('do not end each other', async () => {
    const { run, clock, outcomes } = harness();
    const hangs = makeHook('after_create_message', never, { timeout: 10 });
    const wait = deferred();
    const waits = makeHook('before_tool_call', () => wait.promise, { timeout: 1_000 });
    const short = run([hangs], sampleMessage());
    const long = run([waits], sampleCall());
    await clock.advance(500);
    await short;
    wait.resolve({ decision: 'allow' });
    expect(((await long) as Verdict).decision).toBe('allow');
    expect(outcomes()).toEqual(['timed_out', 'ok']);
  });
});
