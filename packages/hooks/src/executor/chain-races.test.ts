import { describe, expect, test } from 'vitest';
import {
  deferred,
  harness,
  kinds,
  makeHook,
  never,
  sampleMessage,
  samples,
  settled,
} from '../../test/chain.ts';
import { scopeOf } from '../define/scope.ts';
import type { RunRecord } from '../vocabulary/record.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import { createExecutor } from './executor.ts';

type Message = Record<string, unknown>;

describe('the abort of a thread', () => {
  test('before the chain: no hook runs, all are recorded as passed over', async () => {
    for (const kind of kinds) {
      const { run, thread, records } = harness();
      const { hook, args } = samples[kind];
      let ran = 0;
      thread.abort();
      const hooks = [1, 2].map(() => makeHook(hook, () => void ran++));
      expect((await settled(run(hooks, ...args()))).error).toMatchObject({ code: 'aborted', hook });
      expect(records.map(({ outcome, why }) => [outcome, why])).toEqual(
        hooks.map(() => ['skipped', 'the thread was aborted']),
      );
      expect(ran).toBe(0);
    }
  });

  test('in the synchronous part of the first hook', async () => {
    const { run, thread, outcomes } = harness();
    const aborts = makeHook('before_create_message', (_state, message: Message) => {
      thread.abort();
      return message;
    });
    expect((await settled(run([aborts, aborts], sampleMessage()))).error?.code).toBe('aborted');
    expect(outcomes()).toEqual(['aborted', 'skipped']);
  });

  test('in the synchronous part of an asynchronous first hook', async () => {
    const { run, thread, outcomes } = harness();
    const aborts = makeHook('before_create_message', async (_state, message: Message) => {
      thread.abort();
      return message;
    });
    expect((await settled(run([aborts], sampleMessage()))).error?.code).toBe('aborted');
    expect(outcomes()).toEqual(['aborted']);
  });

  test('between two hooks: while a matcher, a schema or a record is looked at', async () => {
    const { run, thread, records } = harness();
    const validate = () => {
      thread.abort();
      return { value: null };
    };
    const checks = makeHook('before_create_message', (_state, message) => message, {
      schema: { '~standard': { version: 1, vendor: 'test', validate } },
    });
    const first = makeHook('before_create_message', (_state, message) => message);
    expect((await settled(run([first, checks, first], sampleMessage()))).error?.code).toBe('aborted');
    expect(records.map(({ outcome }) => outcome)).toEqual(['ok', 'aborted', 'skipped']);
  });

  test('by what listens to the records', async () => {
    const thread = new AbortController();
    const records: RunRecord[] = [];
    const { state } = harness();
    const aborting = {
      ...state,
      execution: { ...state.execution, abortSignal: thread.signal },
    } as ThreadState;
    const executor = createExecutor({
      onRun: (record) => {
        records.push(record);
        thread.abort();
      },
    });
    const hook = makeHook('before_create_message', (_state, message) => message);
    const scope = scopeOf([
      { hook, source: 'policy' },
      { hook, source: 'policy' },
    ]);
    const chain = executor.run('before_create_message', scope, aborting, sampleMessage());
    expect((await settled(Promise.resolve(chain))).error?.code).toBe('aborted');
    expect(records.map(({ outcome }) => outcome)).toEqual(['ok', 'skipped']);
  });

  test('in the tick in which a hook settles: the abort comes first, and only it is recorded', async () => {
    const { run, thread, outcomes } = harness();
    const answer = deferred<Message>();
    const chain = settled(run([makeHook('before_create_message', () => answer.promise)], sampleMessage()));
    await null;
    answer.resolve(sampleMessage());
    thread.abort();
    expect((await chain).error?.code).toBe('aborted');
    expect(outcomes()).toEqual(['aborted']);
  });

  test('in the tick after the last hook settled: the chain has its result', async () => {
    const { run, thread, outcomes } = harness();
    const message = sampleMessage();
    const chain = run([makeHook('before_create_message', (_state, same) => same)], message);
    thread.abort();
    expect(await chain).toBe(message);
    expect(outcomes()).toEqual(['ok']);
  });

  test('in the moment after a hook timed out: the next one does not run', async () => {
    const { run, thread, clock, outcomes } = harness();
    let ran = false;
    const hangs = makeHook(
      'before_create_message',
      (state) => {
        state.execution.abortSignal.addEventListener('abort', () => thread.abort());
        return never();
      },
      { timeout: 10, onTimeout: 'continue' },
    );
    const next = makeHook('before_create_message', () => {
      ran = true;
    });
    const chain = settled(run([hangs, next], sampleMessage()));
    await clock.advance(10);
    expect((await chain).error?.code).toBe('aborted');
    expect(outcomes()).toEqual(['timed_out', 'skipped']);
    expect(ran).toBe(false);
  });

  test('in the instant of the deadline: one of the two is recorded', async () => {
    const { run, thread, clock, outcomes } = harness();
    const chain = settled(run([makeHook('before_create_message', never, { timeout: 10 })], sampleMessage()));
    clock.setTimeout(() => thread.abort(), 10);
    await clock.advance(10);
    expect(['aborted', 'hook_timed_out']).toContain((await chain).error?.code);
    expect(outcomes()).toHaveLength(1);
  });

  test('while a rewritten input is checked', async () => {
    const { run, thread, outcomes } = harness({ checkInput: never });
    const rewrites = makeHook('before_user_message', () => ({ input: 'new' }));
    const chain = settled(run([rewrites], sampleMessage()));
    await null;
    thread.abort();
    expect((await chain).error?.code).toBe('aborted');
    expect(outcomes()).toEqual(['aborted']);
  });

  test('many chains on one signal all end', async () => {
    const { run, thread, outcomes } = harness();
    const chains = Array.from({ length: 50 }, () =>
      settled(run([makeHook('after_create_message', never)], sampleMessage())),
    );
    await null;
    thread.abort();
    expect((await Promise.all(chains)).every(({ error }) => error?.code === 'aborted')).toBe(true);
    expect(outcomes()).toEqual(chains.map(() => 'aborted'));
  });

  test('takes one listener of the signal, for any number of chains', async () => {
    const { run, thread } = harness();
    let listeners = 0;
    const { addEventListener } = thread.signal;
    thread.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++;
      addEventListener.apply(thread.signal, args);
    };
    for (let i = 0; i < 20; i++)
      await run([makeHook('after_create_message', () => undefined)], sampleMessage());
    expect(listeners).toBe(1);
  });
});

describe('the deadline', () => {
  test('in the tick in which a hook settles: whichever was first, and only it', async () => {
    const { run, clock, outcomes } = harness();
    const answer = deferred<Message>();
    const hook = makeHook('before_create_message', () => answer.promise, {
      timeout: 10,
      onTimeout: 'continue',
    });
    const message = sampleMessage();
    const chain = run([hook], message);
    clock.setTimeout(() => answer.resolve({ ...message, content: 'just in time' }), 10);
    await clock.advance(10);
    await chain;
    expect(outcomes()).toHaveLength(1);
  });

  test('of each hook begins with that hook', async () => {
    const { run, clock, outcomes } = harness();
    const slow = (ms: number, timeout: number) =>
      makeHook('after_create_message', () => clock.sleep(ms as never), { timeout });
    const chain = run([slow(90, 100), slow(90, 100), slow(50, 40), slow(30, 40)], sampleMessage());
    await clock.advance(1_000);
    await chain;
    expect(outcomes()).toEqual(['ok', 'ok', 'timed_out', 'ok']);
  });

  test('may move to an earlier time from one hook to the next', async () => {
    const { run, clock, outcomes } = harness({ timeout: '1m' });
    const quick = makeHook('after_create_message', () => undefined);
    const hangs = makeHook('after_create_message', never, { timeout: 20 });
    const chain = run([quick, hangs, quick], sampleMessage());
    await clock.advance(20);
    await chain;
    expect(outcomes()).toEqual(['ok', 'timed_out', 'ok']);
  });

  test('is 5 s where nobody says otherwise', async () => {
    const { run, clock, outcomes } = harness();
    const chain = run([makeHook('after_create_message', never)], sampleMessage());
    await clock.advance(4_999);
    expect(outcomes()).toEqual([]);
    await clock.advance(1);
    await chain;
    expect(outcomes()).toEqual(['timed_out']);
  });

  test('many chains with deadlines of their own', async () => {
    const { run, clock, records } = harness();
    const chains = Array.from({ length: 40 }, (_, i) => {
      const timeout = ((i * 7) % 40) + 1;
      return run([makeHook('after_create_message', never, { timeout })], sampleMessage());
    });
    await clock.advance(40);
    await Promise.all(chains);
    expect(records.map(({ ms }) => ms)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });
});

test('what listens to the records throws: the chain ends with that, and nothing else happens', async () => {
  const executor = createExecutor({
    onRun: () => {
      throw new Error('disk full');
    },
  });
  const { state, clock } = harness();
  const scope = scopeOf([{ hook: makeHook('after_create_message', () => undefined), source: 'policy' }]);
  await expect(executor.run('after_create_message', scope, state, sampleMessage())).rejects.toThrow(
    'disk full',
  );
  await clock.advance(10_000);
});
