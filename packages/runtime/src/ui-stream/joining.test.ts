import { readUIMessageStream, type UIMessage } from 'ai';
import { expect } from 'vitest';
import { gate, type Kit, onBothStores } from '../../test/kit.ts';
import { defineTool } from '../index.ts';
import type { Thread } from '../thread.ts';
import { toUIMessageStream, toUIMessages } from './index.ts';

const pieces = ['call', 'ing ', 'now'];

/** What a page shows that joins now: what is stored, and what comes after. */
async function join(thread: Thread): Promise<{ shown: Promise<UIMessage | undefined> }> {
  const events = thread.events({ children: true });
  const known = await thread.messages();
  const last = toUIMessages(known).at(-1);
  const message = last?.role === 'assistant' ? (last as UIMessage) : undefined;
  const stream = toUIMessageStream(events, { threadId: thread.id, known }) as never;
  const shown = (async () => {
    let now = message;
    for await (const next of readUIMessageStream({ ...(message && { message }), stream })) now = next;
    return now;
  })();
  return { shown };
}

function partsOf(message: { parts: readonly unknown[] } | undefined): unknown[] {
  return ((message?.parts ?? []) as UIMessage['parts']).flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return 'output' in part ? [part.output] : [];
  });
}

/** A thread whose model stops at each piece of its text until it is told to go on. */
async function pausingThread(kit: Kit) {
  const gates = pieces.map(() => ({ reached: gate(), goOn: gate() }));
  const started = await kit.thread({
    tools: [defineTool({ name: 'look', execute: () => 'seen' })],
    script: [{ text: pieces.join(''), toolCalls: [{ name: 'look' }] }, 'the end'],
  });
  const { model, thread } = started;
  const doStream = model.doStream.bind(model);
  let isFirst = true;
  model.doStream = async (options) => {
    const result = await doStream(options);
    if (!isFirst) return result;
    isFirst = false;
    let at = 0;
    const stream = result.stream.pipeThrough(
      new TransformStream({
        async transform(part, controller) {
          if (part.type !== 'text-delta') return controller.enqueue(part);
          if (at > 0) return;
          for (const delta of pieces) {
            controller.enqueue({ ...part, delta });
            const { reached, goOn } = gates[at++] as (typeof gates)[number];
            reached.open();
            await goOn.opened;
          }
        },
      }),
    );
    return { ...result, stream };
  };
  return { thread, gates };
}

onBothStores('a page that joins a turn at any piece of its text shows all of it', async (kit) => {
  const { thread, gates } = await pausingThread(kit);
  const sent = thread.send('Go');
  const joined: Promise<UIMessage | undefined>[] = [];
  for (const { reached, goOn } of gates) {
    await reached.opened;
    const { shown } = await join(thread);
    joined.push(shown);
    goOn.open();
  }
  await sent;
  const whole = partsOf(toUIMessages(await thread.messages()).at(-1));
  expect(whole).toEqual(['calling now', 'seen', 'the end']);
  for (const shown of joined) expect(partsOf(await shown)).toEqual(whole);
});

onBothStores('what an earlier turn said is not told to who joins the next', async (kit) => {
  const { thread } = await kit.thread({ script: ['one', 'two'] });
  await thread.send('Go');
  const texts: string[] = [];
  const reader = thread.events();
  await thread.send('Go');
  await thread.close();
  for await (const event of reader) if (event.type === 'text') texts.push(event.text);
  expect(texts.join('')).toBe('two');
});

onBothStores('what is edited during a turn is shown on the page', async (kit) => {
  const edit = defineTool({
    name: 'edit',
    execute: async (_input, { state }) => {
      const messages = await state.getMessages();
      const answer = messages.findLast(({ role }) => role === 'assistant');
      await state.updateMessage(answer?.id ?? '', { content: 'edited text' });
      const result = messages.findLast(({ role }) => role === 'tool');
      if (result !== undefined) await state.updateMessage(result.id, { content: 'edited result' });
      if (result !== undefined) await state.updateMessage(result.id, { note: 'nothing that is shown' });
      return 'done';
    },
  });
  const look = defineTool({ name: 'look', execute: () => 'seen' });
  const { thread } = await kit.thread({
    tools: [edit, look],
    script: [
      { text: 'first', toolCalls: [{ id: 'c1', name: 'look' }] },
      { text: 'second', toolCalls: [{ id: 'c2', name: 'edit' }] },
      'the end',
    ],
  });
  const { shown } = await join(thread);
  await thread.send('Go');
  expect(partsOf(await shown)).toEqual([
    'first',
    'edited result',
    'second',
    'done',
    'edited text',
    'the end',
  ]);
});
