import { setTimeout as wait } from 'node:timers/promises';
import { defineTool, type Thread } from '../src/index.ts';
import { type ScriptedStep, scriptedModel } from '../src/testing/index.ts';
import type { Setup } from './start-runtime.ts';

/** How long the thread of a process that died stays reserved for it, in milliseconds. */
const LEASE = 20;
const PAGES = 7;

/** Reads page after page, whatever it was told before the last one. */
const readOn: ScriptedStep = ({ prompt }) => {
  const last = Number(JSON.stringify(prompt.at(-1)).match(/page_(\d+)/)?.[1] ?? 0);
  if (last === PAGES) return 'Read.';
  return { toolCalls: [{ id: `page_${last + 1}`, name: 'read' }] };
};

/** Says what it was given, so that another summary of the same is the same. */
const summarise: ScriptedStep = ({ prompt }) => {
  const text = JSON.stringify(prompt[1]);
  return `Of ${text.match(/<message /g)?.length} messages, through ${text.match(/page_\d+/g)?.at(-1) ?? 'none'}.`;
};

/** One turn that is compacted more than once on its way. All of it comes out the same each time. */
export function compactedTurn(): Setup {
  const main = scriptedModel(Array.from({ length: 2 * PAGES }, () => readOn));
  const small = scriptedModel(Array.from({ length: 2 * PAGES }, () => summarise));
  const read = defineTool({
    name: 'read',
    onInterrupted: 'retry',
    execute: () => 'a page of text '.repeat(20),
  });
  return {
    models: { main, small },
    tools: [read],
    prompt: { model: 'main', compaction: { model: 'small', atTokens: 250, keepTokens: 80 } },
    lease: LEASE,
  };
}

/** Runs the turn, or what a process that died has left of it. */
export async function sendWhereFree(thread: Thread): Promise<void> {
  for (;;) {
    try {
      await thread.send('Read it.', { id: 'turn' });
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'thread_busy') throw error;
      await wait(LEASE / 4);
    }
  }
}
