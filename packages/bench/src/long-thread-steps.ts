// A process of the long-thread bench: `long-thread-steps.ts FILE` runs turns on the thread in the file, and sends what they took.
import { limitMessages } from '@spec/builtins';
import { createRuntime, defineAgent, definePrompt } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';
import { median } from './measure.ts';

/** What the turns of one process took. */
export interface StepFigures {
  /** For one turn: the median. */
  readonly nanoseconds: number;
  /** The most memory that the process had at a time. */
  readonly peakBytes: number;
}

const WARM = 50;
const TURNS = 200;

function* answers(): Generator<string> {
  for (;;) yield 'It was shipped on Friday.';
}

const runtime = createRuntime({
  policies: [limitMessages(20)],
  models: { scripted: scriptedModel(answers()) },
  prompts: [definePrompt({ name: 'prompt' })],
  agents: [defineAgent({ name: 'agent', prompt: 'prompt' })],
  store: sqliteStore({ path: process.argv[2] as string, synchronous: 'NORMAL' }),
});
const thread = await runtime.openThread('thread');
const took: number[] = [];
for (let turn = 0; turn < WARM + TURNS; turn++) {
  const startedAt = performance.now();
  await thread.send('Where is it?');
  if (turn >= WARM) took.push(performance.now() - startedAt);
}
await runtime.close();
const peakBytes = process.resourceUsage().maxRSS * 1_024;
process.send?.({ nanoseconds: median(took) * 1e6, peakBytes } satisfies StepFigures);
process.disconnect?.();
