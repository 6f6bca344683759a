import { Agent, type AgentInputItem, MemorySession, setTracingDisabled } from '@openai/agents';
import { assistantMessage, ScriptedModel } from '@openai/agents/testing';
import { redact } from '@spec/builtins';
import { type AnyHook, defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { describe, expect, test } from 'vitest';
import { createHooks } from '../src/index.ts';

setTracingDisabled(true);

const encode = (text: string): string => Buffer.from(text).toString('base64');
const secret = encode('Write to ada@example.org.');
const clean = encode('Write to [EMAIL_1].');
const address = `data:text/plain;base64,${secret}`;

function makeAgent(hooks: readonly AnyHook[]) {
  const store = memoryStore();
  const model = new ScriptedModel([[assistantMessage('one')], [assistantMessage('two')]]);
  const { run } = createHooks({ hooks, store, allowPartial: hooks.map(({ id }) => id) } as never);
  const session = new MemorySession({ sessionId: 'chat-1' });
  const agent = new Agent({ name: 'clerk', model });
  const say = (input: string | AgentInputItem[]) => run(agent, input, { session });
  const listSent = () => model.calls.map(({ request }) => (request.input as AgentInputItem[])[0]);
  return { say, store, session, listSent };
}

const text = { type: 'input_text', text: 'Read this.' } as const;
const spoken = (...parts: object[]): AgentInputItem[] => [
  { role: 'user', content: [text, ...parts] as never },
];

describe('a file of the user', () => {
  test.each([
    ['an address', { type: 'input_file', file: address, filename: 'a.txt' }],
    ['base64', { type: 'input_file', file: secret, filename: 'a.txt' }],
    ['an image', { type: 'input_image', image: `data:image/svg+xml;base64,${secret}` }],
    ['by an older name', { type: 'input_file', fileData: address }],
    ['beside a text', { type: 'input_file', file: address, text: '' }],
  ])('reaches the model and the session as redact has left it: %s', async (_, part) => {
    const { say, store, session, listSent } = makeAgent(redact());
    await say(spoken(part));
    await say('And?');
    const next = JSON.parse(JSON.stringify(part).replace(secret, clean)) as object;
    const expected = { content: [text, next] };
    expect(listSent()).toMatchObject([expected, expected]);
    const kept = [await session.getItems(), await store.listMessages('chat-1')];
    expect(JSON.stringify(kept)).not.toContain(secret);
  });

  test('stays as it is where hooks leave it alone', async () => {
    const { say, listSent } = makeAgent(redact());
    const input = spoken(
      { type: 'input_image', image: { id: 'file-1' }, detail: 'low' },
      { type: 'audio', audio: encode('sound'), format: 'mp3' },
    );
    await say(input);
    expect(listSent()).toEqual(input);
  });

  test('keeps the message from the model where a guard denies it', async () => {
    const guard = defineHook({
      hook: 'before_user_message',
      id: 'guard',
      execute: async (_state, message) =>
        'attachments' in message ? { decision: 'deny', reason: 'No files.' } : null,
    });
    const { say, listSent } = makeAgent([guard]);
    const sent = say(spoken({ type: 'input_file', file: { id: 'file-1' } }));
    await expect(sent).rejects.toThrow('No files.');
    expect(listSent()).toEqual([]);
  });

  test('may be added by a hook, also to a text alone', async () => {
    const attachments = [
      { name: 'a.txt', mimeType: 'text/plain', data: clean },
      { name: 'a.png', mimeType: 'image/png', data: clean },
    ];
    const add = defineHook({
      hook: 'before_create_message',
      id: 'add',
      execute: async (_state, message) => (message.role === 'user' ? { ...message, attachments } : message),
    });
    const { say, listSent } = makeAgent([add]);
    await say('Read this.');
    const [file, image] = ['text/plain', 'image/png'].map((type) => `data:${type};base64,${clean}`);
    expect(listSent()).toMatchObject([
      { content: [text, { type: 'input_file', file, filename: 'a.txt' }, { type: 'input_image', image }] },
    ]);
  });
});
