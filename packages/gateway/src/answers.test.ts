import { expect, test } from 'vitest';
import { type Answer, readContents, readMessages, readToolResult } from './answers.ts';

const hide = ({ seen, rebuild }: Answer) =>
  rebuild({ ...seen, result: (seen.result ?? '').replaceAll('secret', '***') });

test('hooks see and change what a prompt says of itself', () => {
  const said = { role: 'user', content: { type: 'text', text: 'Hi.' } };
  const answer = readMessages({ description: 'A secret.', messages: [said] }) as Answer;
  expect(hide(answer)).toEqual({ description: 'A ***.', messages: [said] });
});

test('hooks see the address of an embedded file; one whose address they change is a text', () => {
  const resource = { uri: 'x://secret', blob: 'aGk=', mimeType: 'text/plain' };
  const answer = readToolResult({ content: [{ type: 'resource', resource }] }, false) as Answer;
  expect(answer.seen).toMatchObject({ result: expect.stringContaining('x://secret') });
  expect(JSON.stringify(hide(answer))).not.toContain('secret');
  expect(answer.rebuild(answer.seen).content).toEqual([{ type: 'resource', resource }]);
});

test('hooks see a result in the form that MCP had first, and its file beside a text', () => {
  const older = readToolResult({ toolResult: { note: 'A secret.' } }, false) as Answer;
  expect(hide(older)).toEqual({ content: [{ type: 'text', text: '{"note":"A ***."}' }], isError: false });
  expect(older.rebuild(older.seen)).toMatchObject({ toolResult: { note: 'A secret.' } });

  const both = { uri: 'x://a', text: 'Hi.', blob: 'secret' };
  const embedded = readToolResult({ content: [{ type: 'resource', resource: both }] }, false) as Answer;
  expect(JSON.stringify(hide(embedded))).not.toContain('secret');
  const contents = readContents({ contents: [both] }) as Answer;
  expect(JSON.stringify(hide(contents))).not.toContain('secret');
});

test.each([
  ['letters', '{"note":"A \\u0073ecret."}', { note: 'A secret.' }],
  ['signs', '{"note":"https:\\/\\/secret"}', { note: 'https://secret' }],
  ['numbers', '{"card":4.111e3}', { card: 4111 }],
])(
  'hooks see a structure as it is, whatever text beside it writes its %s otherwise',
  (_, text, structure) => {
    const raw = { content: [{ type: 'text', text }], structuredContent: structure };
    const answer = readToolResult(raw, true) as Answer;
    expect(answer.seen.result).toContain(JSON.stringify(structure));
    if ('note' in structure) expect(JSON.stringify(hide(answer).structuredContent)).not.toContain('secret');
  },
);

test('hooks see a structure once where the text beside it says the same, with or without spaces', () => {
  const structuredContent = { note: 'A secret, "so to say": { 1 }', list: [1, null] };
  for (const spaces of [0, 2]) {
    const text = JSON.stringify(structuredContent, null, spaces);
    const answer = readToolResult({ content: [{ type: 'text', text }], structuredContent }, true) as Answer;
    expect(answer.seen.result).toBe(text);
    expect(JSON.stringify(hide(answer))).not.toContain('secret');
  }
});

test('hooks see a content and a description of no known form, or nobody does', () => {
  const contents = readContents({ contents: [{ uri: 'x://a', data: 'secret' }] }) as Answer;
  expect(hide(contents)).toEqual({
    contents: [{ uri: 'x://a', mimeType: 'text/plain', text: '{"uri":"x://a","data":"***"}' }],
  });
  expect(readMessages({ description: { note: 'secret' }, messages: [] })).toBeUndefined();
});

/** So many that work on each part for every other one would not end in the time of a test. */
const MANY = 200_000;

test('a result of very many parts is put together again with as many steps as it has parts', () => {
  const files = Array.from({ length: MANY }, () => ({ type: 'image', data: '', mimeType: 'a/b' }));
  const texts = Array.from({ length: MANY }, () => ({ type: 'text', text: 'a' }));
  const answer = readToolResult({ content: [...texts, { type: 'text', text: 'secret' }, ...files] }, false);
  const { content } = hide(answer as Answer) as { content: unknown[] };
  expect(content.slice(MANY - 1, MANY + 2)).toEqual([texts[0], { type: 'text', text: '***' }, files[0]]);
  expect(content).toHaveLength(2 * MANY + 1);
});
