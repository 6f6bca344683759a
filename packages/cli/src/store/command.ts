// Store: lists, exports, imports, backs up and tidies what a store holds. `spec-hooks threads` and its like call it; it never runs a hook.

import type { Command } from 'commander';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';
import type { ExportFlags } from './export.ts';
import type { StoreFlags } from './open-store.ts';
import { addStoreOptions } from './options.ts';
import type { ThreadsFlags } from './threads.ts';

const exitCodes = 'Exit code: 0, 1 it could not be done, 2 wrong usage.';

const threadsDetails = `
Examples:
  $ spec-hooks threads                      every thread of the store, oldest first
  $ spec-hooks threads --interrupted        those that a dead process left in the middle of a turn, or that one is in now
  $ spec-hooks threads --parent order-7 --json

With --json:
  { "threads": [{ "id", "agentId", "userId": string | null, "parentId": string | null, "depth", "createdAt": ISO 8601,
                  "messages": count, "isInterrupted", "terminated": the reason | null }] }

${exitCodes}`;

const exportDetails = `
An export is JSON lines: the thread and its child threads, with messages, files, values and the ledger. It is data: mind where it goes.

Examples:
  $ spec-hooks export order-7 > thread.jsonl
  $ spec-hooks export order-7 --output thread.jsonl --db threads.db
  $ spec-hooks export order-7 --db 'postgres://agents@db.internal/agents?schema=support'

With --json and --output: { "thread", "file", "lines", "bytes" }. Without --output the lines go to standard output as they are.

${exitCodes}`;

const importDetails = `
All of the file is imported, or nothing. A store that is not there is made; where nothing is imported, none is left. In a database the tables are
made, or brought to the newest schema.

Examples:
  $ spec-hooks import thread.jsonl --db other.db
  $ spec-hooks export order-7 --db one.db | spec-hooks import - --db other.db

With --json: { "thread", "db" }.

${exitCodes.replace('.', ', 130 interrupted.')}`;

const backupDetails = `
The copy holds what was stored before; threads may run meanwhile. A file that is there is never overwritten. A database is copied by pg_dump.

Example:
  $ spec-hooks backup threads-monday.db --db threads.db

With --json: { "db", "file", "bytes" }.

${exitCodes}`;

const vacuumDetails = `
Threads that run meanwhile wait. It needs as much free disk as the store has.

Example:
  $ spec-hooks vacuum --db threads.db

With --json: { "db", "bytesBefore", "bytesAfter" }.

${exitCodes}`;

/** The commands over the threads of a store: `threads`, `export`, `import`, `backup`, `vacuum`. */
export function addStoreCommands(program: Command): void {
  addThreadCommands(program);
  addFileCommands(program);
}

function addThreadCommands(program: Command): void {
  addStoreOptions(program.command('threads'))
    .description('list the threads of a store')
    .option('--parent <id>', 'only the child threads of this thread')
    .option('--interrupted', 'only those with a turn that is under way, or was left behind by a crash')
    .addHelpText('after', writeDetails(threadsDetails))
    .action(async (flags: ThreadsFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { showThreads } = await import('./threads.ts');
      process.exitCode = await showThreads(flags);
    });
  addStoreOptions(program.command('export'))
    .description('write a thread and its child threads as JSON lines')
    .argument('<thread>', 'the id of the thread')
    .option('--output <file>', 'a new file to write to (default: standard output)')
    .showHelpAfterError(exampleAfterError('export order-7 --output thread.jsonl'))
    .addHelpText('after', writeDetails(exportDetails))
    .action(async (thread: string, flags: ExportFlags) => {
      const { exportTo } = await import('./export.ts');
      process.exitCode = await exportTo(thread, flags);
    });
  addStoreOptions(program.command('import'))
    .description('store an exported thread')
    .argument('<file>', 'an export, or - for standard input')
    .showHelpAfterError(exampleAfterError('import thread.jsonl --db threads.db'))
    .addHelpText('after', writeDetails(importDetails))
    .action(async (file: string, flags: StoreFlags) => {
      const { importFrom } = await import('./import.ts');
      process.exitCode = await importFrom(file, flags);
    });
}

function addFileCommands(program: Command): void {
  addStoreOptions(program.command('backup'))
    .description('copy a store to a new file while threads go on')
    .argument('<file>', 'the new file')
    .showHelpAfterError(exampleAfterError('backup threads-monday.db --db threads.db'))
    .addHelpText('after', writeDetails(backupDetails))
    .action(async (file: string, flags: StoreFlags) => {
      const { backup } = await import('./files.ts');
      process.exitCode = await backup(file, flags);
    });
  addStoreOptions(program.command('vacuum'))
    .description('shrink the file of a store to what it uses')
    .addHelpText('after', writeDetails(vacuumDetails))
    .action(async (flags: StoreFlags) => {
      const { vacuum } = await import('./files.ts');
      process.exitCode = await vacuum(flags);
    });
}
