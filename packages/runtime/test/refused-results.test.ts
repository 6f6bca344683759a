import { RunError } from '@spec/hooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Append,
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  memoryStore,
  type Store,
  type ToolAnswer,
} from '../src/index.ts';
import { scriptedModel } from '../src/testing/index.ts';

// A tool that has run must not be forgotten because the store does not take what it gave.

type Code = 'invalid_input' | 'invalid_message' | 'store_unreadable' | 'late_write' | 'plain';

const isResult = ({ messages }: Append): boolean => messages?.some(({ role }) => role === 'tool') ?? false;
const holds = (append: Append, text: string): boolean =>
  append.messages?.some(({ content }) => content?.includes(text)) ?? false;

function refuse(code: Code): never {
  if (code === 'plain') throw new TypeError('SECRET');
  throw new RunError(code, 'no');
}

/** A store that refuses some appends, the first ones only where a number is given. */
function refusingStore(isRefused: (append: Append) => boolean, code: Code, times = Number.MAX_SAFE_INTEGER) {
  const store = memoryStore();
  const { append } = store;
  const refusing = { isOn: true };
  let left = times;
  store.append = async (threadId, fence, what) => {
    if (refusing.isOn && left > 0 && isRefused(what)) {
      left--;
      refuse(code);
    }
    return append(threadId, fence, what);
  };
  return { store, refusing };
}

const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
afterEach(() => warnings.mockClear());

/** One turn with two calls: what the second one gives is large. */
async function payTwice(store: Store, gives: ToolAnswer = 'a large receipt') {
  const paid: string[] = [];
  const pay = defineTool({
    name: 'pay',
    parameters: { type: 'object' },
    execute: (input: unknown) => {
      const { no } = input as { no: number };
      paid.push(`${no}`);
      return no === 1 ? 'Paid.' : gives;
    },
  });
  const calls = [1, 2].map((no) => ({ id: `c${no}`, name: 'pay', input: { no } }));
  const runtime = createRuntime({
    store,
    models: { scripted: scriptedModel([{ toolCalls: calls }, 'Both are paid.', 'Again.']) },
    tools: [pay],
    prompts: [definePrompt({ name: 'desk', tools: ['pay'] })],
    agents: [defineAgent({ name: 'desk', prompt: 'desk' })],
    lease: 200,
  });
  const thread = await runtime.createThread({ agent: 'desk' });
  const first = await thread.send('Pay both.', { id: 'r1' }).catch((error: unknown) => error);
  const results = async () =>
    (await thread.messages())
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id, content }) => `${tool_call_id}: ${content}`);
  return { runtime, thread, first, paid, results };
}

describe('the store refuses the row of a result', () => {
  test.each<Code>(['invalid_input', 'invalid_message', 'store_unreadable', 'late_write', 'plain'])(
    'with %s: the call is answered by a row that says so, and the turn goes on',
    async (code) => {
      const { store } = refusingStore((append) => holds(append, 'a large receipt'), code);
      const { runtime, first, paid, results } = await payTwice(store);
      expect(first).toMatchObject({ status: 'completed', text: 'Both are paid.' });
      const shown = code === 'plain' ? 'unexpected' : code;
      expect(await results()).toEqual([
        'c1: Paid.',
        expect.stringMatching(new RegExp(`^c2: This tool call is over, but .*\\(${shown}\\)`)),
      ]);
      expect(paid).toEqual(['1', '2']);
      expect(warnings.mock.calls.flat().join(' ')).toContain('the tool "pay"');
      expect(warnings.mock.calls.flat().join(' ')).not.toContain('SECRET');
      await runtime.close();
    },
  );

  test('once: the result itself is stored', async () => {
    const { store } = refusingStore((append) => holds(append, 'a large receipt'), 'store_unreadable', 1);
    const { runtime, first, results } = await payTwice(store);
    expect(first).toMatchObject({ status: 'completed' });
    expect(await results()).toEqual(['c1: Paid.', 'c2: a large receipt']);
    expect(warnings).not.toHaveBeenCalled();
    await runtime.close();
  });

  test.each<Code>(['invalid_input', 'plain'])(
    'and any other in its place, with %s: the turn stays open until the calls are answered',
    async (code) => {
      const { store, refusing } = refusingStore(isResult, code);
      const { runtime, thread, first, paid, results } = await payTwice(store);
      expect(first).toBeInstanceOf(Error);
      expect(await results()).toEqual([]);
      expect((await store.getThread(thread.id))?.turn).toMatchObject({ id: 'r1' });
      refusing.isOn = false;
      expect(await thread.send('Pay both.', { id: 'r1' })).toMatchObject({ status: 'completed' });
      expect(await results()).toHaveLength(2);
      expect(paid).toEqual(['1', '2']);
      await runtime.close();
    },
  );
});

test('the store refuses a file of a result: the call is answered, and the turn goes on', async () => {
  const store = memoryStore();
  store.writeFile = () => Promise.reject(new RunError('invalid_input', 'its path is too long'));
  const attachments = [{ name: 'receipt.txt', mimeType: 'text/plain', data: 'UGFpZC4=' }];
  const { runtime, first, results } = await payTwice(store, {
    status: 'success',
    result: 'see',
    attachments,
  });
  expect(first).toMatchObject({ status: 'completed' });
  expect(await results()).toEqual([
    'c1: Paid.',
    expect.stringContaining('did not take its result (invalid_input)'),
  ]);
  await runtime.close();
});

test('the store refuses the start of a call: the call is answered, and its turn ends', async () => {
  const isStart = ({ toolCalls, messages }: Append): boolean =>
    messages === undefined && (toolCalls?.some(({ status }) => status === 'started') ?? false);
  const { store } = refusingStore(isStart, 'invalid_input', 1);
  const paid: string[] = [];
  const runtime = createRuntime({
    store,
    models: { scripted: scriptedModel([{ toolCalls: [{ id: 'c1', name: 'pay' }] }, 'Fine.']) },
    tools: [defineTool({ name: 'pay', permission: 'ask', execute: () => void paid.push('1') })],
    prompts: [definePrompt({ name: 'desk', tools: ['pay'] })],
    agents: [defineAgent({ name: 'desk', prompt: 'desk' })],
    onAsk: () => true,
  });
  const thread = await runtime.createThread({ agent: 'desk' });
  await expect(thread.send('Pay.')).rejects.toMatchObject({ code: 'invalid_input' });
  const messages = await thread.messages();
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(messages[2]?.content).toContain('unknown whether it took effect');
  expect(paid).toEqual([]);
  await runtime.close();
});
