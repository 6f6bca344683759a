import { readUIMessageStream, type UIMessage } from 'ai';
import { expect } from 'vitest';
import { gate, type Kit, onBothStores, type Setup } from '../../test/kit.ts';
import { defineAgent, definePrompt, defineTool } from '../index.ts';
import type { Thread } from '../runtime/thread.ts';
import { toUIMessageStream, toUIMessages } from './index.ts';

const pieces = ['call', 'ing ', 'now'];

interface Joined {
  readonly shown: Promise<UIMessage | undefined>;
  /** Its tool part, as often as the page changed. */
  readonly states: unknown[];
}

/** What a page shows that joins now: what is stored, and what comes after. */
async function join(thread: Thread): Promise<Joined> {
  const events = thread.events({ children: true });
  const known = await thread.messages();
  const last = toUIMessages(known).at(-1);
  const message = last?.role === 'assistant' ? (last as UIMessage) : undefined;
  const stream = toUIMessageStream(events, { threadId: thread.id, known }) as never;
  const states: unknown[] = [];
  const shown = (async () => {
    let now = message;
    for await (const next of readUIMessageStream({ ...(message && { message }), stream })) {
      now = next;
      states.push(structuredClone(findToolPart(next)));
    }
    return now;
  })();
  return { shown, states };
}

function listParts(message: { parts: readonly unknown[] } | undefined): unknown[] {
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
  const whole = listParts(toUIMessages(await thread.messages()).at(-1));
  expect(whole).toEqual(['calling now', 'seen', 'the end']);
  for (const shown of joined) expect(listParts(await shown)).toEqual(whole);
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
  expect(listParts(await shown)).toEqual([
    'first',
    'edited result',
    'second',
    'done',
    'edited text',
    'the end',
  ]);
});

/** A thread on which `look` is called and does not go on until it is told to. */
async function lookingThread(kit: Kit) {
  const reached = gate();
  const goOn = gate();
  const look = defineTool({
    name: 'look',
    execute: async () => {
      reached.open();
      await goOn.opened;
      return 'seen';
    },
  });
  const { thread } = await kit.thread({
    tools: [look],
    script: [{ text: 'I look', toolCalls: [{ id: 'c1', name: 'look', input: { at: 'it' } }] }, 'the end'],
  });
  const sent = thread.send('Go');
  await reached.opened;
  return { thread, sent, goOn };
}

function findToolPart(message: UIMessage | undefined): unknown {
  return message?.parts.find(({ type }) => type.startsWith('tool-'));
}

onBothStores('a page that joins while a tool runs keeps what the tool was called with', async (kit) => {
  const { thread, sent, goOn } = await lookingThread(kit);
  const { shown } = await join(thread);
  goOn.open();
  await sent;
  expect(findToolPart(await shown)).toMatchObject({
    state: 'output-available',
    input: { at: 'it' },
    output: 'seen',
  });
});

onBothStores('an edit of what a page knew as it joined is shown', async (kit) => {
  const { thread, sent, goOn } = await lookingThread(kit);
  const { shown } = await join(thread);
  const answer = (await thread.messages()).findLast(({ role }) => role === 'assistant');
  await thread.update(answer?.id ?? '', { content: 'edited text' });
  goOn.open();
  await sent;
  expect(listParts(await shown)).toEqual(['I look', 'seen', 'edited text', 'the end']);
});

/** A thread that asks a person about `pay`, and waits. */
async function askingThread(kit: Kit, setup: Setup) {
  const asked = gate<string>();
  const answered = gate<boolean>();
  const { thread } = await kit.thread({
    onAsk: ({ id }) => {
      asked.open(id);
      return answered.opened;
    },
    ...setup,
  });
  const sent = thread.send('Go');
  return { thread, sent, askId: await asked.opened, answer: answered.open };
}

const pay = (execute: () => string | Promise<string> = () => 'paid') =>
  defineTool({ name: 'pay', permission: 'ask', execute });

const paying = [{ toolCalls: [{ id: 'c1', name: 'pay', input: { cents: 5 } }] }, 'the end'];

for (const allowed of [true, false])
  onBothStores(`a page that joins sees the question that waits, and its answer ${allowed}`, async (kit) => {
    const { thread, sent, askId, answer } = await askingThread(kit, { tools: [pay()], script: paying });
    const { shown, states } = await join(thread);
    await expect
      .poll(() => states.at(-1))
      .toMatchObject({
        state: 'approval-requested',
        input: { cents: 5 },
        approval: { id: askId },
      });
    answer(allowed);
    await sent;
    expect(findToolPart(await shown)).toMatchObject(
      allowed ? { state: 'output-available', output: 'paid' } : { state: 'output-denied' },
    );
  });

onBothStores('a page that joins after the answer is asked nothing', async (kit) => {
  const running = gate();
  const goOn = gate();
  const slow = pay(async () => {
    running.open();
    await goOn.opened;
    return 'paid';
  });
  const { thread, sent, answer } = await askingThread(kit, { tools: [slow], script: paying });
  const before = await join(thread);
  answer(true);
  await running.opened;
  await expect.poll(() => before.states.at(-1)).toMatchObject({ state: 'input-available' });
  const after = await join(thread);
  goOn.open();
  await sent;
  expect(await after.shown).toBeDefined();
  expect(after.states.map((part) => (part as { state: string }).state)).not.toContain('approval-requested');
});

onBothStores('a page that joins sees what a person is asked about in a subagent', async (kit) => {
  const { thread, sent, askId, answer } = await askingThread(kit, {
    tools: [pay(), defineTool({ name: 'helper', agent: 'helper' })],
    agents: [defineAgent({ name: 'helper', prompt: 'helper' })],
    prompts: [definePrompt({ name: 'helper', tools: ['pay'] })],
    script: [{ toolCalls: [{ name: 'helper', input: { message: 'Pay' } }] }, ...paying, 'the end'],
  });
  const { shown } = await join(thread);
  answer(true);
  await sent;
  const part = (await shown)?.parts.find(({ type }) => type === 'data-permission');
  expect(part).toMatchObject({
    id: askId,
    data: { askId, tool: 'pay', input: { cents: 5 }, answer: 'allowed' },
  });
});

for (const [allowed, state] of [
  [true, 'output-available'],
  [false, 'output-denied'],
] as const)
  onBothStores(`a call of a tool's own that asks ends on the page: ${state}`, async (kit) => {
    const outer = defineTool({
      name: 'outer',
      execute: async (_input, { state: inner }) => (await inner.invokeTool('pay', { cents: 5 })).result ?? '',
    });
    const { thread, sent, answer } = await askingThread(kit, {
      tools: [outer, pay()],
      script: [{ toolCalls: [{ id: 'c1', name: 'outer' }] }, 'the end'],
    });
    const { shown } = await join(thread);
    answer(allowed);
    await sent;
    const part = (await shown)?.parts.find(({ type }) => type === 'tool-pay');
    expect(part).toMatchObject({ state, input: { cents: 5 } });
  });
