import { openLasting } from './lasting-store.ts';
import { startRuntime } from './start-runtime.ts';
import { show } from './thinking-turn.ts';

/** Runs a turn whose tool injects and queues an image and then never ends, in the thread `t` of a file: `given-process.ts FILE`. */

const { runtime } = startRuntime(openLasting(process.argv[2] as string), {
  script: [{ toolCalls: [{ name: 'show' }] }],
  tools: [
    show(() => {
      process.stdout.write('shown\n');
      return new Promise(() => setInterval(() => {}, 1_000));
    }),
  ],
  lease: '300ms',
});
const thread = await runtime.createThread({ agent: 'agent', id: 't' });
await thread.send('Show it.', { id: 'one' });
