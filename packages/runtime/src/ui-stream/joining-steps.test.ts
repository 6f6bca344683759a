import { readUIMessageStream, type UIMessage } from 'ai';
import { expect } from 'vitest';
import { gate, onBothStores } from '../../test/kit.ts';
import { defineTool } from '../index.ts';
import { toUIMessageStream, toUIMessages } from './index.ts';

onBothStores(
  'a page that joins in a step whose calls have the ids of earlier ones shows the earlier ones, too',
  async (kit) => {
    const [reached, goOn] = [gate(), gate()];
    const call = (of: string) => ({ toolCalls: [{ id: 'call_0', name: 'look', input: { of } }] });
    const script = [
      call('first'),
      async () => {
        reached.open();
        await goOn.opened;
        return call('second');
      },
      'Done.',
    ];
    const tools = [defineTool({ name: 'look', execute: ({ of }) => `the ${of}` })];
    const { thread } = await kit.thread({ tools, script });
    const sending = thread.send('Go');
    await reached.opened;
    const events = thread.events({ children: true });
    const known = await thread.messages();
    const stream = toUIMessageStream(events, { threadId: thread.id, known }) as never;
    let shown = toUIMessages(known).at(-1) as UIMessage;
    goOn.open();
    for await (const next of readUIMessageStream({ message: shown, stream })) shown = next;
    await sending;
    const outputs = shown.parts.flatMap((part) => ('output' in part ? [part.output] : []));
    expect(outputs).toEqual(['the first', 'the second']);
    const reloaded = toUIMessages(await thread.messages()).at(-1) as UIMessage;
    expect(shown.parts.map(({ type }) => type)).toEqual(reloaded.parts.map(({ type }) => type));
  },
);
