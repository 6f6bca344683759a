import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { defineHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, type Runtime } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';

const folder = mkdtempSync(join(tmpdir(), 'back-up-threads-'));
const pathOf = (name: string): string => join(folder, name);

/** The same definitions over any file. */
function startRuntime(path: string): Runtime {
  return createRuntime({
    store: sqliteStore({ path }),
    policies: [defineHook({ hook: 'after_create_message', id: 'notice', execute: async (_state) => {} })],
    agents: [defineAgent({ name: 'support', prompt: 'support' })],
    prompts: [definePrompt({ name: 'support' })],
    models: { scripted: scriptedModel(Array.from({ length: 50 }, (_, at) => `Answer ${at + 1}.`)) },
  });
}

const runtime = startRuntime(pathOf('support.db'));
const thread = await runtime.createThread({ agent: 'support', id: 'order-1042' });
await thread.send('Where is my order?');

// A backup is one moment of the file; turns go on meanwhile.
const [, meanwhile] = await Promise.all([
  runtime.backup(pathOf('monday.db')),
  thread.send('And when will it be here?'),
]);
console.log(`Meanwhile: ${meanwhile.text}`);

const restored = startRuntime(pathOf('monday.db'));
const [question, answer] = await (await restored.openThread('order-1042')).messages();
console.log(`In the backup: ${question?.content} ${answer?.content}`);
await restored.close();

// A thread moves to another file as lines of JSON.
await pipeline(runtime.exportThread('order-1042'), createWriteStream(pathOf('order-1042.jsonl')));
const other = startRuntime(pathOf('other.db'));
const id = await other.importThread(createReadStream(pathOf('order-1042.jsonl'), 'utf8'));
console.log(`Moved: ${id}, ${(await (await other.openThread(id)).messages()).length} messages`);
await other.close();

// The ledger forgets what is old enough; messages stay until their thread is deleted.
console.log(`Pruned: ${await runtime.ledger.prune({ olderThan: 0 })} runs of hooks`);
await thread.delete();
console.log(`Left: ${(await runtime.listThreads()).length} threads`);

await runtime.close();
console.log(`The log is gone: ${!existsSync(`${pathOf('support.db')}-wal`)}`);
rmSync(folder, { recursive: true });
