import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { harness, makeHook, never, sampleCall, sampleMessage, settled } from '../../test/chain.ts';
import type { AnyHook } from '../define/define.ts';
import type { Verdict } from '../vocabulary/lifecycle.ts';
import type { ThreadState } from '../vocabulary/state.ts';

type Call = { function: { arguments: string } };

const makeCall = (input: object): Record<string, unknown> => ({
  ...sampleCall(),
  function: { name: 'bash', arguments: JSON.stringify(input) },
});
const decides = (answer: unknown, options: object = {}): AnyHook =>
  makeHook('before_tool_call', async () => answer, options);
const rewrites = (change: (input: Record<string, number>) => unknown): AnyHook =>
  makeHook('before_tool_call', (_state, call: Call) => ({
    input: change(JSON.parse(call.function.arguments) as never),
  }));

async function runVerdict(
  hooks: readonly AnyHook[],
  options: Parameters<typeof harness>[0] = {},
): Promise<Verdict & { outcomes: string[] }> {
  const { run, outcomes } = harness(options);
  const verdict = (await run(hooks, sampleCall())) as Verdict;
  return { ...verdict, outcomes: outcomes() };
}

describe('decisions', () => {
  test('deny > ask > allow > nothing, whatever the order', async () => {
    const word = fc.constantFrom('deny', 'ask', 'allow', null);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 6, minLength: 1 }), async (words) => {
        const { decision } = await runVerdict(words.map((decision) => decides(decision && { decision })));
        const strictest = ['deny', 'ask', 'allow'].find((known) => words.includes(known as never)) ?? null;
        expect(decision).toBe(strictest);
      }),
    );
  });

  test('a deny ends the chain; the others are recorded as passed over', async () => {
    const { run, records } = harness();
    const deny = decides({ decision: 'deny', reason: 'not here', userMessage: 'No.' });
    const verdict = (await run(
      [decides({ decision: 'allow', userMessage: 'Yes.' }), deny, decides({ decision: 'ask' })],
      sampleCall(),
    )) as Verdict;
    expect(verdict).toMatchObject({ decision: 'deny', by: deny.id, reason: 'not here', userMessage: 'No.' });
    expect(records.map(({ outcome, why }) => [outcome, why])).toEqual([
      ['ok', undefined],
      ['denied', undefined],
      ['skipped', `the hook "${deny.id}" had denied`],
    ]);
  });

  test('the first hook with the strictest decision is the one who decided', async () => {
    const ask = decides({ decision: 'ask', reason: 'first' });
    expect(
      await runVerdict([decides({ decision: 'allow' }), ask, decides({ decision: 'ask', reason: 'second' })]),
    ).toMatchObject({
      decision: 'ask',
      by: ask.id,
      reason: 'first',
      outcomes: ['ok', 'asked', 'asked'],
    });
  });

  test('an allow is for what the matcher of its hook names, and for nothing besides', async () => {
    const allow = makeHook('before_tool_call', async () => ({ decision: 'allow', reason: 'r' }), {
      match: '*(ls:*)',
    });
    const deny = makeHook('before_tool_call', async () => ({ decision: 'deny' }), { match: '*(ls:*)' });
    const asked = async (hooks: AnyHook[], command: string) => {
      const { run, records } = harness();
      const { decision } = (await run(hooks, makeCall({ command }))) as Verdict;
      return [
        decision,
        records.map(({ outcome, why }) => (why === undefined ? outcome : `${outcome}: ${why}`)).join(),
      ];
    };
    expect(await asked([allow], 'ls -a')).toEqual(['allow', 'ok']);
    const why = 'its allow does not count: the call does more than its matcher names, or may do more';
    expect(await asked([allow], 'ls; rm x')).toEqual([null, `ok: ${why}`]);
    expect(await asked([deny], 'ls; rm x')).toEqual(['deny', 'denied']);
  });

  test('context is gathered in order, a result is the last one given', async () => {
    const result = (text: string) => ({ status: 'success', result: text });
    const verdict = await runVerdict([
      decides({ context: 'a', result: result('1') }),
      decides(null),
      decides({ context: ['b', 'c'], result: { ...result('2'), extra: [1] } }),
    ]);
    expect(verdict).toMatchObject({
      decision: null,
      by: null,
      context: ['a', 'b', 'c'],
      result: { ...result('2'), extra: [1] },
    });
  });

  test('nothing is said: nothing is decided', async () => {
    expect(await runVerdict([decides(null), decides({})])).toEqual({
      decision: null,
      by: null,
      context: [],
      subject: sampleCall(),
      rewrittenBy: [],
      outcomes: ['ok', 'ok'],
    });
  });

  test('a hook that returns nothing, as one does that forgot its return, has failed', async () => {
    const { decision, outcomes, reason } = await runVerdict([decides(undefined)]);
    expect({ decision, outcomes }).toEqual({ decision: 'deny', outcomes: ['invalid_result'] });
    expect(reason).toContain(
      'expected a decision, or null for no opinion, got nothing: is a return missing?',
    );
  });

  test('an answer counts as it was given, whatever the hook does to it later', async () => {
    const answer: Record<string, unknown> = { decision: 'deny', reason: 'no', context: ['a'] };
    const later = makeHook('before_tool_call', () => {
      answer.decision = 'allow';
      (answer.context as string[]).push('b');
      return null;
    });
    const first = decides({ ...answer, decision: 'ask' });
    expect(await runVerdict([first, later])).toMatchObject({ decision: 'ask', context: ['a'] });
    const shared: Record<string, unknown> = { decision: 'ask' };
    const turns = makeHook('before_tool_call', () => {
      shared.decision = 'allow';
      return null;
    });
    expect(await runVerdict([decides(shared), turns])).toMatchObject({ decision: 'ask' });
  });

  test('a misspelt answer does not let the call pass, and the record says what was meant', async () => {
    const { run, records } = harness();
    expect(await run([decides({ desicion: 'deny' })], sampleCall())).toMatchObject({ decision: 'deny' });
    expect(records[0]).toMatchObject({ outcome: 'invalid_result' });
    expect(records[0]?.why).toBe(
      'expected a decision or null, got an unknown field. Did you mean "decision"?',
    );
  });

  test.each([
    [true, "got a boolean: return { decision: 'deny', reason: '…' }, or null for no opinion"],
    [{ decision: 'block' }, "must be 'allow', 'deny', 'ask' or absent: write 'deny' for 'block'"],
    [{ decision: 'Secret 1234' }, "must be 'allow', 'deny', 'ask' or absent"],
  ])('an answer of another form is told how to be written, without what it said', async (answer, why) => {
    const { run, records } = harness();
    await run([decides(answer)], sampleCall());
    expect(records[0]?.why).toMatch(new RegExp(`${why.replaceAll(/[{}]/g, '\\$&')}$`));
  });

  test('what the model reads of it ends with one mark', async () => {
    const { reason } = await runVerdict([decides({ desicion: 'deny' })]);
    expect(reason).toMatch(/got an unknown field\. Did you mean "decision"\?$/);
    const { reason: other } = await runVerdict([decides(5)]);
    expect(other).toMatch(/[^.?]\.$/);
  });

  const nonsense: Array<[string, () => unknown]> = [
    ['an error', () => new Error('denied!')],
    ['a response', () => new Response('no', { status: 403 })],
    ['a date', () => new Date()],
    ['a map', () => new Map([['decision', 'deny']])],
    ['a set', () => new Set(['deny'])],
    ['a URL', () => new URL('http://localhost')],
    ['a pattern', () => /deny/],
    ['an instance', () => new (class Denied {})()],
    [
      'an instance with a decision',
      () =>
        new (class Allowed {
          decision = 'allow';
        })(),
    ],
    ['what only inherits a decision', () => Object.create({ decision: 'allow' })],
    ['what inherits nothing useful', () => Object.create(Object.create(null))],
    ['a symbol for a field', () => ({ [Symbol('decision')]: 'deny' })],
    ['another realm’s error', () => runInNewContext('new Error()')],
    ['a map as input', () => ({ input: new Map() })],
    ['an input that is no record once it is JSON', () => ({ input: { toJSON: () => undefined } })],
    ['an input that is a text once it is JSON', () => ({ input: { toJSON: () => 'x' } })],
  ];
  test.each(nonsense)('%s is no decision: the call is denied', async (_name, give) => {
    const { run, records } = harness();
    const verdict = (await run([makeHook('before_tool_call', async () => give())], sampleCall())) as Verdict;
    expect(verdict).toMatchObject({ decision: 'deny', subject: sampleCall() });
    expect(records[0]?.outcome).toBe('invalid_result');
  });

  test.each<[string, () => unknown]>([
    ['without a prototype', () => Object.assign(Object.create(null) as object, { decision: 'ask' })],
    ['of another realm', () => runInNewContext('({ decision: "ask" })') as unknown],
    ['frozen', () => Object.freeze({ decision: 'ask' })],
  ])('a plain record %s is a decision', async (_name, give) => {
    expect(await runVerdict([decides(give())])).toMatchObject({ decision: 'ask', outcomes: ['asked'] });
  });

  test('before_stop keeps going by a reason, and ends where its hook fails', async () => {
    const { run, outcomes } = harness();
    const stop = { reason: 'completed', keptGoing: 0 };
    expect(
      await run([makeHook('before_stop', async () => ({ keepGoing: 'tests fail' }))], stop),
    ).toMatchObject({
      decision: 'deny',
      reason: 'tests fail',
    });
    expect(await run([makeHook('before_stop', () => ({ keepGoing: true }))], stop)).toMatchObject({
      decision: null,
    });
    expect(await run([makeHook('before_stop', () => Promise.reject(new Error('x')))], stop)).toMatchObject({
      decision: null,
    });
    expect(outcomes()).toEqual(['denied', 'invalid_result', 'failed']);
  });

  test('before_compaction happens where its hook fails, and has no input to rewrite', async () => {
    const { run, records } = harness();
    const info = { trigger: 'auto', messageCount: 9 };
    expect(
      await run([makeHook('before_compaction', () => Promise.reject(new Error('x')))], info),
    ).toMatchObject({ decision: null });
    expect(await run([makeHook('before_compaction', () => ({ input: 'x' }))], info)).toMatchObject({
      decision: null,
    });
    expect(await run([makeHook('before_compaction', () => ({ decision: 'deny' }))], info)).toMatchObject({
      decision: 'deny',
    });
    expect(records[1]?.why).toBe('this hook has no input that could be rewritten');
  });
});

describe('a decide hook that does not succeed', () => {
  const bad: Array<[string, () => unknown, string]> = [
    ['fails', () => Promise.reject(new Error('secret')), 'failed'],
    ['times out', never, 'timed_out'],
    ['returns nonsense', () => 'deny', 'invalid_result'],
  ];
  const policies: Array<[object, string | null]> = [
    [{}, 'deny'],
    [{ onError: 'block' }, 'deny'],
    [{ onError: 'ask' }, 'ask'],
    [{ onError: 'continue' }, null],
  ];

  test.each(
    bad.flatMap(([how, execute, outcome]) =>
      policies.map(([options, decision]) => ({ how, execute, outcome, options, decision })),
    ),
  )('$how, with $options: $decision', async ({ execute, outcome, options, decision }) => {
    const { run, clock, outcomes } = harness();
    const hook = makeHook('before_tool_call', execute, { timeout: 10, ...options });
    const chain = run([hook, decides(null)], sampleCall());
    await clock.advance(10);
    const verdict = (await chain) as Verdict;
    expect(verdict.decision).toBe(decision);
    expect(verdict.by).toBe(decision === null ? null : hook.id);
    if (decision !== null)
      expect(verdict.reason).toMatch(new RegExp(`^Hook "${hook.id}" \\(before_tool_call\\) `));
    expect(verdict.reason ?? '').not.toContain('secret');
    expect(outcomes()).toEqual([outcome, decision === 'deny' ? 'skipped' : 'ok']);
  });

  test('onTimeout may ask where onError blocks', async () => {
    const { run, clock } = harness();
    const chain = run([makeHook('before_tool_call', never, { timeout: 10, onTimeout: 'ask' })], sampleCall());
    await clock.advance(10);
    expect(await chain).toMatchObject({ decision: 'ask' });
  });
});

describe('a rewritten input', () => {
  test('is shown to the hooks that had decided, and not to the one that made it', async () => {
    const seen: string[] = [];
    const looks = (name: string) =>
      makeHook('before_tool_call', (_state, call: Call) => {
        seen.push(`${name} ${call.function.arguments}`);
        return { decision: 'allow' };
      });
    const { run, records } = harness();
    const doubles = rewrites(({ order = 0 }) => ({ order: order * 2 }));
    const verdict = (await run([looks('a'), doubles, looks('b')], sampleCall())) as Verdict<Call>;
    expect(seen).toEqual(['a {"order":7}', 'b {"order":14}', 'a {"order":14}']);
    expect(verdict.subject.function.arguments).toBe('{"order":14}');
    expect(verdict).toMatchObject({ decision: 'allow', rewrittenBy: [doubles.id] });
    expect(records.map(({ id, outcome, changed }) => [id, outcome, changed])).toEqual([
      [records[0]?.id, 'ok', false],
      [doubles.id, 'changed', true],
      [records[2]?.id, 'ok', false],
      [records[0]?.id, 'ok', false],
    ]);
  });

  test('that equals the input is none', async () => {
    expect(await runVerdict([rewrites((input) => ({ ...input }))])).toMatchObject({
      rewrittenBy: [],
      outcomes: ['ok'],
    });
  });

  test('may be denied by a hook that had allowed the old one', async () => {
    const small = makeHook('before_tool_call', (_state, call: Call) =>
      call.function.arguments.includes('7')
        ? { decision: 'allow' }
        : { decision: 'deny', reason: 'too large' },
    );
    const verdict = await runVerdict([
      small,
      rewrites(() => ({ order: 800 })),
      decides({ decision: 'allow' }),
    ]);
    expect(verdict).toMatchObject({
      decision: 'deny',
      by: small.id,
      reason: 'too large',
      outcomes: ['ok', 'changed', 'ok', 'denied'],
    });
  });

  test('that goes on and on is denied after three rounds, with a reason', async () => {
    const [up, down] = [
      rewrites(({ order = 0 }) => ({ order: order + 1 })),
      rewrites(({ order = 0 }) => ({ order: order + 2 })),
    ];
    const { run, records } = harness();
    const verdict = (await run([up, down], sampleCall())) as Verdict;
    expect(verdict).toMatchObject({ decision: 'deny', by: down.id, rewrittenBy: [up.id, down.id] });
    expect(verdict.reason).toBe(
      `The input was rewritten again and again, last by the hook "${down.id}"; after 3 rounds it is denied.`,
    );
    expect(records).toHaveLength(8);
  });

  test('that settles in the third round stands', async () => {
    const step = (at: number) => rewrites(({ order = 0 }) => ({ order: order === at ? at + 1 : order }));
    const verdict = await runVerdict([step(9), step(8), step(7)]);
    expect(verdict.decision).toBeNull();
    expect((verdict.subject as Call).function.arguments).toBe('{"order":10}');
  });

  test('is checked by the runtime; one that does not fit counts as invalid', async () => {
    const checked: unknown[] = [];
    const checkInput = async (hook: string, subject: unknown, _state: ThreadState) => {
      checked.push([hook, (subject as Call).function.arguments]);
      return (subject as Call).function.arguments.includes('9') ? 'order must be at most 8' : undefined;
    };
    const { run, records } = harness({ checkInput });
    const good = rewrites(() => ({ order: 8 }));
    const bad = rewrites(() => ({ order: 9 }));
    expect(await run([good, decides(null)], sampleCall())).toMatchObject({ decision: null });
    expect(await run([bad], sampleCall())).toMatchObject({
      decision: 'deny',
      subject: sampleCall(),
      rewrittenBy: [],
    });
    expect(checked).toEqual([
      ['before_tool_call', '{"order":8}'],
      ['before_tool_call', '{"order":9}'],
    ]);
    expect(records.at(-1)).toMatchObject({
      outcome: 'invalid_result',
      why: 'the rewritten input does not fit: order must be at most 8',
    });
  });

  test('that cannot be JSON, or is none of what the hook decides on, is refused', async () => {
    const { run, records } = harness();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const input of [circle, { n: 1n }, [1], 5, null]) {
      await run([decides({ input }, { onError: 'continue' })], sampleCall());
    }
    expect(records.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => 'invalid_result'));
    await settled(run([makeHook('before_user_message', () => ({ input: { text: 'x' } }))], sampleMessage()));
    expect(records.at(-1)?.why).toBe('input must be a string: the text of the message');
  });

  test('of a user message is its text, of a permission request the arguments of its call', async () => {
    const { run } = harness();
    expect(
      await run([makeHook('before_user_message', () => ({ input: 'new' }))], sampleMessage()),
    ).toMatchObject({
      subject: { ...sampleMessage(), content: 'new' },
    });
    const request = { toolCall: sampleCall(), reason: 'because' };
    expect(
      await run([makeHook('before_permission_request', () => ({ input: { order: 1 } }))], request),
    ).toMatchObject({
      subject: {
        reason: 'because',
        toolCall: { id: 'c1', function: { name: 'get_order', arguments: '{"order":1}' } },
      },
    });
  });

  test('keeps fields of the call that nobody knows', async () => {
    const { run } = harness();
    const call = { ...sampleCall(), index: { at: 1 } };
    expect(await run([rewrites(() => ({ order: 1 }))], call)).toMatchObject({
      subject: { index: { at: 1 } },
    });
  });
});

describe('a matcher', () => {
  test('that does not want the call passes the hook over, and the record says which clause', async () => {
    const { run, records } = harness();
    const only = (match: string) => makeHook('before_tool_call', () => ({ decision: 'deny' }), { match });
    expect(await run([only('send_mail')], sampleCall())).toMatchObject({ decision: null });
    expect(await run([only('get_*')], sampleCall())).toMatchObject({ decision: 'deny' });
    expect(records.map(({ outcome }) => outcome)).toEqual(['skipped', 'denied']);
    expect(records[0]?.why).toBeTruthy();
  });

  test('is held against the rewritten call', async () => {
    const seven = makeHook('before_tool_call', () => ({ decision: 'deny' }), {
      match: { input: { order: /^8$/ } },
    });
    const eight = { ...sampleCall(), function: { name: 'get_order', arguments: '{"order":"7"}' } };
    const { run, outcomes } = harness();
    expect(await run([seven, rewrites(() => ({ order: '8' }))], eight)).toMatchObject({
      decision: 'deny',
      by: seven.id,
    });
    expect(outcomes()).toEqual(['skipped', 'changed', 'denied']);
  });

  test('on a result sees the call before it', async () => {
    const { run, outcomes } = harness();
    const hook = makeHook('before_store_tool_result', (_state, _call, result) => result, {
      match: 'get_order',
    });
    await run([hook], sampleCall(), { status: 'success', result: 'x' });
    expect(outcomes()).toEqual(['ok']);
  });

  test('that finds no call is an invalid input of a hook that guards', async () => {
    const { run, records } = harness();
    const guard = makeHook('before_store_tool_result', (_state, _call, result) => result, {
      match: 'get_order',
    });
    const result = await run([guard], { name: 'no call' }, { status: 'success', result: 'secret' });
    expect(result).toEqual({ status: 'error', error: expect.stringContaining(`the hook "${guard.id}"`) });
    expect(records).toMatchObject([
      { outcome: 'invalid_input', why: 'the matcher could not be applied to the tool call' },
    ]);
  });

  test('arguments that are no JSON match by name, and never by field', async () => {
    const broken = { ...sampleCall(), function: { name: 'get_order', arguments: '{"order":' } };
    const { run, outcomes } = harness();
    await run([makeHook('before_tool_call', () => null, { match: 'get_order' })], broken);
    await run([makeHook('before_tool_call', () => null, { match: { input: { order: /./ } } })], broken);
    expect(outcomes()).toEqual(['ok', 'skipped']);
  });
});

describe('withheld results', () => {
  test('a blocked result becomes an error result that names the hook, and has nothing of the raw one', async () => {
    const { run, records } = harness();
    const guard = makeHook('before_store_tool_result', () => Promise.reject(new Error('x')));
    const after = makeHook('before_store_tool_result', (_state, _call, result) => result);
    const result = {
      status: 'success',
      result: 'secret',
      stack: 'secret',
      attachments: [{ name: 'secret' }],
    };
    expect(await run([guard, after], sampleCall(), result)).toEqual({
      status: 'error',
      error: `The result of this tool call was withheld, because the hook "${guard.id}" that must see it first did not succeed.`,
    });
    expect(records.map(({ id, outcome, why }) => [id, outcome, why])).toEqual([
      [guard.id, 'failed', records[0]?.why],
      [after.id, 'skipped', `the hook "${guard.id}" had blocked the chain`],
    ]);
  });

  test('a chain that is blocked with no one to take the place names the hook that failed, not the last one', async () => {
    const { run } = harness();
    const fails = makeHook('before_create_message', () => Promise.reject(new Error('x')));
    const last = makeHook('before_create_message', (_state, message) => message);
    const { error } = await settled(run([fails, last, last], sampleMessage()));
    expect(error).toMatchObject({ id: fails.id });
    expect(error?.message).toContain(`Hook "${fails.id}" (before_create_message) failed`);
  });
});

test('what a failing hook gives the model as the reason is not in which file it is; the record says that', async () => {
  const { run, records } = harness();
  const throws = makeHook('before_tool_call', () => {
    throw new TypeError('secret');
  });
  const { reason } = (await run([throws], sampleCall())) as Verdict;
  expect(reason).toBe(`Hook "${throws.id}" (before_tool_call) failed.`);
  expect(records[0]?.why).toMatch(/^TypeError at executor.chain-decide\.test\.ts:\d+:\d+$/);
});
