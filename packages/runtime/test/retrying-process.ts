import { defineHook } from '@spec/hooks';
import { openLasting } from './lasting-store.ts';
import { startRuntime } from './start-runtime.ts';

/** Waits for a retry that comes in an hour, in the thread `t` of a file: `retrying-process.ts FILE`. */

const overloaded = Object.assign(new Error('overloaded'), {
  statusCode: 503,
  responseHeaders: { 'retry-after': '3600' },
});
const { runtime } = startRuntime(openLasting(process.argv[2] as string), {
  script: [overloaded],
  retry: { maxDelay: '2h' },
  lease: '300ms',
  policies: [
    defineHook({
      hook: 'after_model_call',
      id: 'tell',
      execute: async (_state, { errorCode }) => void process.stdout.write(`${errorCode}\n`),
    }),
  ],
});
const thread = await runtime.createThread({ agent: 'agent', id: 't' });
await thread.send('Hello', { id: 'one' });
