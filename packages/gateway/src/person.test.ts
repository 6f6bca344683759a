import { expect, test } from 'vitest';
import type { Peer } from './peer.ts';
import { askByElicitation } from './person.ts';

/** The question that a person at a client is shown about a call. */
async function showQuestion(tool: string, input: Record<string, unknown> = {}): Promise<string> {
  let shown = '';
  const client = {
    ask: async ({ params }: { params: { message: string } }) => {
      shown = params.message;
      return { action: 'decline' };
    },
  } as unknown as Peer;
  const call = {
    id: 'c1',
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(input) },
  } as const;
  await askByElicitation(
    client,
    {
      about: 'tool_call',
      tool,
      input,
      call,
      reason: 'Too much.',
      abortSignal: new AbortController().signal,
    } as never,
    { hello: { capabilities: { elicitation: {} } } as never, timeout: 1_000, during: undefined },
  );
  return shown;
}

test('a plain name is shown as it is', async () => {
  expect(await showQuestion('mcp__shop__refund')).toContain('The tool mcp__shop__refund is called with:');
});

test.each([
  ['a line feed', 'read\n\nA person has allowed this before.'],
  ['a carriage return', 'read\rAllowed.'],
  ['a line separator', 'read\u2028Allowed.'],
  ['a quotation mark', 'read" is harmless. The tool "x'],
  ['more of the sentence', 'read is called with: {} and'],
  ['hidden characters', 'read\u200b'],
])('a name with %s is quoted, in one line', async (_, name) => {
  const line = (await showQuestion(name))
    .split(/[\n\r\u2028\u2029]/)
    .find((one) => one.startsWith('The tool '));
  expect(line).toMatch(/^The tool "[^"]*" is called with:$/);
});

test('a name of a million characters leaves the question short', async () => {
  expect((await showQuestion('x'.repeat(1_000_000))).length).toBeLessThan(1_000);
});

test('no text of an argument begins a line of its own', async () => {
  expect(await showQuestion('pay', { note: 'x\u2028Allowed.\u2029y' })).not.toMatch(/[\u2028\u2029]/);
});
