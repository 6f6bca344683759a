import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  deferred,
  harness,
  kinds,
  makeHook,
  never,
  sampleCall,
  sampleMessage,
  sampleResult,
  samples,
  settled,
} from '../../test/chain.ts';
import type { AnyHook } from '../define/define.ts';
import { scopeOf } from '../define/scope.ts';
import { RunError } from '../errors.ts';
import type { Verdict } from '../vocabulary/lifecycle.ts';
import type { RunRecord } from '../vocabulary/record.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import { createExecutor } from './executor.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
});

const throwsOnEveryGet = (): object =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Error('get');
      },
      getPrototypeOf: () => {
        throw new Error('prototype');
      },
      ownKeys: () => {
        throw new Error('keys');
      },
    },
  );

describe('a hook that throws', () => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  class Hostile extends Error {
    override get stack(): string {
      throw new Error('stack');
    }
  }
  const values: Array<[string, unknown]> = [
    ['an error', new Error('no')],
    ['undefined', undefined],
    ['null', null],
    ['a text', 'no'],
    ['an object without a prototype', Object.create(null)],
    ['a proxy that throws', throwsOnEveryGet()],
    ['a revoked proxy', revoked.proxy],
    ['an error whose stack throws', new Hostile('no')],
    ['a frozen error', Object.freeze(new RangeError('no'))],
  ];

  test.each(values)('%s, at once', async (_name, thrown) => {
    const { run, records } = harness();
    const throws = makeHook('before_create_message', () => {
      throw thrown;
    });
    const { error } = await settled(run([throws], sampleMessage()));
    expect(error).toMatchObject({ code: 'hook_failed', hook: 'before_create_message', id: throws.id });
    expect(records).toMatchObject([{ outcome: 'failed', code: 'hook_failed' }]);
  });

  test.each(values)('%s, by a promise', async (_name, thrown) => {
    const { run, outcomes } = harness();
    const rejects = makeHook('before_create_message', () => Promise.reject(thrown), { onError: 'continue' });
    const message = sampleMessage();
    expect(await run([rejects], message)).toBe(message);
    expect(outcomes()).toEqual(['failed']);
  });

  test('the details have what was thrown, the record has not', async () => {
    const { run, records, details } = harness();
    const thrown = new Error('with a secret');
    await run([makeHook('after_create_message', () => Promise.reject(thrown))], sampleMessage());
    expect(details[0]?.error).toBe(thrown);
    expect(JSON.stringify(records)).not.toContain('secret');
  });
});

test.each(['store_failed', 'store_unreadable'] as const)(
  'a hook that the store failed is told as %s',
  async (code) => {
    const { run, records } = harness();
    const refused = makeHook('before_create_message', () => Promise.reject(new RunError(code, 'secret')));
    const { error } = await settled(run([refused], sampleMessage()));
    expect(error).toMatchObject({ code, id: refused.id });
    expect(error?.message).not.toContain('secret');
    expect(records).toMatchObject([{ outcome: 'failed', code }]);
  },
);

describe('a hook that answers too late', () => {
  test.each(['resolves', 'rejects'])('%s after its deadline: nothing comes of it', async (how) => {
    const { run, clock, outcomes } = harness();
    const answer = deferred<Record<string, unknown>>();
    const late = makeHook('before_create_message', () => answer.promise, {
      timeout: 10,
      onTimeout: 'continue',
    });
    const message = sampleMessage();
    const chain = run([late, makeHook('before_create_message', (_state, given) => given)], message);
    await clock.advance(10);
    if (how === 'resolves') answer.resolve({ role: 'user', content: 'late' });
    else answer.reject(new Error('late'));
    expect(await chain).toBe(message);
    await clock.advance(100);
    expect(outcomes()).toEqual(['timed_out', 'ok']);
  });

  test.each(['resolves', 'rejects'])('%s after the abort of the thread', async (how) => {
    const { run, thread, outcomes } = harness();
    const answer = deferred<Record<string, unknown>>();
    const chain = settled(run([makeHook('before_create_message', () => answer.promise)], sampleMessage()));
    await null;
    thread.abort();
    if (how === 'resolves') answer.resolve({ role: 'user', content: 'late' });
    else answer.reject(new Error('late'));
    expect((await chain).error?.code).toBe('aborted');
    expect(outcomes()).toEqual(['aborted']);
  });

  test('while the next hook runs: that one keeps its right to write, and its answer', async () => {
    const { run, clock, outcomes, writes } = harness();
    const late = makeHook(
      'before_create_message',
      () => clock.sleep('20ms').then(() => ({ role: 'user', content: 'late' })),
      {
        timeout: 10,
        onTimeout: 'continue',
      },
    );
    const next = makeHook('before_create_message', async (state, message: Record<string, unknown>) => {
      await clock.sleep('30ms');
      await state.setValue('still', 'open');
      return { ...message, content: 'next' };
    });
    const chain = run([late, next], sampleMessage());
    await clock.advance(100);
    expect(await chain).toMatchObject({ content: 'next' });
    expect(outcomes()).toEqual(['timed_out', 'changed']);
    expect(writes).toEqual(['thread.setValue']);
  });

  test('onTimeout decides over onError, and onError where it is not given', async () => {
    const { run, clock, outcomes } = harness();
    const hang = (options: object) => makeHook('before_create_message', never, { timeout: 10, ...options });
    const goesOn = run([hang({ onError: 'block', onTimeout: 'continue' })], sampleMessage());
    await clock.advance(10);
    await goesOn;
    const also = run([hang({ onError: 'continue' })], sampleMessage());
    await clock.advance(10);
    await also;
    const blocked = settled(run([hang({ onError: 'continue', onTimeout: 'block' })], sampleMessage()));
    await clock.advance(10);
    expect((await blocked).error).toMatchObject({ code: 'hook_timed_out' });
    expect((await blocked).error?.message).toContain(
      'timed out: no answer within 10 ms (a timeout is in milliseconds; write "10s" if seconds are meant)',
    );
    expect(outcomes()).toEqual(['timed_out', 'timed_out', 'timed_out']);
  });

  test('one that holds the event loop past its deadline is reported as timed out afterwards', async () => {
    const records: RunRecord[] = [];
    const executor = createExecutor({ onRun: (record) => records.push(record) });
    let signal: AbortSignal | undefined;
    const blocks = makeHook(
      'before_create_message',
      (state, message: Record<string, unknown>) => {
        signal = state.execution.abortSignal;
        const until = performance.now() + 30;
        while (performance.now() < until);
        return { ...message, content: 'too late' };
      },
      { timeout: 10, onTimeout: 'continue' },
    );
    const awaits = makeHook(
      'before_create_message',
      async (state, message: Record<string, unknown>) =>
        (blocks.execute as never as (...args: unknown[]) => unknown)(state, message),
      { timeout: 10, onTimeout: 'continue' },
    );
    const scope = scopeOf([blocks, awaits].map((hook) => ({ hook, source: 'policy' })));
    const message = sampleMessage();
    expect(await executor.run('before_create_message', scope, harness().state, message)).toBe(message);
    expect(records.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['timed_out', 'hook_timed_out'],
      ['timed_out', 'hook_timed_out'],
    ]);
    for (const { why, ms } of records) {
      expect(why).toMatch(/^answered after \d+ ms, past its 10 ms$/);
      expect(ms).toBeGreaterThan(25);
    }
    expect(signal?.aborted).toBe(true);
  });
});

describe('a hook that answers with something odd', () => {
  const answer = (value: unknown) =>
    makeHook('after_tool_call_success', () => value, { onError: 'continue' });
  const args = () => [sampleCall(), sampleResult()];

  test('a getter that throws', async () => {
    const { run, records } = harness();
    const result = Object.defineProperty({ status: 'success' }, 'result', {
      enumerable: true,
      get: () => {
        throw new Error('secret');
      },
    });
    expect(await run([answer(result)], ...args())).toEqual(sampleResult());
    expect(records).toMatchObject([
      { outcome: 'invalid_result', why: 'field result cannot be read: reading it throws' },
    ]);
  });

  test('a getter that answers otherwise the second time: what was checked is what is taken', async () => {
    const { run } = harness();
    let asked = 0;
    const result = Object.defineProperty({ status: 'success' }, 'result', {
      enumerable: true,
      get: () => (asked++ < 2 ? 'text' : { not: 'text' }),
    });
    for (let i = 0; i < 4; i++) {
      asked = i;
      const taken = (await run([answer(result)], ...args())) as { result: unknown };
      expect(typeof taken.result).toBe('string');
    }
  });

  test('a then that throws when it is read', async () => {
    const { run, outcomes } = harness();
    await run([answer(throwsOnEveryGet())], ...args());
    expect(outcomes()).toEqual(['failed']);
  });

  test('a function or a symbol in it', async () => {
    const { run, records } = harness();
    await run([answer({ status: 'success', later: () => 'secret' })], ...args());
    await run([answer({ status: 'success', x: Symbol('secret') })], ...args());
    expect(records.map(({ why }) => why)).toEqual([
      'field later is a function, which has no form in JSON',
      'field x is a symbol, which has no form in JSON',
    ]);
  });

  test('a circle in it', async () => {
    const { run, records } = harness();
    const circle: Record<string, unknown> = { status: 'success' };
    circle.self = { circle };
    await run([answer(circle)], ...args());
    expect(records).toMatchObject([
      { outcome: 'invalid_result', why: 'field self.circle.self refers to itself' },
    ]);
  });

  test('an own __proto__ field is refused, and changes nothing', async () => {
    const { run, records } = harness();
    const hostile = JSON.parse('{"status":"success","__proto__":{"polluted":true}}') as object;
    const taken = (await run([answer(hostile)], ...args())) as Record<string, unknown>;
    expect(Object.getPrototypeOf(taken)).toBe(Object.prototype);
    expect(taken.polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(records).toMatchObject([{ outcome: 'invalid_result' }]);
  });

  test('messages that are not a list, or a list of something else', async () => {
    const { run, records } = harness();
    const wrong = [
      'text',
      { length: 1 },
      [null],
      [undefined],
      ['text'],
      [[]],
      [{ ...sampleMessage(), created_at: 'now' }],
      [sampleMessage(), {}],
    ];
    for (const value of wrong) {
      const hook = makeHook('filter_messages', () => value);
      const { metadata: _, ...plain } = sampleMessage();
      for (const message of [sampleMessage(), plain]) {
        expect((await settled(run([hook], [message]))).error?.code).toBe('invalid_result');
      }
    }
    expect(records[0]?.why).toBe('expected a list of messages, got a string');
    expect(records[5]?.why).toBe('expected a message, got null (entry 1 of the list)');
    expect(records[12]?.why).toContain('not a message: created_at must be a number of microseconds');
  });
});

describe('arguments that cannot be copied', () => {
  test('are an invalid input of each hook, and its policy decides', async () => {
    const { run, records } = harness();
    const message = { ...sampleMessage(), later: () => 'secret' };
    let ran = false;
    const runs = () => {
      ran = true;
    };
    const hook = makeHook('before_create_message', runs, { onError: 'continue' });
    expect(await run([hook], message)).toBe(message);
    expect(ran).toBe(false);
    expect(records).toMatchObject([
      {
        outcome: 'invalid_input',
        code: 'invalid_input',
        why: 'its arguments cannot be copied: a function is no data',
      },
    ]);
  });
});

describe('a schema', () => {
  const order = z.object({
    role: z.literal('user'),
    metadata: z.object({ tags: z.array(z.string().max(3)) }),
  });
  const checked = (schema: unknown, options: object = {}): AnyHook =>
    makeHook('before_create_message', (_state, message: object) => ({ ...message, content: 'seen' }), {
      schema,
      ...options,
    });

  test('that the subject passes lets the hook run', async () => {
    const { run, outcomes } = harness();
    expect(await run([checked(order)], sampleMessage())).toMatchObject({ content: 'seen' });
    expect(await run([checked(order.refine(async () => true))], sampleMessage())).toMatchObject({
      content: 'seen',
    });
    expect(outcomes()).toEqual(['changed', 'changed']);
  });

  test('that the subject does not pass is an invalid input, with the fields and never their values', async () => {
    const { run, records } = harness();
    const secret = { ...sampleMessage(), metadata: { tags: ['ok', 'secret 4111'] } };
    const { error } = await settled(run([checked(order)], secret));
    expect(error?.code).toBe('invalid_input');
    expect(error?.message).toContain(
      `got an invalid input: the subject did not pass the hook's schema at metadata.tags.1.`,
    );
    expect(await run([checked(order, { onError: 'continue' })], secret)).toBe(secret);
    expect(records).toMatchObject([{ outcome: 'invalid_input' }, { outcome: 'invalid_input' }]);
    expect(JSON.stringify(records)).not.toContain('secret');
  });

  test('that throws or answers nonsense is a failure of the hook', async () => {
    const { run, outcomes } = harness();
    const schemaOf = (validate: unknown) => ({ '~standard': { version: 1, vendor: 'test', validate } });
    const throwing = schemaOf(() => {
      throw new Error('secret');
    });
    for (const schema of [
      throwing,
      schemaOf(() => Promise.reject(new Error('no'))),
      schemaOf(() => undefined),
    ]) {
      expect((await settled(run([checked(schema)], sampleMessage()))).error?.code).toBe('hook_failed');
    }
    expect(outcomes()).toEqual(['failed', 'failed', 'failed']);
  });

  test('that hangs is ended by the deadline of its hook', async () => {
    const { run, clock, outcomes } = harness();
    let ran = false;
    const schema = { '~standard': { version: 1, vendor: 'test', validate: never } };
    const runs = () => {
      ran = true;
    };
    const hook = makeHook('after_create_message', runs, { schema, timeout: 10 });
    const chain = run([hook], sampleMessage());
    await clock.advance(10);
    await chain;
    expect(outcomes()).toEqual(['timed_out']);
    expect(ran).toBe(false);
  });

  test('that answers after the deadline does not let its hook run', async () => {
    const { run, clock, outcomes } = harness();
    let ran = false;
    const runs = () => {
      ran = true;
    };
    const validate = async () => ({ value: await clock.sleep('20ms') });
    const hook = makeHook('after_create_message', runs, {
      schema: { '~standard': { version: 1, vendor: 'test', validate } },
      timeout: 10,
    });
    const chain = run([hook], sampleMessage());
    await clock.advance(50);
    await chain;
    expect(outcomes()).toEqual(['timed_out']);
    expect(ran).toBe(false);
  });

  test('gets a copy', async () => {
    const { run } = harness();
    const spoils = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: { role: string }) => {
          value.role = 'x';
          return { value };
        },
      },
    };
    expect(await run([checked(spoils)], sampleMessage())).toMatchObject({ role: 'user', content: 'seen' });
  });

  test('is about the subject: the last argument', async () => {
    const { run, outcomes } = harness();
    const schema = z.object({ content: z.string() });
    await run([makeHook('before_update_message', (_state, _id, fields) => fields, { schema })], 'm1', {
      content: 'x',
    });
    expect(outcomes()).toEqual(['ok']);
  });
});

describe('changes', () => {
  const limited = (change: object, changes: string[]): AnyHook =>
    makeHook('before_create_message', (_state, message: object) => ({ ...message, ...change }), { changes });

  test('lets the named fields change, appear and go', async () => {
    const { run, outcomes } = harness();
    await run([limited({ metadata: 'x', score: 1 }, ['metadata', 'score'])], sampleMessage());
    await run(
      [
        makeHook(
          'before_create_message',
          (_state, { metadata: _, ...rest }: Record<string, unknown>) => rest,
          {
            changes: ['metadata'],
          },
        ),
      ],
      sampleMessage(),
    );
    await run([limited({}, [])], sampleMessage());
    expect(outcomes()).toEqual(['changed', 'changed', 'ok']);
  });

  test('refuses any other change, naming the field only', async () => {
    const { run, records } = harness();
    const why = async (change: object) => {
      await settled(run([limited(change, ['metadata'])], sampleMessage()));
      return records.at(-1)?.why;
    };
    expect(await why({ metadata: 1, content: 'secret' })).toBe(
      'it changed "content", and may change only metadata',
    );
    expect(await why({ added: undefined })).toBe('it changed "added", and may change only metadata');
    expect(await why({ 'secret 4111': 1 })).toBe('it changed a field, and may change only metadata');
    expect(records.every(({ outcome }) => outcome === 'invalid_result')).toBe(true);
  });

  test('holds where a field is one that only an equal copy can be told from', async () => {
    const { run, outcomes } = harness();
    class Money {
      readonly cents = 5;
    }
    const rich = {
      when: new Date(0),
      bytes: new Uint8Array([1]),
      map: new Map([['a', [1]]]),
      set: new Set([1]),
      money: new Money(),
      none: Object.create(null),
    };
    await run([limited({ metadata: 'x' }, ['metadata'])], { ...sampleMessage(), ...rich });
    await run([makeHook('before_create_message', (_state, message) => message)], {
      ...sampleMessage(),
      ...rich,
    });
    expect(outcomes()).toEqual(['changed', 'ok']);
  });
});

describe('C9: a secret', () => {
  const secret = 'sk-live-4242424242424242';
  const message = (): Record<string, unknown> => ({
    ...sampleMessage(),
    content: secret,
    [secret]: secret,
    metadata: { [secret]: secret },
  });
  const call = () => ({
    ...sampleCall(),
    function: { name: 'get_order', arguments: JSON.stringify({ token: secret }) },
  });

  class SecretError extends Error {
    override readonly name = secret;
    readonly token = secret;
    constructor() {
      super(secret, { cause: new Error(secret) });
      this.stack = this.stack?.replace('Error', secret).replace('at ', `at ${secret} `) ?? '';
    }
  }
  const throwing = (error: Error): never => {
    throw error;
  };
  const bad: Array<[string, (...args: never[]) => unknown]> = [
    ['thrown', () => Promise.reject(new SecretError())],
    ['thrown in a message of several lines', () => Promise.reject(new Error(`x\n    at ${secret}:1:2`))],
    ['thrown as a text', () => Promise.reject(secret)],
    ['thrown with a code', () => Promise.reject(Object.assign(new Error(secret), { code: secret }))],
    ['returned', () => secret],
    [
      'returned as a field',
      (given: object) => ({ ...given, [secret]: () => secret, role: secret, decision: secret }),
    ],
    ['returned in a list', () => [secret, { [secret]: secret }]],
    [
      'returned with a getter',
      () => Object.defineProperty({}, secret, { enumerable: true, get: () => throwing(new SecretError()) }),
    ],
  ];

  test.each(bad)('%s is in no record and no error', async (_name, execute) => {
    const printed: string[] = [];
    for (const kind of kinds) {
      const { hook } = samples[kind];
      const args = {
        observe: [message()],
        transform: [message()],
        replace: [call(), sampleResult()],
        decide: [call()],
        collect: [[]],
      }[kind];
      const { run, records } = harness();
      const given = (_state: ThreadState, ...lent: never[]) => execute(...lent);
      const schema = z.object({
        metadata: z.record(z.string(), z.number()),
        function: z.object({ arguments: z.literal('x') }),
      });
      const hooks = [
        makeHook(hook, given, { onError: 'continue' }),
        makeHook(hook, given, { onError: 'continue', schema }),
        ...(kind === 'observe' ? [] : [makeHook(hook, given, { onError: 'block' })]),
      ];
      const { value, error } = await settled(run(hooks, ...args));
      expect(records.length).toBe(hooks.length);
      const { subject: _, ...verdict } = kind === 'decide' ? (value as Verdict) : { subject: null };
      printed.push(
        inspect([records, error, verdict], { depth: 9, showHidden: true, getters: true }),
        JSON.stringify(records),
      );
    }
    expect(printed.join('\n')).not.toContain(secret.slice(0, 7));
  });

  test('in the key of a map that a schema objects to is left out of the path', async () => {
    const { run, records } = harness();
    const schema = z.object({ metadata: z.record(z.string(), z.number()) });
    await settled(run([makeHook('before_create_message', (_state, given) => given, { schema })], message()));
    expect(records[0]?.why).toBe("the subject did not pass the hook's schema at metadata.…");
  });
});
