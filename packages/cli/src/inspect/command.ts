// Inspect: serves a page over a store, for the machine that it runs on. `spec-hooks inspect` calls it; it never writes to the store.

import type { Command } from 'commander';
import { writeDetails } from '../help.ts';
import { addProjectOptions } from '../project/options.ts';
import { addStoreOptions } from '../store/options.ts';
import type { InspectFlags } from './run.ts';

const details = `
The page shows what hooks did to each message, why others did not run, and what is stored as it comes. It is for this machine alone:
for another one, ssh -L 41730:127.0.0.1:41730 there. Each link is good once; Enter prints another one, Ctrl-C ends.

Examples:
  $ spec-hooks inspect
  $ spec-hooks inspect --db threads.db --open
  $ spec-hooks inspect --db postgres://agents@db.internal/agents
  $ spec-hooks inspect order-7 --html > order-7.html
  $ spec-hooks inspect --no-content      sizes and outcomes, no texts

With --json: one line, { "url", "port", "db" }.

Exit code: 0, 1 the store cannot be read, 2 wrong usage.`;

/** `spec-hooks inspect`: a page over a store. */
export function addInspectCommand(program: Command): void {
  addProjectOptions(addStoreOptions(program.command('inspect')))
    .description('show what hooks did, and why one did not, on a local page')
    .argument('[thread]', 'the id of the conversation to begin with')
    .option('--port <port>', 'the port on 127.0.0.1 (default: 41730, else any that is free)')
    .option('--html', 'write the conversation as one page, and serve nothing')
    .option('--open', 'open the page in the browser')
    .option('--no-content', 'send no texts of messages and no arguments to the page')
    .option('--allow-answers', 'let the page answer questions that wait for a person')
    .option('--allow-run', 'let the page run hooks of the project on what is stored')
    .addHelpText('after', writeDetails(details))
    .action(async (thread: string | undefined, flags: InspectFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { inspectStore } = await import('./run.ts');
      process.exitCode = await inspectStore(thread, flags);
    });
}
