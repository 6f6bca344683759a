import { createInterface } from 'node:readline';
import type { Store } from '../src/index.ts';
import { openLasting } from './lasting-store.ts';
import { startRuntime } from './start-runtime.ts';

/**
 * Sends a message under the id `x` in the thread `t` of a new file: `FILE`. It says each call of its store before it makes it, from the
 * one on that looks for the id, and goes on with the next line that it is given.
 */
async function main([path = '']: readonly string[]): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const file = openLasting(path);
  let isSending = false;
  let number = 0;
  const store = new Proxy(file, {
    get(target, name: keyof Store) {
      const method = Reflect.get(target, name) as (...all: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        if (isSending) {
          say(`point ${++number} ${name}`);
          await lines.next();
        }
        return method(...args);
      };
    },
  });
  const { runtime } = startRuntime(store, { script: ['Done.'], lease: 60_000 });
  const thread = await runtime.createThread({ agent: 'agent', id: 't' });
  isSending = true;
  const sending = thread.send({ id: 'x', content: 'sent' });
  const outcome = await sending.then(
    ({ status }) => status,
    ({ code }) => code,
  );
  isSending = false;
  say(`outcome ${outcome}`);
  await runtime.close();
  process.exit(0);
}

await main(process.argv.slice(2));
