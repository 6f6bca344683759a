import { basename } from 'node:path';
import { argv, kill, pid } from 'node:process';
import { createRuntime, defineAgent, definePrompt, defineTool, type Runtime } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { redact } from '../src/redact/index.ts';

/** For tests: a runtime on a file, with one tool that may run again after a crash. */
export function startShop(
  path: string,
  script: readonly ScriptedStep[],
  charge: (input: unknown) => string,
): Runtime {
  return createRuntime({
    store: sqliteStore({ path }),
    lease: '300ms',
    models: { scripted: scriptedModel(script) },
    agents: [defineAgent({ name: 'shop', prompt: 'shop' })],
    prompts: [definePrompt({ name: 'shop', tools: ['charge'] })],
    tools: [defineTool({ name: 'charge', onInterrupted: 'retry', execute: charge })],
    policies: redact({ restore: { to: 'tools', key: new Uint8Array(32).fill(3) } }),
  });
}

/** Started as a process of its own, it dies while its tool runs. */
const [, script = '', path] = argv;
if (path !== undefined && basename(script) === 'restore-killed.mjs') {
  const call = { toolCalls: [{ name: 'charge', input: { card: '[CARD_1]' } }] };
  const runtime = startShop(path, [call], () => {
    kill(pid, 'SIGKILL');
    return '';
  });
  const thread = await runtime.createThread({ agent: 'shop', id: 'killed' });
  await thread.send('My card is 4111 1111 1111 1111.');
}
