import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '@spec/runtime/sqlite';
import { expect } from 'vitest';
import type { ReplaySummary } from '../src/replay/tally.ts';
import { runCli } from './run-cli.ts';

export const folder = (): string => mkdtempSync(join(tmpdir(), 'spec-hooks-cli-'));

/** A conversation of five messages, in which a secret stands three times. */
export const talk = (id: string, secret = 'nothing'): object => ({
  id,
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: `Hello, I am ${secret}.` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: `{"who":"${secret}"}` } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', name: 'look_up', content: `Found ${secret}.` },
    { role: 'assistant', content: 'Welcome back!' },
  ],
});

export const lines = (...values: unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');

export function writeInput(text: string, name = 'input.jsonl'): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

export async function replaySummary(
  args: readonly string[],
  input?: string,
): Promise<ReplaySummary & { code: number | null }> {
  const { code, stdout, stderr } = await runCli(
    ['replay', ...args, '--json'],
    input === undefined ? {} : { input },
  );
  expect(stderr).toBe('');
  return { ...JSON.parse(stdout), code };
}

export async function storedContents(db: string, id: string): Promise<unknown[]> {
  const store = sqliteStore({ path: db });
  const messages = await store.listMessages(id);
  await store.close();
  return messages.map(({ content }) => content);
}
