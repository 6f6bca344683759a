import type { Command } from 'commander';
import type { ReplayFlags } from './run.ts';

const examples = `
Examples:
  $ spec-hooks replay                                a support agent with redaction and message limiting
  $ spec-hooks replay conversations.jsonl            recorded conversations through the same hooks
  $ spec-hooks replay data.jsonl --hooks ./hooks     through your own hooks instead
  $ spec-hooks replay data.jsonl --db replay.db      into a file; run it again to finish an interrupted replay
  $ cat data.jsonl | spec-hooks replay - --json      from standard input, for machines

FILE has one { "id", "messages" } in OpenAI chat form a line, or a JSON array of them. The recorded assistant
messages play the model, the recorded tool results play the tools. Messages hold text; a stored tool result also has
its tool's name and status.

Exit code: 0 all replayed, 1 something could not be, 2 wrong usage, 130 interrupted.`;

/** `spec-hooks replay`: recorded conversations, or the demonstration, through hooks into a SQLite file. */
export function addReplayCommand(program: Command): void {
  program
    .command('replay')
    .description('replay recorded conversations through hooks, and see what each of them did')
    .argument('[file]', 'recorded conversations, or - for standard input; without it, a demonstration runs')
    .option('--db <file>', 'the SQLite file to store in (default: a new temporary one)')
    .option('--hooks <dir>', 'a folder of hook modules to run instead of redact and limitMessages(20)')
    .option('--no-hooks', 'run no hook')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(async (file: string | undefined, flags: ReplayFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { demonstrate, replayFile } = await import('./run.ts');
      process.exitCode = file === undefined ? await demonstrate(flags) : await replayFile(file, flags);
    });
}
