import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { type AnyTool, defineTool } from '../src/index.ts';
import { afterCrash, hangAt } from './after-crash.ts';
import { gate, type Kit, lines, never, onBothStores } from './kit.ts';

const callBoth = { toolCalls: [{ name: 'pay' }, { name: 'tell' }] };
const tell = defineTool({ name: 'tell', execute: never<string> });
const unknown =
  'tool: The process stopped while this tool call was under way. It is unknown whether it ran: check before you call it again.';

function payTool(execute: () => Promise<string>): AnyTool {
  return defineTool({ name: 'pay', execute });
}

/** Stops a left turn before anything of it is looked at. */
async function stopAtOnce(kit: Kit, again: 'resume' | 'send'): Promise<readonly string[]> {
  const { open, opened } = gate();
  const thread = await afterCrash(
    kit,
    { tools: [payTool(hangAt(open)), tell], script: [callBoth], reached: opened, turnId: 'turn-1' },
    { tools: [payTool(never), tell], script: ['fine'] },
  );
  thread.on(({ type }) => {
    if (type === 'turn_started') void thread.stop();
  });
  const ended = again === 'send' ? thread.send('Go', { id: 'turn-1' }) : thread.resume();
  expect(await ended).toMatchObject({ status: 'aborted', turnId: 'turn-1' });
  expect((await kit.store.getThread('t'))?.turn).toBeNull();
  return lines(thread);
}

for (const again of ['resume', 'send'] as const)
  onBothStores(
    `a left turn that is stopped as it goes on (${again}) answers its calls first`,
    async (kit) => {
      expect(await stopAtOnce(kit, again)).toEqual(['user: Go', 'assistant: null', unknown, unknown]);
    },
  );

onBothStores('a left turn that is stopped as it goes on answers queued calls first', async (kit) => {
  const { open, opened } = gate();
  const queueing = defineHook({
    hook: 'before_user_message',
    id: 'queueing',
    execute: async (state) => {
      await state.queueTool('pay', {});
      return null;
    },
  });
  const thread = await afterCrash(
    kit,
    { tools: [payTool(hangAt(open))], policies: [queueing], script: [], reached: opened },
    { tools: [payTool(never)], script: ['fine'] },
  );
  thread.on(({ type }) => {
    if (type === 'turn_started') void thread.stop();
  });
  expect(await thread.resume()).toMatchObject({ status: 'aborted' });
  const [, call, result, ...more] = await lines(thread);
  expect([call, result, more]).toEqual(['assistant: null', unknown, []]);
});
