import { join } from 'node:path';
import { limitMessages, logToolCalls, stampMetadata } from '@spec/builtins';
import { defineHook } from '@spec/hooks';
import {
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type Runtime,
  type RuntimeOptions,
  type Store,
} from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { fill } from '../fill.ts';
import type { Connection, ConnectOptions } from './contender.ts';
import { model } from './model.ts';
import { log, QUESTION, RESULT, redacted, TOOL, WINDOW } from './workload.ts';

const redactCards = defineHook({
  hook: 'before_store_tool_result',
  id: 'redact_cards',
  execute: async (_state, _call, result) => ({ ...result, result: redacted(String(result.result)) }),
});

/** The file's name in the folder. */
export const FILE = 'turns.db';

type More = Pick<RuntimeOptions, 'ledger' | 'engine' | 'lease'>;

/**
 * This project: a runtime with the four hooks as policies on one SQLite file.
 *
 * @param more Options of the runtime beyond those.
 */
export async function connect({ folder, synchronous }: ConnectOptions, more: More = {}): Promise<Connection> {
  return connectTo(sqliteStore({ path: join(folder, FILE), synchronous }), more);
}

/** The same runtime on another store. */
export function connectTo(store: Store, more: More = {}): Connection {
  const runtime = startRuntime(store, more);
  let threads = 0;
  return {
    async thread(length) {
      const id = `thread-${threads++}`;
      await fill(store, id, length);
      const thread = await runtime.openThread(id);
      return () => thread.send(QUESTION);
    },
    close: () => runtime.close(),
  };
}

/** The runtime itself. */
export function startRuntime(store: Store, more: More = {}): Runtime {
  return createRuntime({
    policies: [limitMessages(WINDOW), redactCards, stampMetadata(), ...logToolCalls({ sink: log })],
    models: { scripted: model() },
    tools: [defineTool({ name: TOOL, execute: () => RESULT })],
    prompts: [definePrompt({ name: 'prompt', tools: [TOOL] })],
    agents: [defineAgent({ name: 'agent', prompt: 'prompt' })],
    store,
    ...more,
  });
}
