import { Buffer } from 'node:buffer';
import { type AnyHook, createExecutor, DefinitionError, type LLMMessage, scopeOf } from '@spec/hooks';
import {
  assistantMessage,
  type FakeState,
  fakeState,
  runHook,
  toolCall,
  toolMessage,
  toolResult,
  userMessage,
} from '@spec/hooks/testing';
import { describe, expect, test } from 'vitest';
import { type RedactHooks, type RedactOptions, redact } from './index.ts';

type Fields = Record<string, unknown>;

/** Runs the hooks of one `redact` on one thread, as a runtime does: one executor, one scope. */
function thread(hooks: RedactHooks<string> = redact(), state: FakeState = fakeState()) {
  const executor = createExecutor();
  const scope = scopeOf(hooks.map((hook) => ({ hook: hook as AnyHook, source: 'test' })));
  return {
    state,
    create: async (fields: Fields) => executor.run('before_create_message', scope, state, fields),
    update: async (fields: Fields) =>
      executor.run('before_update_message', scope, state, 'message_1', fields),
    store: async (fields: Fields) =>
      executor.run('before_store_tool_result', scope, state, { ...toolCall('find') }, fields),
    system: async (text: string) => executor.run('after_system_message', scope, state, text),
    history: async (messages: LLMMessage[]) => executor.run('prefilter_llm_history', scope, state, messages),
  };
}

const say = (content: string): Fields => ({ ...userMessage(content) });

test('of the files of a message those that are text are redacted; what is no text, and where files lie, stays', async () => {
  const { create } = thread();
  const image = { name: 'a.png', mimeType: 'image/png', data: btoa('anna@example.com') };
  const stored = { type: 'file', path: 'attachments/anna@example.com', name: 'a', mimeType: 'a/b', size: 7 };
  const text = { name: 'anna@example.com.txt', mimeType: 'text/plain', data: btoa('bob@example.com') };
  const given = { ...say('Hi'), attachments: [image, stored, text] };
  expect((await create(given)).attachments).toEqual([
    image,
    stored,
    { name: '[EMAIL_2]', mimeType: 'text/plain', data: btoa('[EMAIL_1]') },
  ]);
});

describe('a message before it is stored', () => {
  test('loses what was found from content, name, metadata and fields of any name', async () => {
    const { create } = thread();
    const given = {
      ...userMessage('I am anna@example.com'),
      name: 'anna@example.com',
      metadata: JSON.stringify({ from: 'anna@example.com' }),
      extra: { list: ['anna@example.com', { card: 4111111111111111 }] },
      'bob@example.com': true,
    };
    expect(await create(given)).toEqual({
      ...userMessage('I am [EMAIL_1]', { id: given.id, created_at: given.created_at }),
      name: '[EMAIL_1]',
      metadata: '{"from":"[EMAIL_1]"}',
      extra: { list: ['[EMAIL_1]', { card: '[CARD_1]' }] },
      '[EMAIL_2]': true,
    });
  });

  test('keeps its identity, whatever it looks like', async () => {
    const { create } = thread();
    const given = {
      id: '4111111111111111',
      role: 'tool',
      tool_call_id: 'a@b.com',
      parent_id: '415-555-2671',
      name: 'x@y.com',
      content: 'x@y.com',
    };
    expect(await create(given)).toEqual({ ...given, content: '[EMAIL_1]' });
  });

  test('keeps the ids and names of its tool calls, not their arguments', async () => {
    const { create } = thread();
    const call = toolCall(
      'send_to@example.com',
      { to: 'anna@example.com', dob: '1990-04-05' },
      { id: 'call@example.com' },
    );
    const sent = await create({ ...assistantMessage(null, { toolCalls: [call] }) });
    const { id, type, function: called } = JSON.parse(sent.tool_calls as string)[0];
    expect([id, type, called.name]).toEqual([call.id, 'function', 'send_to@example.com']);
    expect(JSON.parse(called.arguments)).toEqual({ to: '[EMAIL_1]', dob: '[DATE_OF_BIRTH_1]' });
  });

  test('without a finding is stored as it was given', async () => {
    const { create, state } = thread();
    const given = {
      ...assistantMessage('All fine, flight HAT193 on 2024-05-20.', {
        toolCalls: [toolCall('get', { id: 'NO6JO3' })],
      }),
    };
    expect(await create(given)).toEqual(given);
    expect(state.values).toEqual({});
  });

  test('loses a date of birth also where it stands before it is called one', async () => {
    const { create } = thread();
    const given = {
      ...say('{"note":"Kevin, 2001-04-12","dob":"April 12, 2001"}'),
      note: 'Kevin, 2001-04-12',
    };
    const stored = await create(given);
    expect(stored.content).toBe('{"note":"Kevin, [DATE_OF_BIRTH_1]","dob":"[DATE_OF_BIRTH_1]"}');
    expect(stored.note).toBe('Kevin, [DATE_OF_BIRTH_1]');
  });

  test('that answers a question for a date of birth gives it away in no form', async () => {
    const { create } = thread();
    await create({ ...assistantMessage('Please tell me your date of birth.') });
    expect((await create(say('Sure: 04/05/1990'))).content).toBe('Sure: [DATE_OF_BIRTH_1]');
    expect((await create(say('and I fly on 05/04/2024'))).content).toBe('and I fly on 05/04/2024');
  });
});

describe('everything else that is stored or sent', () => {
  test('an edit', async () => {
    const { create, update } = thread();
    await create(say('anna@example.com'));
    expect(await update({ content: 'bob@example.com and ANNA@example.com' })).toEqual({
      content: '[EMAIL_2] and [EMAIL_1]',
    });
  });

  test("a tool's result, its error and its stack", async () => {
    const { store } = thread();
    expect(await store({ ...toolResult('{"email":"anna@example.com"}') })).toEqual({
      status: 'success',
      result: '{"email":"[EMAIL_1]"}',
    });
    expect(
      await store({ status: 'error', error: 'no anna@example.com', stack: 'at anna@example.com' }),
    ).toEqual({
      status: 'error',
      error: 'no [EMAIL_1]',
      stack: 'at [EMAIL_1]',
    });
  });

  test("a tool's files, where they are text; a reference keeps its path", async () => {
    const { store } = thread();
    const csv = Buffer.from('anna@example.com').toString('base64');
    const png = Buffer.from('anna@example.com').toString('base64');
    const result = await store({
      ...toolResult('done'),
      attachments: [
        { name: 'anna@example.com', mimeType: 'text/csv', data: csv },
        { name: 'a.png', mimeType: 'image/png', data: png },
        {
          type: 'file',
          path: '/anna@example.com/a',
          name: 'of anna@example.com',
          mimeType: 'text/plain',
          size: 3,
        },
      ],
    });
    expect(result.attachments).toEqual([
      {
        name: '[EMAIL_1]',
        mimeType: 'text/csv',
        data: Buffer.from('[EMAIL_1]').toString('base64'),
      },
      { name: 'a.png', mimeType: 'image/png', data: png },
      { type: 'file', path: '/anna@example.com/a', name: 'of [EMAIL_1]', mimeType: 'text/plain', size: 3 },
    ]);
  });

  test('the system message', async () => {
    const { system } = thread();
    expect(await system('Escalate to ada@example.com.')).toBe('Escalate to [EMAIL_1].');
  });

  test('what the model is sent, also what was stored before the hook was there', async () => {
    const { history } = thread();
    const call = toolCall('find', { email: 'anna@example.com' });
    const sent = await history([
      { role: 'user', content: 'I am anna@example.com' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', content: '{"dob":"1990-04-05"}', tool_call_id: call.id },
      { role: 'assistant', content: 'Born April 5, 1990.' },
    ]);
    expect(sent).toEqual([
      { role: 'user', content: 'I am [EMAIL_1]' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ ...call, function: { name: 'find', arguments: '{"email":"[EMAIL_1]"}' } }],
      },
      { role: 'tool', content: '{"dob":"[DATE_OF_BIRTH_1]"}', tool_call_id: call.id },
      { role: 'assistant', content: 'Born [DATE_OF_BIRTH_1].' },
    ]);
  });

  test('a long text that was clean is searched again once a date of birth in it is known', async () => {
    const { history, create } = thread();
    const early = {
      role: 'user',
      content: `Kevin Smith, April 12, 2001, wants to fly${' and fly'.repeat(20)}.`,
    };
    expect(await history([early])).toEqual([early]);
    await create(say('His date of birth is 2001-04-12.'));
    expect((await history([early]))[0]?.content).toContain('Smith, [DATE_OF_BIRTH_1], wants');
  });
});

describe('placeholders', () => {
  test('are the same for a value everywhere in a thread, and begin anew in another', async () => {
    const hooks = redact();
    const one = thread(hooks);
    const other = thread(hooks);
    expect((await one.create(say('anna@example.com bob@example.com'))).content).toBe('[EMAIL_1] [EMAIL_2]');
    expect((await one.store({ ...toolResult('Bob@Example.com') })).result).toBe('[EMAIL_2]');
    expect((await other.create(say('bob@example.com'))).content).toBe('[EMAIL_1]');
  });

  test('numbers are never given twice, also after a restart, and no value is kept', async () => {
    const state = fakeState();
    await thread(redact(), state).create(say('anna@example.com, 4111111111111111, DOB 1990-04-05'));
    expect(JSON.stringify(state.values)).not.toMatch(/anna|41111111|1990-04/);
    expect(state.values.redact).toMatchObject({ counters: { EMAIL: 1, CARD: 1, DATE_OF_BIRTH: 1 } });
    const restarted = thread(redact(), state);
    expect((await restarted.create(say('bob@example.com'))).content).toBe('[EMAIL_2]');
    expect((await restarted.create(say('anna@example.com'))).content).toBe('[EMAIL_3]');
  });

  test('stay the same across restarts with a key, and known dates of birth stay known', async () => {
    const state = fakeState();
    const key = 'a secret of the operator';
    await thread(redact({ key }), state).create(say('anna@example.com, DOB 1990-04-05'));
    expect(JSON.stringify(state.values)).not.toMatch(/anna|1990-04/);
    const restarted = thread(redact({ key }), state);
    expect((await restarted.create(say('bob@example.com anna@example.com April 5, 1990'))).content).toBe(
      '[EMAIL_2] [EMAIL_1] [DATE_OF_BIRTH_1]',
    );
    const withAnotherKey = thread(redact({ key: 'another secret altogether' }), state);
    expect((await withAnotherKey.create(say('anna@example.com'))).content).toBe('[EMAIL_3]');
  });

  test('another process that took the thread over and gave it back has its numbers respected', async () => {
    const state = fakeState();
    const here = thread(redact(), state);
    await here.create(say('anna@example.com'));
    await thread(redact(), state).create(say('bob@example.com'));
    expect((await here.create(say('carl@example.com'))).content).toBe('[EMAIL_3]');
  });

  test('a value that many runs meet at once gets one number', async () => {
    const state = fakeState();
    const { create } = thread(redact(), state);
    const contents = Array.from(
      { length: 30 },
      (_, index) => `anna@example.com and user${index % 5}@example.com`,
    );
    const stored = await Promise.all(contents.map((content) => create(say(content))));
    const numbers = new Map<string, Set<string>>();
    for (const [index, { content }] of stored.entries()) {
      const [first, second] = String(content).match(/\[EMAIL_\d+\]/g) ?? [];
      for (const [value, placeholder] of [
        ['anna', first],
        [`user${index % 5}`, second],
      ] as const) {
        numbers.set(value, (numbers.get(value) ?? new Set()).add(String(placeholder)));
      }
    }
    expect([...numbers.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(new Set([...numbers.values()].flatMap((placeholders) => [...placeholders])).size).toBe(6);
    expect(state.values.redact).toMatchObject({ counters: { EMAIL: 6 } });
  });

  test('the counters are written only when a value is new', async () => {
    const state = fakeState();
    let writes = 0;
    const { setValuesIf } = state;
    state.setValuesIf = (...given) => {
      writes++;
      return setValuesIf(...given);
    };
    const { create } = thread(redact(), state);
    await create(say('hello'));
    expect(writes).toBe(0);
    await create(say('anna@example.com'));
    await create(say('anna@example.com'));
    expect(writes).toBe(1);
  });

  test('forgetting the oldest threads costs them their placeholders, never a number', async () => {
    const hooks = redact({ maxThreads: 1 });
    const one = thread(hooks);
    await one.create(say('anna@example.com'));
    await thread(hooks).create(say('bob@example.com'));
    expect((await one.create(say('carl@example.com anna@example.com'))).content).toBe('[EMAIL_2] [EMAIL_3]');
  });

  test('two instances side by side keep their own counters and respect what stands there', async () => {
    const state = fakeState();
    const mails = thread(redact({ id: 'mails', kinds: ['email'] }), state);
    const cards = thread(redact({ id: 'cards', kinds: ['card'] }), state);
    const first = await mails.create(say('anna@example.com 4111111111111111'));
    expect((await cards.create(first)).content).toBe('[EMAIL_1] [CARD_1]');
    expect(Object.keys(state.values)).toEqual(['mails', 'cards']);
  });
});

describe('in several processes', () => {
  const key = 'a key for the tests of redact';

  test.each([{}, { key }])(
    'with %j no placeholder stands for two values, and nothing is lost',
    async (options) => {
      const state = fakeState();
      const processes = [1, 2, 3].map(() => thread(redact(options), state));
      const owners = new Map<string, Set<string>>();
      const values = Array.from({ length: 10 }, (_, index) => `user${index}@example.com`);
      const create = async (process: number, position: number): Promise<void> => {
        const value = values[(position + 3 * process) % values.length] as string;
        const { content } = await (processes[process] as (typeof processes)[0]).create(say(value));
        owners.set(String(content), (owners.get(String(content)) ?? new Set()).add(value));
      };
      for (let round = 0; round < 2; round++)
        await Promise.all(
          values.flatMap((_, position) => [0, 1, 2].map((process) => create(process, position))),
        );
      expect([...owners.values()].map(({ size }) => size)).toEqual([...owners].map(() => 1));
      expect(owners.size).toBe(options.key === undefined ? 30 : 10);
    },
  );

  test('an answer to a question for a date of birth is one, also where another process was faster', async () => {
    const state = fakeState();
    const { create } = thread(redact(), state);
    await create({ role: 'assistant', content: 'What is your date of birth?' });
    const { setValuesIf } = state;
    state.setValuesIf = async (...given) => {
      state.setValuesIf = setValuesIf;
      await thread(redact(), state).create(say('anna@example.com'));
      return setValuesIf(...given);
    };
    const { content } = await create(say('April 5, 1990, bob@example.com'));
    expect(content).toBe('[DATE_OF_BIRTH_1], [EMAIL_2]');
  });

  test('one that asked the others to wait and died holds nobody up for good', async () => {
    const state = fakeState();
    await thread(redact(), state).create(say('anna@example.com'));
    await state.setValue('redact', { ...(state.values.redact as object), claim: 'dead 0' });
    const { create } = thread(redact(), state);
    expect((await create(say('bob@example.com'))).content).toBe('[EMAIL_2]');
    expect(state.values.redact).not.toHaveProperty('claim');
  });

  test('one that never gets ahead says so', async () => {
    const state = fakeState();
    state.setValuesIf = async () => false;
    const { create } = thread(redact(), state);
    await expect(create(say('anna@example.com'))).rejects.toMatchObject({
      code: 'hook_failed',
      message: expect.stringContaining('thread_busy'),
    });
  });

  test('a thread made anew under the id of one that was deleted has none of its placeholders', async () => {
    const hooks = redact();
    const state = fakeState();
    const { create } = thread(hooks, state);
    await create(say('anna@example.com bob@example.com'));
    await state.setValue('redact', undefined);
    await thread(redact(), state).create(say('carl@example.com'));
    expect((await create(say('anna@example.com'))).content).toBe('[EMAIL_2]');
  });
});

describe('when something goes wrong', () => {
  const broken: RedactOptions = {
    custom: [
      {
        name: 'bad',
        pattern: () => {
          throw new Error('cannot read anna@example.com');
        },
      },
    ],
  };

  test('a detector that throws blocks, and the error does not quote', async () => {
    const [message] = redact(broken);
    const { error, run } = await runHook(message, say('I am anna@example.com'));
    expect(error).toMatchObject({ code: 'hook_failed', id: 'redact_message' });
    expect(error?.message).not.toContain('anna@');
    expect(run.outcome).toBe('failed');
  });

  test('a result is withheld, the history and the system message stop the step', async () => {
    const [, , result, system, history] = redact(broken);
    const stored = await runHook(result, { ...toolCall('find') }, { ...toolResult('anna@example.com') });
    expect(stored.result).toMatchObject({ status: 'error' });
    expect(JSON.stringify(stored.result)).not.toContain('anna@');
    expect((await runHook(system, 'I am anna@example.com')).error?.code).toBe('hook_failed');
    expect((await runHook(history, [{ role: 'user', content: 'I am anna@example.com' }])).error?.code).toBe(
      'hook_failed',
    );
  });

  test('a message is not stored whose number could not be kept, and the next one is', async () => {
    const state = fakeState();
    const { setValuesIf } = state;
    const { create } = thread(redact(), state);
    state.setValuesIf = async () => {
      throw new Error('disk full');
    };
    await expect(create(say('anna@example.com'))).rejects.toMatchObject({ code: 'hook_failed' });
    state.setValuesIf = setValuesIf;
    expect((await create(say('bob@example.com'))).content).toBe('[EMAIL_2]');
    expect(state.values.redact).toMatchObject({ counters: { EMAIL: 2 } });
  });

  test("a foreign value under the thread's key blocks instead of counting anew", async () => {
    const state = fakeState({ values: { redact: 'something else' } });
    const [message] = redact();
    const { error, thrown } = await runHook.with({ state })(message, say('anna@example.com'));
    expect(error?.code).toBe('hook_failed');
    expect((thrown as Error).message).toContain('value "redact" is not what redact keeps there');
  });
});

describe('options', () => {
  test('ids follow the prefix', () => {
    expect(redact().map(({ id }) => id)).toEqual([
      'redact_message',
      'redact_update',
      'redact_tool_result',
      'redact_system_message',
      'redact_history',
    ]);
    expect(redact({ id: 'pci' }).map(({ id }) => id)[0]).toBe('pci_message');
  });

  test('a function of a custom pattern that gives no ranges fails the hook, and nothing is stored', async () => {
    for (const ranges of [[[2, 4]], [{ start: 4, end: 2 }], [{ start: 0, end: 99 }], [null]]) {
      const { create } = thread(redact({ custom: [{ name: 'mine', pattern: () => ranges as never }] }));
      await expect(create({ role: 'user', content: 'some text' } as never)).rejects.toThrow();
    }
  });

  test('only the kinds that are on', async () => {
    const { create } = thread(redact({ kinds: ['card'] }));
    expect((await create(say('anna@example.com 4111111111111111'))).content).toBe(
      'anna@example.com [CARD_1]',
    );
  });

  test('what is allowed stays', async () => {
    const { create } = thread(redact({ allow: ['help@example.com', /@ourselves\.example$/] }));
    expect((await create(say('help@example.com, ada@ourselves.example, anna@example.com'))).content).toBe(
      'help@example.com, ada@ourselves.example, [EMAIL_1]',
    );
  });

  test('outside the United States the day comes first', async () => {
    const { create } = thread(redact({ defaultCountry: 'DE' }));
    expect((await create(say('geboren am 04.05.1990, Tel. 030 901820'))).content).toBe(
      'geboren am [DATE_OF_BIRTH_1], Tel. [PHONE_1]',
    );
    expect((await create(say('4. Mai 1990'))).content).toBe('[DATE_OF_BIRTH_1]');
  });

  test.each([
    [{ kinds: ['cards'] }, /kinds must be a list of .*; got "cards"\./],
    [{ kinds: [] }, /kinds must be a list of .*; got nothing, so nothing would be redacted\./],
    [
      { kinds: ['cards'] },
      /kinds must be a list of 'secret', 'card', 'iban', 'email', 'date_of_birth', 'phone', 'national_id'; got/,
    ],
    [{ defaultCountry: 'Germany' }, /defaultCountry must be an ISO 3166 code/],
    [{ maxThreads: 0 }, /maxThreads must be a whole number/],
    [{ key: 'short' }, /key must be a secret of at least 16 characters/],
    [{ allow: [42] }, /allow must be a list of texts and regular expressions/],
    [{ custom: [{ name: 'email', pattern: /x/ }] }, /two kinds have the label EMAIL/],
    [{ id: 'My-Redact' }, /hook id must be snake_case/i],
  ])('%o is refused', (options, message) => {
    expect(() => redact(options as never)).toThrow(DefinitionError);
    expect(() => redact(options as never)).toThrow(message);
  });
});

test('a tool message as it is stored keeps what ties it to its call', async () => {
  const { create } = thread();
  const call = toolCall('get_user_details', { user_id: 'mia_li_3668' });
  const given = { ...toolMessage(call, '{"email": "mia.li3818@example.com", "dob": "1990-04-05"}') };
  expect(await create(given)).toEqual({
    ...given,
    content: '{"email": "[EMAIL_1]", "dob": "[DATE_OF_BIRTH_1]"}',
  });
});
