import { appendFileSync } from 'node:fs';
import { createRuntime, defineAgent, definePrompt, defineTool, type Runtime } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';

/** What a process does in the middle of a tool. */
export type OnRun = (tool: string) => void;

/** A runtime over one file; both processes start it, with the same definitions. */
export function startBank(path: string, onRun: OnRun, script: readonly ScriptedStep[]): Runtime {
  const read = defineTool({
    name: 'read_balance',
    onInterrupted: 'retry', // Reading twice harms nobody.
    execute: (_input, { state }) => {
      appendFileSync(`${path}.log`, `read_balance runs (${state.execution.callKey})\n`);
      onRun('read_balance');
      return 'EUR 120';
    },
  });
  const transfer = defineTool({
    name: 'transfer_money', // Default `onInterrupted: 'fail'`: nobody is paid twice.
    execute: (_input, { state }) => {
      appendFileSync(`${path}.log`, `transfer_money runs (${state.execution.callKey})\n`);
      onRun('transfer_money');
      return 'Transferred.';
    },
  });
  return createRuntime({
    store: sqliteStore({ path }),
    lease: '1s', // How long a thread stays reserved for a process that died.
    tools: [read, transfer],
    prompts: [definePrompt({ name: 'bank', tools: ['read_balance', 'transfer_money'] })],
    agents: [defineAgent({ name: 'bank', prompt: 'bank' })],
    models: { scripted: scriptedModel(script) },
  });
}
