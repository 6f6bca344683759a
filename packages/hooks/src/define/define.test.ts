import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DefinitionError } from '../errors.ts';
import { type AnyHook, defineHook, isHook } from './define.ts';

const good = {
  hook: 'before_create_message',
  id: 'mark',
  execute: async (_state: unknown, message: object) => message,
};

/** The message with which a definition is refused. */
function refusal(options: unknown): string {
  try {
    defineHook(options as never);
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return `${(error as DefinitionError).code}: ${(error as DefinitionError).message}`;
  }
  throw new Error('it was not refused');
}

const change = (other: object): string => refusal({ ...good, ...other });

describe('a definition is refused', () => {
  test('that is no object', () => {
    expect(refusal(undefined)).toBe(
      'bad_hook: A hook is defined by an object { hook, id, execute }; got nothing.',
    );
    expect(refusal('mark')).toBe(
      'bad_hook: A hook is defined by an object { hook, id, execute }; got a string.',
    );
    expect(refusal([good])).toBe(
      'bad_hook: A hook is defined by an object { hook, id, execute }; got a list.',
    );
  });

  test('with an id that is no string in snake_case, saying what to write', () => {
    const rule = 'snake_case, such as "limit_to_20_messages"';
    expect(change({ id: 42 })).toBe(`bad_hook: The id of a hook must be a string in ${rule}; got a number.`);
    expect(change({ id: undefined })).toBe(
      `bad_hook: The id of a hook must be a string in ${rule}; got nothing.`,
    );
    const better = {
      limitTo20: 'limit_to20',
      'Limit-Messages': 'limit_messages',
      'a b.c': 'a_b_c',
      _a_: 'a',
      a__b: 'a_b',
      'mark\n': 'mark',
    };
    for (const [id, instead] of Object.entries(better)) {
      expect(change({ id })).toBe(`bad_hook: A hook id must be ${rule}; got "${id}". Write "${instead}".`);
    }
    for (const id of ['', '20_messages', '…', '_'])
      expect(change({ id })).toBe(`bad_hook: A hook id must be ${rule}; got "${id}".`);
  });

  test.each([
    ['PreToolUse', 'before_tool_call'],
    ['preToolUse', 'before_tool_call'],
    ['post_tool_use', 'after_tool_call_success'],
    ['AgentStart', 'after_session_started'],
    ['SubagentStop', 'before_stop'],
  ])('with the name %s, which settings files have for an event, naming the hook', (hook, ours) => {
    expect(change({ hook })).toBe(
      `bad_hook: Hook "mark": there is no hook named "${hook}", which is an event of settings files. Did you mean "${ours}"?`,
    );
  });

  test('with a hook name that there is not, naming the one that was meant', () => {
    expect(change({ hook: 'filterMessages' })).toBe(
      'bad_hook: Hook "mark": there is no hook named "filterMessages". Did you mean "filter_messages"?',
    );
    expect(change({ hook: 'toString' })).toContain(
      'there is no hook named "toString". There are: after_thread_created, ',
    );
    expect(change({ hook: undefined })).toBe(
      'bad_hook: Hook "mark": hook must be the name of a hook, such as "filter_messages"; got nothing.',
    );
  });

  test('with an option that there is not, naming the one that was meant', () => {
    expect(change({ timeOut: 5 })).toBe(
      'bad_hook: Hook "mark": there is no option "timeOut". Did you mean "timeout"?',
    );
    expect(change({ onFailure: 'block' })).toContain('there is no option "onFailure". ');
    expect(change({ zzz: 1 })).toBe(
      'bad_hook: Hook "mark": there is no option "zzz". There are: hook, id, execute, timeout, onError, onTimeout, priority, schema, changes, reads, match, restore, conceal, holdBack, stream, keeps.',
    );
    expect(change({ matcher: {} })).toBe(
      'bad_hook: Hook "mark": there is no option "matcher". Did you mean "match"?',
    );
  });

  test('that keeps values without a name', () => {
    for (const keeps of ['', [], [''], ['*'], 5, ['notes/*', null]])
      expect(change({ keeps })).toContain('keeps names the values that the hook keeps with a thread');
    const execute = async () => null;
    const hook = defineHook({ hook: 'before_tool_call', id: 'mark', execute, keeps: 'notes/*' });
    expect(hook.keeps).toEqual(['notes/*']);
  });

  test('that streams and says not how, or where no text is written', () => {
    const stream = (text: string): string => text;
    expect(change({ holdBack: 200 })).toBe(
      'bad_hook: Hook "mark": holdBack says how far text stays behind the function stream, which must be a function of the text; got nothing.',
    );
    expect(change({ stream: 'yes', holdBack: 200 })).toContain(
      'must be a function of the text; got a string.',
    );
    for (const holdBack of [undefined, -1, 1.5, '200'])
      expect(change({ stream, holdBack })).toContain(
        'stream needs holdBack, the number of characters that a change may span, as a whole number of at least 0; got ',
      );
    expect(change({ hook: 'before_update_message', stream, holdBack: 200 })).toBe(
      'bad_hook: Hook "mark": stream is for hooks that an answer\'s text waits for, and before_update_message is none. Give it to a before_create_message hook.',
    );
    expect(change({ stream, holdBack: 200, changes: ['metadata'] })).toContain(
      'changes does not name it. Leave stream and holdBack out',
    );
    const hook = 'before_create_message';
    const execute = async <M>(_: unknown, message: M): Promise<M> => message;
    const allowed = defineHook({ hook, id: 'mark', execute, stream, holdBack: 0, changes: ['content'] });
    expect(allowed).toMatchObject({ stream, holdBack: 0 });
  });

  test('whose execute is no function', () => {
    expect(change({ execute: undefined })).toBe(
      'bad_hook: Hook "mark": execute must be a function; got nothing.',
    );
    expect(change({ execute: {} })).toBe('bad_hook: Hook "mark": execute must be a function; got an object.');
  });

  test.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('with the timeout %d', (timeout) => {
    expect(change({ timeout })).toBe(
      `bad_hook: Hook "mark": timeout must be a duration between 1 ms and 24 days: a number of milliseconds, or a text with a unit (ms, s, m, h, d) such as "5s"; got ${timeout}.`,
    );
  });

  test.each(['2 s', '2w', 's', '-2s', '', '1e3ms', '0s', '100m0s'])('with the timeout "%s"', (timeout) => {
    expect(change({ timeout })).toMatch(
      /timeout must be a duration between .*; got ".*"\.(?: Did you mean "(?:2s|100m)"\?)?$/,
    );
  });

  test('with a timeout that is something else', () => {
    expect(change({ timeout: { ms: 5 } })).toContain('; got an object.');
    expect(change({ timeout: null })).toContain('; got null.');
  });

  test('whose failure policy its kind does not have', () => {
    expect(change({ onError: 'ask' })).toBe(
      'bad_hook: Hook "mark": onError must be "block" or "continue" on before_create_message, a hook of kind transform; got "ask".',
    );
    expect(change({ onTimeout: 'stop' })).toContain('onTimeout must be "block" or "continue"');
    expect(change({ hook: 'after_create_message', onError: 'block' })).toBe(
      'bad_hook: Hook "mark": onError must be "continue" on after_create_message, a hook of kind observe: what it watches has already happened; got "block".',
    );
    expect(change({ hook: 'before_tool_call', onError: null })).toContain(
      'onError must be "block" or "continue" or "ask"',
    );
  });

  test('with a priority that is no finite number', () => {
    expect(change({ priority: '5' })).toBe(
      'bad_hook: Hook "mark": priority must be a finite number, and hooks with a higher one run first; got "5".',
    );
    expect(change({ priority: Number.NaN })).toContain('; got NaN.');
  });

  test('with a schema that is none, or has nothing to check', () => {
    expect(change({ schema: { parse: () => {} } })).toBe(
      'bad_hook: Hook "mark": schema must be a Standard Schema, such as one of Zod, Valibot or ArkType; got an object.',
    );
    expect(change({ schema: null })).toContain('; got null.');
    expect(change({ hook: 'after_thread_created', schema: z.object({}) })).toBe(
      'bad_hook: Hook "mark": schema checks a hook\'s last argument, and after_thread_created has none but the state.',
    );
  });

  test('with a matcher on a hook that sees no tool call, or a bad one', () => {
    expect(change({ match: 'get_*' })).toBe(
      'bad_hook: Hook "mark": match is for hooks on tool calls, and before_create_message is none. Test the argument inside execute instead.',
    );
    expect(change({ hook: 'before_tool_call', match: 5 })).toMatch(/^bad_matcher: Hook "mark": /);
    expect(change({ hook: 'before_tool_call', match: '/(/' })).toMatch(/^bad_matcher: Hook "mark": /);
  });

  test('with changes that are no list of fields, or on a hook that returns no record', () => {
    expect(change({ changes: 'content' })).toBe(
      'bad_hook: Hook "mark": changes must be a list of field names, such as ["metadata"]; got a string.',
    );
    expect(change({ changes: [1] })).toContain('; got a list.');
    for (const hook of ['filter_messages', 'after_system_message', 'before_tool_call', 'after_tool_batch']) {
      expect(change({ hook, changes: [] })).toBe(
        `bad_hook: Hook "mark": changes is for hooks that return a message, updates or a tool result, and ${hook} is none.`,
      );
    }
  });

  test('with reads that make no sense, or on a hook that does not see the history', () => {
    expect(change({ reads: { last: 5 } })).toBe(
      'bad_hook: Hook "mark": reads is for hooks on the stored history, and before_create_message is none.',
    );
    const filter = (reads: unknown): string => change({ hook: 'filter_messages', reads });
    expect(filter({ last: 0 })).toBe(
      'bad_hook: Hook "mark": reads must be { last: n } with a whole number of messages, at least 1; got 0.',
    );
    expect(filter({ last: 1.5 })).toContain('; got 1.5.');
    expect(filter({})).toContain('; got nothing.');
    expect(filter(20)).toContain('reads must be { last: n }');
    expect(filter(null)).toContain('reads must be { last: n }');
  });

  test('without quoting long or odd values', () => {
    expect(change({ timeout: 'secret'.repeat(20) })).toMatch(/got a string\.$/);
    expect(change({ timeout: Symbol('secret') })).toMatch(/got a symbol\.$/);
    expect(change({ priority: Object.create(null) })).toMatch(/got an object\.$/);
  });
});

describe('a defined hook', () => {
  const options = {
    hook: 'filter_messages',
    id: 'last_20',
    timeout: '2s',
    onError: 'continue',
    onTimeout: 'block',
    priority: 3,
    reads: { last: 20 },
    execute: async (_state: unknown, messages: unknown[]) => messages.slice(-20),
  } as const;

  test('has its options, with the timeout in milliseconds', () => {
    const { timeout: _, ...others } = options;
    expect({ ...defineHook(options as never) }).toEqual({ ...others, timeout: 2_000 });
    expect('timeout' in defineHook(good as never)).toBe(false);
  });

  test('is frozen, with copies of its lists', () => {
    const changes = ['metadata'];
    const hook = defineHook({ ...good, changes } as never) as AnyHook;
    changes.push('content');
    expect(hook.changes).toEqual(['metadata']);
    for (const part of [hook, hook.changes]) expect(Object.isFrozen(part)).toBe(true);
    expect(Object.isFrozen((defineHook(options as never) as AnyHook).reads)).toBe(true);
  });

  test('has its matcher compiled', () => {
    const hook = defineHook({
      hook: 'before_tool_call',
      id: 'only_mail',
      match: 'send_*',
      execute: async () => null,
    });
    expect(hook.matcher?.test({ name: 'send_mail', input: {} })).toBe(true);
    expect('match' in hook).toBe(false);
  });

  test('is known as one; a changed copy of it, or a look-alike, is not', () => {
    const hook = defineHook(good as never);
    expect(isHook(hook)).toBe(true);
    for (const other of [{ ...(hook as object), id: 'Not Checked' }, good, null, undefined, 'mark', {}])
      expect(isHook(other)).toBe(false);
  });

  test.each([1, 2 ** 31 - 1, '1ms', '0.5s', '1m', '500ms'])('may have the timeout %s', (timeout) => {
    expect(() => defineHook({ ...good, timeout } as never)).not.toThrow();
  });
});

test('an instance of a class is a definition with all that its class has', async () => {
  class Guard {
    readonly hook = 'before_tool_call';
    readonly id = 'guard';
    get onError(): 'ask' {
      return 'ask';
    }
    async execute() {
      return { decision: 'deny' } as const;
    }
  }
  const made = defineHook(new Guard());
  expect(made.onError).toBe('ask');
  expect(await made.execute({} as never, {} as never)).toEqual({ decision: 'deny' });
});
