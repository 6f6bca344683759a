import type { HookMessage, HookToolCall } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { toModelPrompt } from '../model/prompt.ts';
import { readToolCalls, toLLMMessage, toStoredResult, toToolRow, validExchanges } from './exchanges.ts';

const call = (id: string, name = 'tool'): HookToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
});
let count = 0;
const message = (
  role: HookMessage['role'],
  fields: Partial<HookMessage> & Record<string, unknown>,
): HookMessage => ({
  id: `m${count++}`,
  role,
  content: null,
  created_at: count,
  ...fields,
});
const user = (content: string): HookMessage => message('user', { content });
const says = (content: string | null, ...ids: string[]): HookMessage =>
  message('assistant', { content, tool_calls: JSON.stringify(ids.map((id) => call(id))) });
const result = (id: string, content = `result ${id}`): HookMessage =>
  message('tool', { content, tool_call_id: id });

/** Messages in short: `u:text`, `a:text[c1,c2]`, `t:c1`. */
function short(messages: readonly HookMessage[]): string[] {
  return messages.map((m) => {
    if (m.role === 'tool') return `t:${m.tool_call_id}`;
    const calls = readToolCalls(m).map(({ id }) => id);
    return `${m.role[0]}:${m.content ?? ''}${calls.length > 0 ? `[${calls}]` : ''}`;
  });
}

const target = {
  provider: 'scripted',
  modelId: 'scripted',
  specificationVersion: 'v3',
  files: new Map(),
} as const;

describe('valid exchanges', () => {
  test('what is fine stays the same objects', () => {
    const messages = [
      message('system', { content: 's' }),
      user('u'),
      says('x', 'c1', 'c2'),
      result('c1'),
      result('c2'),
      message('assistant', { content: 'a' }),
    ];
    const valid = validExchanges(messages);
    expect(valid).toEqual(messages);
    expect(valid.every((m, i) => m === messages[i])).toBe(true);
  });

  const cases: Array<[string, HookMessage[], string[]]> = [
    ['a result without its call is dropped', [result('c1'), user('u')], ['u:u']],
    ['a result before its call is dropped', [result('c1'), says('x', 'c1'), user('u')], ['a:x', 'u:u']],
    ['a call without result is dropped', [says('x', 'c1', 'c2'), result('c2')], ['a:x[c2]', 't:c2']],
    [
      'a message with nothing but unanswered calls is dropped',
      [user('u'), says(null, 'c1'), says('', 'c2')],
      ['u:u'],
    ],
    ['its text is kept', [says('text', 'c1')], ['a:text']],
    [
      'results come in the order of their calls',
      [says(null, 'c1', 'c2'), result('c2'), result('c1')],
      ['a:[c1,c2]', 't:c1', 't:c2'],
    ],
    [
      'a result behind another message moves to its call',
      [says(null, 'c1', 'c2'), result('c1'), user('u'), result('c2'), user('v')],
      ['a:[c1,c2]', 't:c1', 't:c2', 'u:u', 'u:v'],
    ],
    [
      'an id that is used again pairs with the last call before it',
      [says(null, 'c1'), result('c1'), says(null, 'c1'), result('c1')],
      ['a:[c1]', 't:c1', 'a:[c1]', 't:c1'],
    ],
    [
      'an unanswered call does not take the result of a later one with its id',
      [says('x', 'c1'), user('u'), says('y', 'c1'), result('c1')],
      ['a:x', 'u:u', 'a:y[c1]', 't:c1'],
    ],
    [
      'a second result of a call is dropped',
      [says(null, 'c1'), result('c1'), result('c1', 'again')],
      ['a:[c1]', 't:c1'],
    ],
    [
      'a call twice in one message is one call',
      [says(null, 'c1', 'c1'), result('c1'), result('c1')],
      ['a:[c1]', 't:c1'],
    ],
    [
      'rows that tell of an error are dropped',
      [user('u'), message('assistant', { content: 'failed', error_code: 'x' })],
      ['u:u'],
    ],
    ['a tool row without an id is dropped', [user('u'), message('tool', { content: 'x' })], ['u:u']],
    [
      'no calls, in whatever form',
      [
        says('x'),
        message('assistant', { content: 'y', tool_calls: null }),
        message('assistant', { content: 'z', tool_calls: 'no json' }),
      ],
      ['a:x', 'a:y', 'a:z'],
    ],
    ['nothing of nothing', [], []],
  ];
  test.each(cases)('%s', (_name, messages, expected) => {
    expect(short(validExchanges(messages))).toEqual(expected);
  });

  test('no message is changed', () => {
    const messages = [says('x', 'c1', 'c2'), result('c2'), says('y', 'c3')];
    const before = structuredClone(messages);
    validExchanges(messages);
    expect(messages).toEqual(before);
  });
});

describe('tool calls of a message', () => {
  test.each([
    [undefined, []],
    [null, []],
    ['', []],
    ['{"a":1}', []],
    ['[null,{"id":1},{"id":"x","function":{"name":"n"}}]', []],
    [JSON.stringify([call('c1'), call('c1', 'twin'), call('c2')]), ['c1', 'c2']],
  ])('%j', (text, ids) => {
    expect(readToolCalls({ tool_calls: text } as HookMessage).map(({ id }) => id)).toEqual(ids);
  });
});

describe('tool rows', () => {
  const c1 = call('c1', 'find');

  test('a success, an error, and an error without a text', () => {
    const common = { role: 'tool', tool_call_id: 'c1', name: 'find' };
    expect(toToolRow(c1, { status: 'success', result: 'r' })).toEqual({
      ...common,
      status: 'success',
      content: 'r',
    });
    expect(toToolRow(c1, { status: 'success' })).toMatchObject({ content: '' });
    expect(toToolRow(c1, { status: 'error', error: 'e', result: 'r' })).toMatchObject({ content: 'e' });
    expect(toToolRow(c1, { status: 'error', result: 'r' })).toMatchObject({ content: 'r' });
    expect(toToolRow(c1, { status: 'error' })).toMatchObject({ content: 'The tool failed.' });
  });

  test('a stack is not in it, other fields are', () => {
    const row = toToolRow(c1, { status: 'error', error: 'e', stack: 'at x', cost: 1 } as never);
    expect(row).not.toHaveProperty('stack');
    expect(row).toMatchObject({ cost: 1 });
  });

  test('back from the store', () => {
    const row = message('tool', { content: 'c', status: 'error' });
    expect(toStoredResult(c1, row as never)).toEqual({
      toolCall: c1,
      result: { status: 'error', error: 'c' },
    });
    const other = message('tool', { content: null, attachments: [] });
    expect(toStoredResult(c1, other as never).result).toEqual({
      status: 'success',
      result: '',
      attachments: [],
    });
  });
});

describe('the model’s form', () => {
  test('a message keeps what the specification’s form has', () => {
    expect(toLLMMessage(message('user', { content: 'u', name: 'Ada', tag: 1 }))).toEqual({
      role: 'user',
      content: 'u',
      name: 'Ada',
    });
    expect(toLLMMessage(says(null, 'c1'))).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [call('c1')],
    });
    expect(toLLMMessage(result('c1'))).toEqual({ role: 'tool', content: 'result c1', tool_call_id: 'c1' });
  });

  test('results of one batch are one message; an answer with nothing in it is none', () => {
    const history = [says('x', 'c1', 'c2'), result('c1'), result('c2'), message('assistant', {}), user('u')];
    const prompt = toModelPrompt(history.map(toLLMMessage), target);
    expect(prompt.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
    expect(prompt[0]?.content).toEqual([
      { type: 'text', text: 'x' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'tool', input: {} },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'tool', input: {} },
    ]);
    expect(prompt[1]?.content).toHaveLength(2);
  });

  test('arguments that are no JSON stay the text they are; a result finds its tool’s name', () => {
    const broken: HookToolCall = {
      id: 'c1',
      type: 'function',
      function: { name: 'find', arguments: '{"a":' },
    };
    const prompt = toModelPrompt(
      [
        { role: 'assistant', content: null, tool_calls: [broken] },
        { role: 'tool', content: 'x', tool_call_id: 'c1' },
        { role: 'tool', content: null, tool_call_id: 'other', name: 'named' },
      ],
      target,
    );
    expect(prompt[0]?.content).toMatchObject([{ input: '{"a":' }]);
    expect(prompt[1]?.content).toMatchObject([
      { toolName: 'find' },
      { toolName: 'named', output: { value: '' } },
    ]);
  });
});

test('a field of a result that is called __proto__ stays a field, to be refused where it is stored', () => {
  const poisoned = JSON.parse('{"status":"success","result":"x","kept":1,"__proto__":{"content":"evil"}}');
  const row = toToolRow(call('c1'), poisoned);
  expect(Object.keys(row).sort()).toEqual(
    ['__proto__', 'content', 'kept', 'name', 'role', 'status', 'tool_call_id'].sort(),
  );
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
});
