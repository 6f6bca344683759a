import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBank } from './bank.ts';

const folder = mkdtempSync(join(tmpdir(), 'survive-crash-'));
const path = join(folder, 'threads.db');

const script = fileURLToPath(new URL('dying-process.ts', import.meta.url));
const { signal } = spawnSync(process.execPath, [...process.execArgv, script, path]);
console.log(`The first process ended with ${signal}.`);

// The next process has the same definitions, and finishes what it finds.
const runtime = startBank(path, () => {}, ['I do not know whether Ada was paid: please check.']);
for (const { threadId, result } of await runtime.resumeAll())
  console.log(`Resumed ${threadId}: ${result?.status}.`);

const thread = await runtime.openThread('thread-1');
for (const { role, content } of await thread.messages()) console.log(`${role}: ${content}`);
console.log(readFileSync(`${path}.log`, 'utf8').trimEnd());

await runtime.close();
rmSync(folder, { recursive: true });
