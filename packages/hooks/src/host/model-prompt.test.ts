import { describe, expect, test } from 'vitest';
import { toLLMMessage } from './exchanges.ts';
import {
  changeResults,
  lendPrompt,
  listLastCalls,
  listLastResults,
  type PromptMessage,
  takePromptBack,
} from './model-prompt.ts';

const signed = { providerOptions: { maker: { signature: 'abc' } } };
const asked = {
  role: 'user',
  content: [
    { type: 'text', text: 'What is this?', ...signed },
    { type: 'file', mediaType: 'image/png', data: 'iVBO' },
  ],
};
const answered = {
  role: 'assistant',
  content: [
    { type: 'reasoning', text: 'Hm.', ...signed },
    { type: 'text', text: 'I look.' },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 1 } },
    { type: 'tool-call', toolCallId: 'c2', toolName: 'find', input: '{"q":"x"}' },
  ],
};
const makeResult = (toolCallId: string, toolName: string, output: object) => ({
  ...{ type: 'tool-result', toolCallId, toolName, output },
  ...signed,
});
const results = {
  role: 'tool',
  content: [
    makeResult('c1', 'look', { type: 'json', value: { seen: 'a cat' } }),
    makeResult('c2', 'find', { type: 'execution-denied', reason: 'Not now.' }),
    { type: 'tool-approval-response', approvalId: 'a1', approved: true },
  ],
};
const prompt: readonly PromptMessage[] = [asked, answered, results];

/** What comes back when hooks have made something of each message. */
function passThrough(
  change: (message: ReturnType<typeof toLLMMessage>) => ReturnType<typeof toLLMMessage>,
  given = prompt,
) {
  const lent = lendPrompt(given);
  return takePromptBack(lent.messages.map(toLLMMessage).map(change), lent);
}

test('hooks are lent texts, calls and each result; what is denied is its reason', () => {
  const { messages } = lendPrompt(prompt);
  expect(
    messages.map(({ role, content, tool_call_id, name }) => [role, content, tool_call_id, name]),
  ).toEqual([
    ['user', 'What is this?', undefined, undefined],
    ['assistant', 'I look.', undefined, undefined],
    ['tool', '{"seen":"a cat"}', 'c1', 'look'],
    ['tool', 'Not now.', 'c2', 'find'],
  ]);
  expect(JSON.parse(String(messages[1]?.tool_calls))).toMatchObject([
    { id: 'c1', function: { name: 'look', arguments: '{"at":1}' } },
    { id: 'c2', function: { name: 'find', arguments: '{"q":"x"}' } },
  ]);
});

describe('what comes back', () => {
  test('is what it was where hooks left it alone, with its files, its reasoning and what its maker signed', () => {
    const [first, second, third] = passThrough((message) => message);
    expect([first, second]).toEqual([asked, answered]);
    expect(first).toBe(asked);
    expect(third).toEqual({ role: 'tool', content: results.content.slice(0, 2) });
  });

  test('of a message that was changed keeps its files, and no signed reasoning', () => {
    const [first, second] = passThrough((message) =>
      message.role === 'tool' ? message : { ...message, content: `${message.content}!` },
    );
    expect(first?.content).toEqual([{ type: 'text', text: 'What is this?!' }, asked.content[1]]);
    expect(second?.content).toEqual([
      { type: 'text', text: 'I look.!' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 1 } },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'find', input: { q: 'x' } },
    ]);
  });

  test('of an answer with other calls is made anew', () => {
    const [, second] = passThrough((message) =>
      message.tool_calls === undefined ? message : { ...message, tool_calls: [] },
    );
    expect(second?.content).toEqual([{ type: 'text', text: 'I look.' }]);
  });

  test('of a result that was changed is a text under the name of its tool, beside the others', () => {
    const [, , third] = passThrough((message) =>
      message.tool_call_id === 'c1' ? { ...message, content: 'a dog' } : message,
    );
    expect(third?.content).toEqual([
      {
        ...{ type: 'tool-result', toolCallId: 'c1', toolName: 'look' },
        output: { type: 'text', value: 'a dog' },
      },
      results.content[1],
    ]);
  });
});

test('the results behind the last answer are told with their calls', () => {
  expect(listLastCalls(prompt).map(({ id }) => id)).toEqual(['c1', 'c2']);
  const results = listLastResults(prompt).map(({ readText, ...told }) => ({ ...told, text: readText() }));
  expect(results).toMatchObject([
    { call: { id: 'c1' }, text: '{"seen":"a cat"}', type: 'json' },
    { call: { id: 'c2' }, text: 'Not now.', type: 'execution-denied' },
  ]);
  expect(listLastResults([...prompt, { role: 'assistant', content: [] }])).toEqual([]);
});

test('other texts replace the results that say something else', () => {
  const texts = new Map([
    ['c1', 'a dog'],
    ['c2', 'Not now.'],
  ]);
  const find = (id: string): string | undefined => texts.get(id);
  const { content } = changeResults(results, find, 'error-text');
  expect(content[0]).toMatchObject({ toolCallId: 'c1', output: { type: 'error-text', value: 'a dog' } });
  expect(content.slice(1)).toEqual(results.content.slice(1));
  expect(changeResults(asked, find, 'text')).toBe(asked);
});
