// Demo: a support agent with a scripted model that shows hooks at work. `spec-hooks replay` without a file calls it; it never asks a real model.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { AnyHook, HookMessage } from '@spec/hooks';
import { createRuntime, type LanguageModel, type LedgerEntry } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { type ModelPrompt, observedModel } from '../observed-model.ts';
import { openReplayStores } from '../replay-stores.ts';
import { demoAgent, demoPrompt, demoScript, demoTools, demoUser } from './support-agent.ts';

/** What the demonstration has to show. */
export interface DemoResult {
  readonly label: string;
  /** `null`: what was stored is gone. */
  readonly db: string | null;
  readonly thread: string;
  readonly runs: readonly LedgerEntry[];
  /** What the model was sent, call by call. */
  readonly prompts: readonly ModelPrompt[];
  readonly stored: readonly HookMessage[];
  readonly said: readonly string[];
  readonly ms: number;
}

/** Runs the support agent's conversation under the hooks, in memory or in a SQLite file. */
export async function runDemo(
  hooks: readonly AnyHook[],
  where: { readonly db: string | undefined; readonly keep: boolean },
): Promise<DemoResult> {
  const startedAt = performance.now();
  const stores = await openReplayStores(where, 'support.db');
  const { model, label } = demoModel(process.env);
  const prompts: ModelPrompt[] = [];
  const runtime = createRuntime({
    policies: hooks,
    models: { support: observedModel(model, (prompt) => prompts.push(prompt)) },
    tools: demoTools,
    prompts: [demoPrompt],
    agents: [demoAgent],
    store: stores.open(),
  });
  try {
    const thread = await runtime.createThread({ agent: 'support' });
    for (const text of demoUser) await thread.send(text);
    const [stored, runs] = [await thread.messages(), await thread.runs()];
    const ms = performance.now() - startedAt;
    return { label, db: stores.db, thread: thread.id, runs, stored, prompts, said: demoUser, ms };
  } finally {
    await runtime.close();
    await stores.close();
  }
}

interface DemoModel {
  readonly model: LanguageModel;
  /** For the reader: who answers. */
  readonly label: string;
}

/**
 * A real model where `OPENAI_API_KEY` is set (with `OPENAI_BASE_URL` and `OPENAI_MODEL` for any provider that speaks the
 * same protocol), else the script.
 */
function demoModel(env: NodeJS.ProcessEnv): DemoModel {
  const {
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1',
    OPENAI_MODEL: name = 'gpt-4o-mini',
  } = env;
  if (apiKey === undefined || apiKey === '')
    return {
      model: scriptedModel(demoScript),
      label: 'a scripted model (set OPENAI_API_KEY for a real one)',
    };
  return { model: createOpenAICompatible({ name: 'openai', baseURL, apiKey }).chatModel(name), label: name };
}
