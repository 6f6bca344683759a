import * as builtins from '@spec/builtins';
import type { AnyHook } from '@spec/hooks';
import { loadHooks } from '@spec/hooks/node';
import type { Command } from 'commander';
import { runDemo } from '../demo/run-demo.ts';
import { showDemo } from '../demo/show-demo.ts';
import { demoHooks } from '../demo/support-agent.ts';
import { replay } from './replay.ts';
import { showSummary } from './report.ts';

interface Flags {
  readonly db?: string;
  /** A folder; `false` for `--no-hooks`. */
  readonly hooks?: string | boolean;
  readonly json?: boolean;
}

const examples = `
Examples:
  $ spec-hooks replay                                a support agent with redaction and message limiting
  $ spec-hooks replay conversations.jsonl            recorded conversations through the same hooks
  $ spec-hooks replay data.jsonl --hooks ./hooks     through your own hooks instead
  $ spec-hooks replay data.jsonl --db replay.db      into a file; run it again to finish an interrupted replay
  $ cat data.jsonl | spec-hooks replay - --json      from standard input, for machines

FILE has one { "id", "messages" } in OpenAI chat form a line, or a JSON array of them. The recorded assistant
messages play the model, the recorded tool results play the tools.

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
    .action(async (file: string | undefined, flags: Flags) => {
      process.exitCode = file === undefined ? await demonstrate(flags) : await replayFile(file, flags);
    });
}

async function demonstrate(flags: Flags): Promise<number> {
  const result = await runDemo(await hooksOf(flags, demoHooks), flags.db);
  print(flags.json ? JSON.stringify(result, undefined, 2) : showDemo(result));
  return 0;
}

async function replayFile(file: string, flags: Flags): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  const hooks = await hooksOf(flags, replayHooks);
  const { tally, input, db } = await replay({
    file,
    db: flags.db,
    hooks,
    showProgress: !flags.json,
    signal: interrupt.signal,
  });
  const summary = tally.summary(input, db);
  print(flags.json ? JSON.stringify(summary, undefined, 2) : showSummary(summary, tally.statistics));
  if (tally.interrupted) return 130;
  return tally.problems.length > 0 || tally.statistics.failures > 0 ? 1 : 0;
}

const replayHooks: readonly AnyHook[] = [
  ...builtins.redact({ defaultCountry: 'US' }),
  builtins.limitMessages(20),
];

async function hooksOf({ hooks }: Flags, standard: readonly AnyHook[]): Promise<readonly AnyHook[]> {
  if (hooks === false) return [];
  // A folder anywhere may import the built-in hooks, whether or not they are installed there.
  return typeof hooks === 'string' ? loadHooks(hooks, { modules: { '@spec/builtins': builtins } }) : standard;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
