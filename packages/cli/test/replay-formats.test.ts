import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertToModelMessages, type ModelMessage, safeValidateUIMessages, type UIMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../src/replay/formats/conversation.ts';
import { openInputs } from '../src/replay/read.ts';
import { type Entry, lineReader } from '../src/replay/read-lines.ts';
import { projectFolder } from './project-folder.ts';

const fixture = (name: string): string => join(import.meta.dirname, 'transcripts-of-formats', name);

async function entriesIn(name: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const input of await openInputs([fixture(name)]))
    for await (const entry of input.entries()) entries.push(entry);
  return entries;
}

async function conversationsIn(name: string): Promise<Conversation[]> {
  const entries = await entriesIn(name);
  return entries.map((entry) => ('conversation' in entry ? entry.conversation : expect.fail(entry.problem)));
}

const readEntries = (...values: readonly unknown[]): Entry[] => {
  const reader = lineReader('chat.jsonl', 'chat.jsonl');
  const entries = values.flatMap((value, i) => [...reader.readLineEntries(JSON.stringify(value), i + 1)]);
  return [...entries, ...reader.sessions()];
};

const call = (id: string, name: string, input: object): object => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

const weather = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Weather in Oslo and Rome? I am bob@example.com.\n[image/png]' },
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [call('w1', 'weather', { city: 'Oslo' }), call('w2', 'forecast', { city: 'Rome' })],
  },
  { role: 'tool', tool_call_id: 'w1', content: '{"degrees":12}' },
  { role: 'tool', tool_call_id: 'w2', content: 'no such city' },
  { role: 'assistant', content: null, tool_calls: [call('w3', 'mail', { to: 'bob@example.com' })] },
  { role: 'tool', tool_call_id: 'w3', content: 'not now' },
  { role: 'assistant', content: '12 degrees in Oslo.' },
];

describe('messages of the AI SDK', () => {
  test('of a front end and of a model become the same conversation', async () => {
    const [ui] = await conversationsIn('ui-messages.json');
    expect(ui).toEqual({ id: 'ui-messages.json', messages: weather, failedCalls: new Set(['w2', 'w3']) });
    expect(await conversationsIn('model-messages.json')).toEqual([{ ...ui, id: 'weather' }]);
  });

  test('are what the AI SDK itself takes them for', async () => {
    const messages = JSON.parse(readFileSync(fixture('ui-messages.json'), 'utf8')) as UIMessage[];
    expect(await safeValidateUIMessages({ messages })).toMatchObject({ success: true });
    const asModel: ModelMessage[] = await convertToModelMessages(messages);
    const [ui] = await conversationsIn('ui-messages.json');
    expect(readEntries({ id: 'ui-messages.json', messages: asModel })).toEqual([
      { place: 'line 1', conversation: ui },
    ]);
  });

  test('stand one conversation a line too, without an id under their file and line', () => {
    const text = { type: 'text', text: 'Hi.' };
    const ids = readEntries(
      [{ role: 'user', parts: [text] }],
      { messages: [{ role: 'user', content: [text] }] },
      [{ role: 'user', content: 'Hi.' }],
    ).map((entry) => ('conversation' in entry ? entry.conversation.id : entry.problem));
    expect(ids).toEqual(['chat.jsonl:1', 'chat.jsonl:2', 'chat.jsonl:3']);
  });

  test('are refused with the place of what is wrong, never with what it says', () => {
    const secret = 'sk_live_do_not_quote';
    const wrong = [
      { messages: [{ role: 'assistant', parts: [{ type: 'tool-x', input: secret }] }] },
      { messages: [{ role: 'user', parts: [{ type: 'text', text: 1 }], secret }] },
      { messages: [{ role: 'user', content: [{ type: secret }] }] },
      { messages: [{ role: 'tool', content: [{ type: 'tool-result', output: { type: 'text' } }] }] },
      { messages: [{ role: 'assistant', parts: [{ type: 'reasoning', text: secret }] }] },
    ];
    const problems = readEntries(...wrong).map((entry) => ('problem' in entry ? entry.problem : 'none'));
    expect(problems.join('\n')).not.toContain(secret);
    expect(problems).toEqual([
      expect.stringMatching(/^messages\[0\]\.parts\[0\]: must be a part of a UIMessage/),
      expect.stringMatching(/^messages\[0\]\.parts\[0\]: must be a part of a UIMessage/),
      expect.stringMatching(/^messages\[0\]\.content/),
      expect.stringMatching(/^messages\[0\]\.content/),
      'messages: must have at least one with a text or a call',
    ]);
  });
});

describe('messages of OpenAI chat', () => {
  test('may hold lists of parts, with and without calls', () => {
    const text = { type: 'text', text: 'What is it?' };
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };
    const conversation = (content: unknown): object => ({
      id: 'a',
      messages: [
        { role: 'user', content },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'I look.' }],
          tool_calls: [call('c', 'see', {})],
        },
        { role: 'tool', tool_call_id: 'c', content: [text] },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'I may not say.' }] },
      ],
    });
    const [withCalls, alone] = readEntries(conversation([text, image]), {
      id: 'b',
      messages: [{ role: 'user', content: [text, image] }],
    });
    expect(withCalls).toMatchObject({
      conversation: {
        messages: [
          { content: 'What is it?\n[image]' },
          { content: 'I look.' },
          { content: 'What is it?' },
          { content: 'I may not say.' },
        ],
      },
    });
    expect(alone).toMatchObject({ conversation: { messages: [{ content: 'What is it?\n[image]' }] } });
  });

  test('are refused with the place of what is wrong, never with what it says', () => {
    const secret = 'sk_live_do_not_quote';
    const [entry] = readEntries({
      messages: [{ role: 'tool', tool_call_id: 'c', content: [{ type: secret }] }],
    });
    expect(entry).toMatchObject({ problem: expect.stringMatching(/^messages\[0\]\.content/) });
    expect(JSON.stringify(entry)).not.toContain(secret);
  });
});

describe('a Claude Code session file', () => {
  test('is the branch that ends with the last message, and one conversation for each subagent', async () => {
    const [main, side, ...more] = await entriesIn('claude-session.jsonl');
    expect(more).toEqual([]);
    expect(main).toEqual({
      place: 'line 3',
      conversation: {
        id: '5e55',
        failedCalls: new Set(['t1']),
        messages: [
          { role: 'user', content: 'Run the tests. I am bob@example.com.' },
          {
            role: 'assistant',
            content: 'I look.',
            tool_calls: [
              call('t1', 'Bash', { command: 'npm test' }),
              call('t2', 'Read', { file_path: '/work/shop/a.ts' }),
            ],
          },
          { role: 'tool', tool_call_id: 't1', content: '2 tests failed' },
          { role: 'tool', tool_call_id: 't2', content: 'const a = 1;\n[image]' },
          { role: 'assistant', content: 'Two tests fail.' },
          { role: 'user', content: 'Thanks.\nMend them.' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              call('t4', 'Edit', { file_path: '/work/shop/a.ts', old_string: '1', new_string: '2' }),
            ],
          },
          { role: 'tool', tool_call_id: 't4', content: 'The file was updated.' },
          { role: 'assistant', content: 'Mended.' },
        ],
      },
    });
    expect(side).toMatchObject({
      place: 'line 14',
      conversation: {
        id: '5e55/a7',
        messages: [
          { role: 'user', content: 'Find the cause.' },
          { role: 'assistant', tool_calls: [{ id: 't3' }] },
          { role: 'tool', content: 'a.ts:1' },
          { role: 'assistant', content: 'It is in a.ts.' },
        ],
      },
    });
  });

  const user = (content: unknown, more: object = {}): object => ({
    type: 'user',
    message: { content },
    ...more,
  });

  test('is read in the order of its lines where they name none before them, each session by itself', () => {
    const contents = readEntries(
      user('One.', { sessionId: 'a' }),
      user('Other.', { sessionId: 'b' }),
      { type: 'assistant', sessionId: 'a', message: { content: [{ type: 'text', text: 'Two.' }] } },
      user('Three.', { sessionId: 'a', uuid: '3', parentUuid: 'not in this file' }),
    ).map((entry) =>
      'conversation' in entry
        ? [entry.conversation.id, ...entry.conversation.messages.map(({ content }) => content)]
        : entry,
    );
    expect(contents).toEqual([
      ['a', 'One.', 'Two.', 'Three.'],
      ['b', 'Other.'],
    ]);
  });

  test('that goes on under another id is one conversation, and lines that are there twice count once', () => {
    const first = user('One.', { sessionId: 'a', uuid: '1', parentUuid: null });
    const next = user('Two.', { sessionId: 'b', uuid: '2', parentUuid: '1' });
    expect(readEntries(first, { ...first, sessionId: 'b' }, next)).toMatchObject([
      { place: 'line 1', conversation: { id: 'b', messages: [{ content: 'One.' }, { content: 'Two.' }] } },
    ]);
  });

  test('ends also where its links go in a circle', () => {
    const circle = [
      user('One.', { sessionId: 'a', uuid: '1', parentUuid: '2' }),
      user('Two.', { sessionId: 'a', uuid: '2', parentUuid: '1' }),
    ];
    expect(readEntries(...circle)).toMatchObject([{ conversation: { messages: { length: 2 } } }]);
  });

  test('tells a bad line by its number, and what has no message at all', () => {
    expect(readEntries(user(7, { sessionId: 'a' }), user('Hi.', { sessionId: 'a' }))).toMatchObject([
      { place: 'line 1', problem: 'message.content: must be text or a list of content blocks' },
      { place: 'line 2', conversation: { id: 'a' } },
    ]);
    expect(readEntries({ type: 'summary', leafUuid: 'x' })).toEqual([
      {
        place: 'line 1',
        problem: 'chat.jsonl has lines of a Claude Code session, and none of them is a message.',
      },
    ]);
  });
});

test('a conversation in OpenAI chat form without an id is called by its file and its line', () => {
  const messages = [{ role: 'user', content: 'Hi.' }];
  const ids = readEntries({ messages }, [{ messages }, { id: 'own', messages }], { id: null, messages }).map(
    (entry) => ('conversation' in entry ? entry.conversation.id : entry.problem),
  );
  expect(ids).toEqual(['chat.jsonl:1', 'chat.jsonl:2:1', 'own', 'id: must be text, or absent']);
});

test('a shape that is not known is told once with those that are', () => {
  const [first, second, third] = readEntries({ type: 'response_item', payload: {} }, 7, {
    text: 'x',
  });
  expect(first).toMatchObject({
    place: 'line 1',
    problem: expect.stringMatching(
      /^chat\.jsonl has no shape here that is known; known are OpenAI chat .+\.$/,
    ),
  });
  for (const entry of [second, third])
    expect(entry).toMatchObject({ problem: 'chat.jsonl has no shape here that is known.' });
});

test('one message a line: the file is one conversation', { timeout: 60_000 }, async () => {
  const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } };
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'Seen.' },
    { role: 'assistant', content: [{ type: 'text', text: 'It is there.' }] },
  ];
  const { json } = projectFolder({
    'talk.jsonl': messages.map((one) => `${JSON.stringify(one)}\n`).join(''),
  });
  expect(await json(['replay', 'talk.jsonl', '--no-hooks'])).toMatchObject({
    code: 0,
    db: null,
    conversations: { replayed: 1, failed: 0 },
    messages: { recorded: 4, stored: 4 },
    problems: [],
  });
});
