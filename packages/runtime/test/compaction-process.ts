import type { Append, Store } from '../src/index.ts';
import { compactedTurn, sendWhereFree } from './compacted-turn.ts';
import { openLasting } from './lasting-store.ts';
import { startRuntime } from './start-runtime.ts';

/** A process that runs a turn with compactions in a file, and kills itself where summary `NUMBER` is stored: `FILE NUMBER before|after`. */
async function main([path = '', number, when]: readonly string[]): Promise<void> {
  const die = (): void => void process.kill(process.pid, 'SIGKILL');
  const file = openLasting(path);
  let summaries = 0;
  const append: Store['append'] = async (threadId, fence, what: Append) => {
    const isLast = Boolean(what.thread?.compaction) && ++summaries === Number(number);
    if (isLast && when === 'before') die();
    await file.append(threadId, fence, what);
    if (isLast) die();
  };
  const { runtime } = startRuntime({ ...file, append }, compactedTurn());
  await sendWhereFree(await runtime.createThread({ agent: 'agent', id: 't' }));
  await runtime.close();
}

await main(process.argv.slice(2));
