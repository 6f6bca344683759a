// A process of the idle-threads benches: `idle-threads-process.ts FILE COUNT` lets so many threads have a turn, and tells what they cost at rest.
import { createRuntime, defineAgent, definePrompt } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { model } from './turn/model.ts';

export interface IdleFigures {
  /** Of the heap and beyond it, for one thread. */
  readonly bytesPerThread: number;
  /** Timers, files, pipes: what `process.getActiveResourcesInfo` lists. */
  readonly handles: number;
}

const WARM_UP = 100;
const AT_ONCE = 100;

const [path = '', count = ''] = process.argv.slice(2);
const runtime = createRuntime({
  models: { scripted: model() },
  prompts: [definePrompt({ name: 'prompt' })],
  agents: [defineAgent({ name: 'agent', prompt: 'prompt' })],
  store: sqliteStore({ path, synchronous: 'NORMAL' }),
});
const threads: unknown[] = [];

/** Opens threads, each with a message and its answer, and keeps them open. */
async function open(more: number): Promise<void> {
  for (let opened = 0; opened < more; opened += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, openOne));
}

async function openOne(): Promise<void> {
  const thread = await runtime.createThread({ agent: 'agent' });
  await thread.send('Where is it?');
  threads.push(thread);
}

/** Bytes in use, once nothing is under way and garbage is gone. */
async function bytesInUse(): Promise<number> {
  for (let times = 0; times < 5; times++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

await open(WARM_UP);
const before = await bytesInUse();
await open(Number(count));
const bytesPerThread = ((await bytesInUse()) - before) / Number(count);
const handles = process.getActiveResourcesInfo().length;
process.send?.({ bytesPerThread, handles } satisfies IdleFigures);
await runtime.close();
process.disconnect?.();
