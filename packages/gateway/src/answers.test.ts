import { expect, test } from 'vitest';
import { type Answer, readMessages, readToolResult } from './answers.ts';

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
