import { createExecutor, DefinitionError, type HookToolCall, RunError, scopeOf } from '@spec/hooks';
import {
  assistantMessage,
  type FakeState,
  fakeState,
  toolCall,
  toolResult,
  userMessage,
} from '@spec/hooks/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RedactOptions, type Restore, redact } from './index.ts';

type Options = RedactOptions<'redact', Restore>;

/** Runs the hooks of one `redact` as a runtime does. A new one on the same state is a process after a restart. */
function thread(options: Partial<Options> = {}, state: FakeState = fakeState()) {
  const executor = createExecutor();
  const hooks = redact<'redact', Restore>({ restore: 'tools', ...options });
  const scope = scopeOf(hooks.map((hook) => ({ hook, source: 'test' })));
  const decide = async (call: HookToolCall) => executor.run('before_tool_call', scope, state, call);
  return {
    state,
    decide,
    say: async (content: string): Promise<string> =>
      String(
        (await executor.run('before_create_message', scope, state, { ...userMessage(content) })).content,
      ),
    /** The arguments of a call as they are stored. */
    hide: async (input: Record<string, unknown>): Promise<unknown> => {
      const message = assistantMessage(null, { toolCalls: [toolCall('charge', input)] });
      const stored = await executor.run('before_create_message', scope, state, { ...message });
      return JSON.parse(JSON.parse(stored.tool_calls as string)[0].function.arguments);
    },
    answer: async (result: string): Promise<string> =>
      String(
        (
          await executor.run(
            'before_store_tool_result',
            scope,
            state,
            { ...toolCall('t') },
            { ...toolResult(result) },
          )
        ).result,
      ),
    /** The arguments that a tool gets for these. */
    give: async (input: unknown, name: string = 'charge'): Promise<unknown> => {
      const { function: called } = await executor.restore(scope, state, toolCall(name, input as never));
      return JSON.parse(called.arguments);
    },
  };
}

async function refused(promise: Promise<unknown>): Promise<RunError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof RunError) return error;
  throw new Error('expected a RunError');
}

const CARD = '4111 1111 1111 1111';

describe('a tool gets the value behind a placeholder', () => {
  test.each([
    ['alone', { card: '[CARD_1]' }, { card: CARD }],
    ['in a text', { note: 'charge [CARD_1] now' }, { note: `charge ${CARD} now` }],
    [
      'twice in a text, beside another',
      { n: '[CARD_1], [EMAIL_1], [CARD_1]' },
      { n: `${CARD}, anna@example.com, ${CARD}` },
    ],
    ['deep inside', { a: [{ b: { c: ['[EMAIL_1]'] } }] }, { a: [{ b: { c: ['anna@example.com'] } }] }],
    ['as a key', { '[EMAIL_1]': 1 }, { 'anna@example.com': 1 }],
    [
      'in JSON in JSON',
      { body: JSON.stringify({ to: '[EMAIL_1]', inner: JSON.stringify({ pay: 'with [CARD_1]' }) }) },
      { body: JSON.stringify({ to: 'anna@example.com', inner: JSON.stringify({ pay: `with ${CARD}` }) }) },
    ],
  ])('%s', async (_, input, expected) => {
    const { say, give } = thread();
    await say(`${CARD}, anna@example.com`);
    expect(await give(input)).toEqual(expected);
  });

  test('as it was first written', async () => {
    const { say, give } = thread();
    await say('Anna.B@Example.com, or anna.b@example.com');
    expect(await give({ to: '[EMAIL_1]' })).toEqual({ to: 'Anna.B@Example.com' });
  });

  test('as a date that tools can read, where a date of birth is all there is', async () => {
    const { say, give } = thread();
    await say('I was born on April 5, 1990, my son was born on 04/05/2012.');
    expect(
      await give({ a: '[DATE_OF_BIRTH_1]', b: 'born [DATE_OF_BIRTH_1]', c: '[DATE_OF_BIRTH_2]' }),
    ).toEqual({
      a: '1990-04-05',
      b: 'born April 5, 1990',
      c: '04/05/2012',
    });
  });

  test('without the escapes it was written with', async () => {
    const { say, give } = thread();
    await say('see https://x.example/?mail=anna%40example.com');
    expect(await give({ to: '[EMAIL_1]' })).toEqual({ to: 'anna@example.com' });
  });

  test('with quotes and line ends in it, which break no JSON', async () => {
    const { say, give } = thread({ kinds: [], custom: [{ name: 'quote', pattern: /<<[^>]*>>/ }] });
    await say('<<a "b"\n\\c>>');
    const inner = JSON.stringify({ text: '[QUOTE_1]' });
    expect(await give({ inner, text: 'x [QUOTE_1]' })).toEqual({
      inner: JSON.stringify({ text: '<<a "b"\n\\c>>' }),
      text: 'x <<a "b"\n\\c>>',
    });
  });

  test('as a number where it was never anything else', async () => {
    const { answer, give } = thread({ restore: { to: 'tools', from: 'anywhere' } });
    await answer('{"card":4111111111111111}');
    expect(await give({ card: '[CARD_1]', note: 'of [CARD_1]' })).toEqual({
      card: 4111111111111111,
      note: 'of 4111111111111111',
    });
    await answer(`card: ${CARD}`);
    expect(await give({ card: '[CARD_1]' })).toEqual({ card: CARD });
  });

  test('with placeholders of another form', async () => {
    const { say, give } = thread({ placeholder: (label, number) => `<"${label}" ${number}>` });
    await say('anna@example.com');
    expect(await give({ to: 'To <"EMAIL" 1>!' })).toEqual({ to: 'To anna@example.com!' });
  });

  test('only if it is one of those that should', async () => {
    for (const tools of ['send_*|charge', ['send_mail', 'charge'], { tools: ['charge'] }] as const) {
      const { say, give } = thread({ restore: { to: 'tools', tools } });
      await say('anna@example.com');
      expect(await give({ to: '[EMAIL_1]' })).toEqual({ to: 'anna@example.com' });
      expect(await give({ to: '[EMAIL_1]' }, 'post')).toEqual({ to: '[EMAIL_1]' });
    }
  });

  test('and arguments that are no JSON stay as they are', async () => {
    const executor = createExecutor();
    const scope = scopeOf(redact({ restore: 'tools' }).map((hook) => ({ hook, source: 'test' })));
    for (const text of ['', '{"a":', '[EMAIL_1]']) {
      const call = { ...toolCall('t'), function: { name: 't', arguments: text } };
      expect(await executor.restore(scope, fakeState(), call)).toEqual(call);
    }
  });
});

describe('a placeholder that stands for nothing', () => {
  test('stays: the model made it up, or somebody wrote it', async () => {
    const { say, give, decide } = thread();
    await say('What is [EMAIL_3]? I am anna@example.com.');
    const input = { to: '[EMAIL_1] [EMAIL_3] [EMAIL_9] [PHONE_1] [ORDER_1] [EMAIL_123456]' };
    expect(await give(input)).toEqual(input);
    expect((await decide(toolCall('t', input))).decision).toBeNull();
    expect(await give({ to: '[EMAIL_4]' })).toEqual({ to: 'anna@example.com' });
  });

  test('stays also after a restart', async () => {
    const { say, state } = thread();
    await say('[EMAIL_1] [EMAIL_2], bob@example.com, [EMAIL_5]');
    const { give } = thread({}, state);
    expect(await give({ to: '[EMAIL_1] [EMAIL_5] [EMAIL_7]' })).toEqual({
      to: '[EMAIL_1] [EMAIL_5] [EMAIL_7]',
    });
    expect((await refused(give({ to: '[EMAIL_6]' }))).code).toBe('value_lost');
  });
});

describe('a value that is lost', () => {
  test('after a restart without a key, fails the call, before anybody is asked', async () => {
    const { say, state } = thread();
    await say(`${CARD}, anna@example.com`);
    const { decide, give } = thread({}, state);
    const call = { to: '[EMAIL_1]', cards: ['[CARD_1]', '[CARD_1]'] };
    expect(await decide(toolCall('t', call))).toMatchObject({
      decision: 'deny',
      by: 'redact_tool_input',
      reason: expect.stringMatching(/^What \[EMAIL_1\], \[CARD_1\] stands for is no longer known/),
    });
    const { code, message } = await refused(give(call));
    expect(code).toBe('value_lost');
    expect(message).toBe(
      'The tool was not run, because its arguments could not be restored. Hook "redact_tool_input" (before_tool_call) failed: the value behind a placeholder is no longer known.',
    );
  });

  test('is there again under a new placeholder once it is said again', async () => {
    const { say, state } = thread();
    await say('anna@example.com');
    const { say: sayAgain, give } = thread({}, state);
    expect(await sayAgain('anna@example.com')).toBe('[EMAIL_2]');
    expect(await give({ to: '[EMAIL_2]' })).toEqual({ to: 'anna@example.com' });
  });

  test('is there again under its own where its hash was kept', async () => {
    const key = 'a secret of the operator';
    const { say, state } = thread({ key });
    await say('anna@example.com');
    const { say: sayAgain, give } = thread({ key }, state);
    expect((await refused(give({ to: '[EMAIL_1]' }))).code).toBe('value_lost');
    expect(await sayAgain('anna@example.com')).toBe('[EMAIL_1]');
    expect(await give({ to: '[EMAIL_1]' })).toEqual({ to: 'anna@example.com' });
  });

  test('was met before values were kept', async () => {
    const executor = createExecutor();
    const scope = scopeOf(redact().map((hook) => ({ hook, source: 'test' })));
    const state = fakeState();
    await executor.run('before_create_message', scope, state, { ...userMessage('anna@example.com') });
    expect((await refused(thread({}, state).give({ to: '[EMAIL_1]' }))).code).toBe('value_lost');
  });
});

describe('what a tool was given', () => {
  test('gets the same placeholder when the tool says it, also where no detector would find it', async () => {
    const { say, give, answer } = thread();
    expect(await say('my password is hunter2.')).toBe('my password is [SECRET_1].');
    expect(await answer('hunter2 is a word')).toBe('hunter2 is a word');
    await give({ password: '[SECRET_1]' });
    expect(await answer('logged in with "hunter2"')).toBe('logged in with "[SECRET_1]"');
    expect(await answer('{"echo":["hunter2"],"b":"hunter22"}')).toBe(
      '{"echo":["[SECRET_1]"],"b":"[SECRET_1]2"}',
    );
    expect(await say('was it hunter2?')).toBe('was it [SECRET_1]?');
  });

  test('also in a text that was looked at before', async () => {
    const { say, give, answer } = thread();
    const long = `hunter2 ${'is a word, and '.repeat(10)}`;
    await say('my password is hunter2.');
    expect(await answer(long)).toBe(long);
    await give({ password: '[SECRET_1]' });
    expect(await answer(long)).toBe(long.replace('hunter2', '[SECRET_1]'));
  });

  test('also as a number, and shorter than anything else that is looked for', async () => {
    const { say, give, answer } = thread();
    await say('pin: 7391');
    await give({ pin: '[SECRET_1]' });
    expect(await answer('{"pins":[7391,73910]}')).toBe('{"pins":["[SECRET_1]",73910]}');
  });

  test('is still known after a restart with a key', async () => {
    const restore = { to: 'tools', key: new Uint8Array(32) } as const;
    const { say, give, state } = thread({ restore });
    await say('my password is hunter2.');
    await give({ password: '[SECRET_1]' });
    expect(await thread({ restore }, state).answer('hunter2!')).toBe('[SECRET_1]!');
  });
});

describe('values kept under a key', () => {
  const key = new Uint8Array(32).fill(7);
  const restore = { to: 'tools', key } as const;

  test('are put back after a restart, and keep their placeholders', async () => {
    const { say, state } = thread({ restore });
    await say(`${CARD}, anna@example.com, born April 5, 1990`);
    const { say: sayAgain, give } = thread({ restore }, state);
    expect(await give({ a: '[CARD_1] [EMAIL_1] [DATE_OF_BIRTH_1]' })).toEqual({
      a: `${CARD} anna@example.com April 5, 1990`,
    });
    expect(await sayAgain('anna@example.com on 1990-04-05, bob@example.com')).toBe(
      '[EMAIL_1] on [DATE_OF_BIRTH_1], [EMAIL_2]',
    );
  });

  test('are nowhere in what is kept', async () => {
    const { say, give, state } = thread({ restore, key: 'for hashes, 16 or more' });
    await say(`${CARD}, anna@example.com`);
    await give({ a: '[CARD_1]' });
    const kept = JSON.stringify(state.values);
    expect(Object.keys(state.values).toSorted()).toEqual(['redact', 'redact_marks', 'redact_values_0']);
    for (const value of [CARD, '41111111', 'anna', 'example']) expect(kept).not.toContain(value);
  });

  test('are many, over many blocks', async () => {
    const { say, state } = thread({ restore });
    for (let start = 0; start < 200; start += 50)
      await say(Array.from({ length: 50 }, (_, index) => `user${start + index}@example.com`).join(' '));
    expect(Object.keys(state.values)).toContain('redact_values_3');
    const { give } = thread({ restore }, state);
    expect(await give({ a: '[EMAIL_1] [EMAIL_65] [EMAIL_200]' })).toEqual({
      a: 'user0@example.com user64@example.com user199@example.com',
    });
  });

  test('fail everything under another key, saying so, and lose nothing by it', async () => {
    const { say, state } = thread({ restore });
    await say('anna@example.com');
    const before = structuredClone(state.values);
    const wrong = thread({ restore: { to: 'tools', key: new Uint8Array(32).fill(8) } }, state);
    for (const attempt of [() => wrong.say('bob@example.com'), () => wrong.give({ to: '[EMAIL_1]' })]) {
      const { message } = await refused(attempt());
      expect(message).toContain('it was encrypted under another key, or changed');
      expect(message).not.toContain('anna');
    }
    expect(state.values).toEqual(before);
    expect(await thread({ restore }, state).give({ to: '[EMAIL_1]' })).toEqual({ to: 'anna@example.com' });
  });

  test('go over to a new key, all of them, with the first new one', async () => {
    const next = new Uint8Array(32).fill(8);
    const { say, state } = thread({ restore });
    await say(Array.from({ length: 70 }, (_, index) => `user${index}@example.com`).join(' '));
    const rotating = thread({ restore: { to: 'tools', key: [next, key] } }, state);
    expect(await rotating.say('bob@example.com')).toBe('[EMAIL_71]');
    const rotated = thread({ restore: { to: 'tools', key: next } }, state);
    expect(await rotated.give({ a: '[EMAIL_1] [EMAIL_70] [EMAIL_71]' })).toEqual({
      a: 'user0@example.com user69@example.com bob@example.com',
    });
  });

  test('of another thread are none of this one', async () => {
    const { say, state } = thread({ restore });
    await say('anna@example.com');
    const moved = fakeState({ values: state.values });
    expect((await refused(thread({ restore }, moved).give({ to: '[EMAIL_1]' }))).message).toContain(
      'another key, or changed',
    );
  });

  test('are kept before the number that stands for them is handed out, also where that fails', async () => {
    const state = fakeState();
    const { setValuesIf } = state;
    const { say } = thread({ restore }, state);
    state.setValuesIf = async () => {
      throw new Error('the process died');
    };
    await refused(say('anna@example.com'));
    state.setValuesIf = setValuesIf;
    const after = thread({ restore }, state);
    expect(await after.say('bob@example.com')).toBe('[EMAIL_1]');
    const later = thread({ restore }, state);
    expect(await later.give({ to: '[EMAIL_1]' })).toEqual({ to: 'bob@example.com' });
    expect(await later.say('anna@example.com')).toBe('[EMAIL_2]');
  });
});

describe('a child thread', () => {
  test('shares the placeholders of its parent, and adds no other meaning to them', async () => {
    const child = fakeState();
    const parent = fakeState({ children: [child] });
    const hooks = redact({ restore: 'tools' });
    const executor = createExecutor();
    const scope = scopeOf(hooks.map((hook) => ({ hook, source: 'test' })));
    const say = async (state: FakeState, text: string): Promise<unknown> =>
      (await executor.run('before_create_message', scope, state, { ...userMessage(text) })).content;
    const give = async (state: FakeState, text: string): Promise<string> =>
      (await executor.restore(scope, state, toolCall('t', { text }))).function.arguments;

    await say(parent, 'anna@example.com');
    expect(await say(child, 'write to [EMAIL_1], copy to bob@example.com')).toBe(
      'write to [EMAIL_1], copy to [EMAIL_2]',
    );
    expect(await say(parent, 'carl@example.com, bob@example.com')).toBe('[EMAIL_3], [EMAIL_2]');
    for (const state of [parent, child])
      expect(await give(state, '[EMAIL_1] [EMAIL_2]')).toBe('{"text":"anna@example.com bob@example.com"}');
    expect(Object.keys(child.values)).toEqual([]);
    expect(Object.keys(parent.values)).toEqual(['redact']);
  });
});

test('two that restore side by side each put back their own', async () => {
  const pci = redact({ id: 'pci', kinds: ['card'], restore: 'tools' });
  const mail = redact({ id: 'mail', kinds: ['email'], restore: 'tools' });
  const executor = createExecutor();
  const scope = scopeOf([...pci, ...mail].map((hook) => ({ hook, source: 'test' })));
  const state = fakeState();
  await executor.run('before_create_message', scope, state, { ...userMessage(`${CARD} anna@example.com`) });
  const { function: called } = await executor.restore(
    scope,
    state,
    toolCall('t', { a: '[CARD_1] [EMAIL_1]' }),
  );
  expect(called.arguments).toBe(`{"a":"${CARD} anna@example.com"}`);
});

describe('letters in mathematical styles', () => {
  test.each([
    { PW: '𝐀' },
    { password: '𝐇𝐮𝐧𝐭er2𝟐!' },
    { '': '{"pw":"𝒂𝓫c𝟗"}' },
    { note: 'my password: 𝐇𝐮𝐧𝐭er2𝟐!x' },
  ])('a tool gets %j as it was written', async (given) => {
    const { hide, give } = thread();
    const hidden = await hide(given);
    expect(hidden).not.toEqual(given);
    expect(await give(hidden)).toEqual(given);
  });

  test.each(['𝐇𝐮𝐧𝐭er2𝟐!', 'Hunter22!'])(
    'what a tool answers in plain letters or not is found: %s',
    async (said) => {
      const { hide, give, answer } = thread();
      await give(await hide({ password: '𝐇𝐮𝐧𝐭er2𝟐!' }));
      expect(await answer(`got ${said}, thanks`)).toBe('got [SECRET_1], thanks');
    },
  );
});

describe('whatever the arguments of a call', () => {
  const value = fc.constantFrom(
    CARD,
    '5555555555554444',
    'anna@example.com',
    'bob+x@mail.example.org',
    '+1 415 555 2671',
    'sk_live_51H8xQ2abcdefghijklmnop',
  );
  // A digit beside a telephone number is another spelling of it, and only the first one of a value is kept.
  const other = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((word) => !/\p{N}/u.test(word));
  const word = fc.oneof(value, other);
  const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
  const leaf = fc.oneof(
    text,
    value,
    fc.nat(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(4012888888881881),
  );
  const key = fc.oneof(
    fc.string({ maxLength: 8 }).filter((name) => name !== '__proto__'),
    value,
  );
  const { input } = fc.letrec<{ input: Record<string, unknown>; node: unknown }>((tie) => ({
    input: fc.dictionary(key, tie('node'), { maxKeys: 4, noNullPrototype: true }),
    node: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('node'), { maxLength: 3 }),
      tie('input'),
      tie('input').map((nested) => JSON.stringify(nested)),
    ),
  }));

  test('restored after they were redacted, they are what they were', { timeout: 30_000 }, async () => {
    let hiddenOnes = 0;
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const { hide, give } = thread();
        const hidden = await hide(given);
        expect(JSON.stringify(hidden)).not.toMatch(/4111 1111|@example|sk_live|4012888888881881/);
        expect(await give(hidden)).toEqual(given);
        if (JSON.stringify(hidden) !== JSON.stringify(given)) hiddenOnes++;
      }),
      { numRuns: 150 },
    );
    expect(hiddenOnes).toBeGreaterThan(40);
  });
});

describe('options that are none are refused, naming the option', () => {
  test.each([
    ['agents', /restore must be 'tools'/],
    [{ tools: 'a' }, /restore must be 'tools'/],
    [{ to: 'tools', tool: 'a' }, /no option "tool"\. Did you mean "tools"/],
    [{ to: 'tools', key: 'short' }, /restore\.key must be 32 random bytes/],
    [{ to: 'tools', key: new Uint8Array(16) }, /restore\.key/],
    [{ to: 'tools', key: [] }, /restore\.key/],
    [{ to: 'tools', tools: '/(/' }, /redact_tool_input/],
  ])('%j', (restore, message) => {
    expect(() => redact({ restore: restore as never })).toThrow(DefinitionError);
    expect(() => redact({ restore: restore as never })).toThrow(message);
  });
});
