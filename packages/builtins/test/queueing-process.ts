import { basename } from 'node:path';
import { argv, stdout } from 'node:process';
import {
  type AnyTool,
  createRuntime,
  defineAgent,
  definePrompt,
  type Runtime,
  type RuntimeOptions,
} from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { redact } from '../src/redact/index.ts';

const KEY = new Uint8Array(32).fill(7);

/** For tests: the ways to keep what is known of a thread. */
export const memories: Readonly<Record<string, () => NonNullable<RuntimeOptions['policies']>>> = {
  'plain numbering': () => redact(),
  'a key': () => redact({ key: 'a key for the tests of redact' }),
  'restore with a key': () =>
    redact({ key: 'a key for the tests of redact', restore: { to: 'tools', from: 'anywhere', key: KEY } }),
  'restore in memory': () => redact({ restore: { to: 'tools', from: 'anywhere' } }),
};

interface Shared {
  readonly path: string;
  readonly kind: string;
  readonly script?: readonly ScriptedStep[];
  readonly tools?: readonly AnyTool[];
}

/** For tests: a runtime on a file that several processes have. */
export function startShared({ path, kind, script = [], tools = [] }: Shared): Runtime {
  return createRuntime({
    store: sqliteStore({ path }),
    models: { scripted: scriptedModel(script) },
    agents: [defineAgent({ name: 'main', prompt: 'main' })],
    prompts: [definePrompt({ name: 'main', tools: tools.map(({ name }) => name) })],
    tools,
    policies: memories[kind]?.() ?? [],
  });
}

/** Started as a process of its own, it queues messages in a thread that another process has, and prints what was refused. */
const [, script = '', path, kind = '', name] = argv;
if (path !== undefined && basename(script) === 'queueing-process.mjs') {
  const runtime = startShared({ path, kind });
  const thread = await runtime.openThread('shared');
  const refused: string[] = [];
  for (let count = 0; count < 12; count++) {
    const value = count % 4 === 0 ? 'anna' : `${name}${count}`;
    await thread
      .queue({ role: 'user', content: `From ${value}: ${value}@example.com`, id: `${name}${count}` })
      .catch((error: Error) => refused.push(String(error)));
  }
  await runtime.close();
  stdout.write(JSON.stringify(refused));
}
