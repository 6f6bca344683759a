import { defineHook } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { gate, type Kit, lines, never, onBothStores, thrownBy } from '../test/kit.ts';
import { Mortality } from '../test/mortal-store.ts';
import { type Setup, startRuntime } from '../test/start-runtime.ts';
import { type AnyTool, defineTool, type Thread } from './index.ts';

/** Runs a turn in a process that dies when `reached` opens; gives the thread as the next process has it. */
async function afterCrash(kit: Kit, dying: Setup & { reached: Promise<void> }, next: Setup): Promise<Thread> {
  const { reached, ...setup } = dying;
  const mortality = new Mortality();
  const { runtime } = startRuntime(mortality.storeOf(kit.store), { lease: 20, ...setup });
  const thread = await runtime.createThread({ agent: 'agent', id: 't' });
  void thread.send('Go');
  await reached;
  mortality.die();
  await new Promise((resolve) => setTimeout(resolve, 30)); // Its lease runs out.
  return kit.start({ lease: 20, ...next }).runtime.openThread('t');
}

function payTool(onInterrupted: 'retry' | 'fail' | undefined, run: (id: string) => Promise<string>): AnyTool {
  const policy = onInterrupted === undefined ? {} : { onInterrupted };
  return defineTool({ name: 'pay', ...policy, execute: (_, { toolCallId }) => run(toolCallId) });
}

/** Says that it was reached, and never comes back. */
function hangAt(reached: () => void): () => Promise<never> {
  return () => {
    reached();
    return never();
  };
}

const callPay = { toolCalls: [{ id: 'c1', name: 'pay' }] };

describe('a tool call that had started when the process died', () => {
  onBothStores('is answered with an error by default: it is unknown whether it ran', async (kit) => {
    const { open, opened } = gate();
    const tools = [payTool(undefined, hangAt(open))];
    let ran = 0;
    const again = [payTool(undefined, async () => `${++ran}`)];
    const thread = await afterCrash(
      kit,
      { tools, script: [callPay], reached: opened },
      { tools: again, script: ['I see.'] },
    );
    expect(await thread.resume()).toMatchObject({ status: 'completed', text: 'I see.', steps: 2 });
    expect(ran).toBe(0);
    expect(await lines(thread)).toEqual([
      'user: Go',
      'assistant: null',
      'tool: The process stopped while this tool call was under way. It is unknown whether it ran: check before you call it again.',
      'assistant: I see.',
    ]);
    expect(await thread.resume()).toBeNull();
  });

  onBothStores('runs again with its id where the tool says so, and every deny holds again', async (kit) => {
    const { open, opened } = gate();
    const seen: string[] = [];
    const tools = [
      payTool('retry', (id) => {
        seen.push(id);
        return hangAt(open)();
      }),
    ];
    const again = [payTool('retry', async (id) => `paid ${seen.push(id)}`)];
    const dying = { tools, script: [callPay], reached: opened };
    const thread = await afterCrash(kit, dying, { tools: again, script: ['Done.'] });
    expect(await thread.resume()).toMatchObject({ text: 'Done.' });
    expect(seen).toEqual(['c1', 'c1']);
  });

  onBothStores('is denied where a policy denies it now', async (kit) => {
    const { open, opened } = gate();
    const tools = [payTool('retry', hangAt(open))];
    let ran = 0;
    const again = [payTool('retry', async () => `${++ran}`)];
    const deny = defineHook({
      hook: 'before_tool_call',
      id: 'no_paying',
      execute: async (_) => ({ decision: 'deny', reason: 'Closed.' }),
    });
    const dying = { tools, script: [callPay], reached: opened };
    const thread = await afterCrash(kit, dying, { tools: again, policies: [deny], script: ['Done.'] });
    await thread.resume();
    expect(ran).toBe(0);
    expect((await lines(thread))[2]).toBe('tool: This tool call was denied by no_paying. Closed.');
  });

  onBothStores('had not started while it was decided on: it runs', async (kit) => {
    const { open, opened } = gate();
    const think = (decide: () => Promise<null>) =>
      defineHook({ hook: 'before_tool_call', id: 'think', execute: decide });
    const tools = [payTool(undefined, async () => 'paid')];
    const hanging = think(hangAt(open));
    const dying = { tools, policies: [hanging], script: [callPay], reached: opened };
    const thread = await afterCrash(kit, dying, {
      tools,
      policies: [think(async () => null)],
      script: ['Done.'],
    });
    await thread.resume();
    expect(await lines(thread)).toEqual(['user: Go', 'assistant: null', 'tool: paid', 'assistant: Done.']);
  });
});

onBothStores('a message finishes the turn that was left behind first', async (kit) => {
  const { open, opened } = gate();
  const hanging = [hangAt(open)];
  const thread = await afterCrash(
    kit,
    { script: hanging, reached: opened },
    { script: ['First.', 'Second.'] },
  );
  expect(await thread.send('And?')).toMatchObject({ text: 'Second.' });
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: First.', 'user: And?', 'assistant: Second.']);
});

onBothStores('a turn left behind that fails again is over, and the next one runs', async (kit) => {
  const { open, opened } = gate();
  const hanging = [hangAt(open)];
  const script = [new Error('down'), 'Second.'];
  const thread = await afterCrash(kit, { script: hanging, reached: opened }, { script });
  expect(await thread.send('And?')).toMatchObject({ text: 'Second.' });
  expect((await kit.store.getThread('t'))?.turn).toBeNull();
});

describe('a turn under an id of the caller’s', () => {
  onBothStores('is one turn however often it is sent', async (kit) => {
    const { thread, model } = await kit.thread({ script: ['one'] });
    const sent = await Promise.all([1, 2].map(() => thread.send('Go', { id: 'order-7' })));
    const later = await thread.send('Go', { id: 'order-7' });
    expect([...sent, later].map(({ text, turnId }) => [text, turnId])).toEqual(
      Array.from({ length: 3 }, () => ['one', 'order-7']),
    );
    expect(model.calls).toHaveLength(1);
    await thread.close();
    const reopened = await kit.start().runtime.openThread(thread.id);
    expect(await reopened.send('Go', { id: 'order-7' })).toEqual(later);
  });

  onBothStores('keeps its error too, and tells it again', async (kit) => {
    const { thread, model } = await kit.thread({ script: [new Error('secret detail'), 'never'] });
    const first = await thrownBy(thread.send('Go', { id: 'x' }));
    const second = await thrownBy(thread.send('Go', { id: 'x' }));
    expect([first.code, second.code, second.message]).toEqual([
      'model_failed',
      'model_failed',
      first.message,
    ]);
    expect(model.calls).toHaveLength(1);
  });
});
