// Demo: a support agent with a scripted model that shows hooks at work. `spec-hooks replay` without a file calls it; it never asks a real model.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyHook, HookMessage } from '@spec/hooks';
import { createRuntime, type LedgerEntry } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { type ModelPrompt, observedModel } from '../observed-model.ts';
import { demoModel } from './model.ts';
import { demoAgent, demoPrompt, demoTools, demoUser } from './support-agent.ts';

/** What the demonstration has to show. */
export interface DemoResult {
  readonly label: string;
  readonly db: string;
  readonly runs: readonly LedgerEntry[];
  /** What the model was sent, call by call. */
  readonly prompts: readonly ModelPrompt[];
  readonly stored: readonly HookMessage[];
  readonly said: readonly string[];
  readonly ms: number;
}

/** Runs the support agent's conversation under the hooks, on a SQLite file. */
export async function runDemo(hooks: readonly AnyHook[], db: string | undefined): Promise<DemoResult> {
  const startedAt = performance.now();
  const path = db ?? join(await mkdtemp(join(tmpdir(), 'spec-hooks-')), 'support.db');
  const { model, label } = demoModel(process.env);
  const prompts: ModelPrompt[] = [];
  const runtime = createRuntime({
    policies: hooks,
    models: { support: observedModel(model, (prompt) => prompts.push(prompt)) },
    tools: demoTools,
    prompts: [demoPrompt],
    agents: [demoAgent],
    store: sqliteStore({ path }),
  });
  try {
    const thread = await runtime.createThread({ agent: 'support' });
    for (const text of demoUser) await thread.send(text);
    const [stored, runs] = [await thread.messages(), await thread.runs()];
    return { label, db: path, runs, stored, prompts, said: demoUser, ms: performance.now() - startedAt };
  } finally {
    await runtime.close();
  }
}
