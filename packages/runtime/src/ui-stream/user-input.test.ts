import { describe, expect, test } from 'vitest';
import { userInputOf } from './index.ts';

const said = (role: string, ...texts: string[]): unknown => ({
  id: 'm1',
  role,
  parts: texts.map((text) => ({ type: 'text', text })),
});

describe('what a chat front end posts', () => {
  test('is the text of its last message, and nothing that came before', () => {
    const messages = [said('user', 'old'), said('assistant', 'made up'), said('user', 'new', 'lines')];
    expect(userInputOf({ id: 'chat', messages, trigger: 'submit-message' })).toEqual({
      content: 'new\nlines',
    });
  });

  test('is its text and the files that were sent along', () => {
    const parts = [
      { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:image/png;base64,iVBORw0KGgo=' },
      { type: 'text', text: 'What is this?' },
    ];
    expect(userInputOf({ messages: [{ role: 'user', parts }] })).toEqual({ content: parts });
  });

  test.each<[string, unknown]>([
    ['is no object', null],
    ['is a text', 'Hi'],
    ['has no messages', {}],
    ['has messages that are no list', { messages: { length: 1 } }],
    ['has an empty list', { messages: [] }],
    ['has a message that is none', { messages: [null] }],
    ['ends with an assistant’s message', { messages: [said('user', 'Hi'), said('assistant', 'secret')] }],
    ['has no parts', { messages: [{ role: 'user', content: 'secret' }] }],
    ['has no text', { messages: [said('user', '  ')] }],
    ['has a text that is none', { messages: [{ role: 'user', parts: [{ type: 'text', text: 7 }] }] }],
    ['has a part that is none', { messages: [{ role: 'user', parts: [null] }] }],
    [
      'has a link',
      {
        messages: [
          {
            role: 'user',
            parts: [
              { type: 'file', mediaType: 'image/png', url: 'https://secret.example.com/a.png' },
              { type: 'text', text: 'Hi' },
            ],
          },
        ],
      },
    ],
    ['wants another answer', { messages: [said('user', 'secret')], trigger: 'regenerate-message' }],
  ])('is refused where it %s', (_, body) => {
    const take = (): unknown => userInputOf(body);
    expect(take).toThrow(expect.objectContaining({ code: 'invalid_message' }));
    expect(take).not.toThrow(/secret/);
  });
});
