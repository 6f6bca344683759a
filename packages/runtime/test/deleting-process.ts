import { type AnyHook, defineHook } from '@spec/hooks';
import { openLasting } from './lasting-store.ts';
import { ownWriter } from './own-writer.ts';
import { startRuntime } from './start-runtime.ts';

/** Runs a turn in the thread `t` of a new file, in which the message is written, deleted, and the process killed: `FILE WRITE`. */
async function main([path = '', write = '']: readonly string[]): Promise<void> {
  const kill = defineHook({
    hook: 'prefilter_llm_history',
    id: 'deletes',
    execute: async (state, messages) => {
      if (await state.deleteMessage('x')) process.kill(process.pid, 'SIGKILL');
      return messages;
    },
  }) as AnyHook;
  const store = openLasting(path);
  const script = [{ toolCalls: [{ id: 'c1', name: 'missing' }] }, 'Done.'];
  const { runtime } = startRuntime(store, { policies: [ownWriter(write), kill], script, lease: 20 });
  const thread = await runtime.createThread({ agent: 'agent', id: 't' });
  await thread.send('Go');
}

await main(process.argv.slice(2));
