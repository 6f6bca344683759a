import { canaries } from './canaries.ts';
import { openLasting } from './lasting-store.ts';
import { startRuntime } from './start-runtime.ts';

/** A process to be killed while a tool hangs, in the thread `t` of a new file: `FILE`. */
const [, , path = ''] = process.argv;
const { runtime } = startRuntime(openLasting(path, 'FULL'), {
  ...canaries(() => new Promise(() => setInterval(() => {}, 60_000))),
  lease: 20,
});
const thread = await runtime.createThread({ agent: 'agent', id: 't' });
await thread.send('Deny me.', { id: 'denied' });
await thread.send('Go', { id: 'going' });
