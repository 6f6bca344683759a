import { expect, test } from 'vitest';
import { createKit, gate, onBothStores, runWhatIsReady } from '../../test/kit.ts';
import { defineTool, memoryStore } from '../index.ts';
import { streamTurn, toUIMessageStream, type UIMessageChunk } from './index.ts';

async function all(stream: ReadableStream<UIMessageChunk>): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const joinText = (chunks: readonly UIMessageChunk[]): string =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');

onBothStores('turns that wait for each other each have a stream of their own', async (kit) => {
  const { thread } = await kit.thread({ script: ['one', 'two', 'three'] });
  const streams = ['1', '2', '3'].map((text) => all(streamTurn(thread, text)));
  expect((await Promise.all(streams)).map(joinText)).toEqual(['one', 'two', 'three']);
});

onBothStores('a thread that takes no messages is told of by its code', async (kit) => {
  const told: unknown[] = [];
  const { thread } = await kit.thread({ script: ['one'] });
  await thread.state.terminate();
  const ended = await all(streamTurn(thread, 'Hi', { onError: (error) => told.push(error) }));
  const error = { type: 'error', errorText: 'The turn ended with an error: thread_terminated.' };
  expect(ended).toEqual([{ type: 'start' }, error]);
  expect(told).toMatchObject([{ code: 'thread_terminated' }]);
  await thread.close();
  expect(await all(streamTurn(thread, 'Hi', { errorText: ({ code }) => code }))).toContainEqual({
    type: 'error',
    errorText: 'closed',
  });
});

test('nobody waits for a stream that is not read', async () => {
  const kit = createKit(memoryStore());
  const { thread } = await kit.thread({ script: ['one', 'two'] });
  const unread = streamTurn(thread, 'Hi');
  await runWhatIsReady(20);
  await thread.idle();
  expect(await thread.send('Again')).toMatchObject({ status: 'completed', text: 'two' });
  expect(joinText(await all(unread))).toBe('one');
  await kit.close();
});

test('a turn that is running can be followed from where it is', async () => {
  const kit = createKit(memoryStore());
  const { opened: started, open: start } = gate();
  const { opened: finished, open: finish } = gate<string>();
  const hang = defineTool({
    name: 'hang',
    execute: () => {
      start();
      return finished;
    },
  });
  const { thread } = await kit.thread({
    tools: [hang],
    script: [{ text: 'Wait.', toolCalls: [{ name: 'hang' }] }, 'Done.'],
  });
  const turn = thread.send('Hi');
  await started;
  const rest = all(toUIMessageStream(thread.events()));
  finish('worked');
  await turn;
  const chunks = await rest;
  expect(joinText(chunks)).toBe('Done.');
  expect(chunks).toContainEqual({ type: 'tool-output-available', toolCallId: 'call_1', output: 'worked' });
  expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' });
  await kit.close();
});
