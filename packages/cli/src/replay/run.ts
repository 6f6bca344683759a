import * as builtins from '@spec/builtins';
import { type AnyHook, whereThrown } from '@spec/hooks';
import { loadHooks } from '@spec/hooks/node';
import { runDemo } from '../demo/run-demo.ts';
import { showDemo } from '../demo/show-demo.ts';
import { demoHooks } from '../demo/support-agent.ts';
import { replay } from './replay.ts';
import { type Problem, showSummary } from './report.ts';

/** The options of `spec-hooks replay`, as they were typed. */
export interface ReplayFlags {
  readonly db?: string;
  /** A folder; `false` for `--no-hooks`. */
  readonly hooks?: string | boolean;
  readonly json?: boolean;
}

/** Shows the support agent. Gives the exit code. */
export async function demonstrate(flags: ReplayFlags): Promise<number> {
  if (flags.json) keepStdoutForJson();
  const result = await runDemo(await hooksOf(flags, demoHooks), flags.db);
  print(flags.json ? JSON.stringify(result, undefined, 2) : showDemo(result));
  return 0;
}

/** Replays a file, or standard input for `-`. Gives the exit code. */
export async function replayFile(file: string, flags: ReplayFlags): Promise<number> {
  if (flags.json) keepStdoutForJson();
  const strays = watchStrays();
  const hooks = await hooksOf(flags, replayHooks);
  const { tally, input, db } = await replay({
    file,
    db: flags.db,
    hooks,
    showProgress: !flags.json,
    signal: interruptSignal(),
  });
  if (tally.conversations === 0 && tally.problems.length === 0 && !tally.interrupted) {
    throw new Error(`${input} has no conversation. It needs one { "id", "messages" } a line.`);
  }
  tally.problems.push(...strays);
  const summary = tally.summary(input, db);
  print(flags.json ? JSON.stringify(summary, undefined, 2) : showSummary(summary, tally.statistics));
  if (tally.interrupted) return 130;
  return tally.problems.length > 0 || tally.statistics.failures > 0 ? 1 : 0;
}

/** A hook that logs must not break what a machine reads. */
function keepStdoutForJson(): void {
  console.log = console.info = console.debug = console.error;
}

/** Aborted by the first Ctrl-C; the second one ends the process, as ever. */
function interruptSignal(): AbortSignal {
  const interrupt = new AbortController();
  const onInterrupt = (): void => {
    process.stderr.write('Finishing the conversation under way; Ctrl-C again to stop at once.\n');
    interrupt.abort();
  };
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  return interrupt.signal;
}

/** What hooks throw outside of their runs, in a timer or a promise that nobody awaits, is told and ends nothing. */
function watchStrays(): readonly Problem[] {
  const strays: Problem[] = [];
  const note = (error: unknown): void => {
    const where = whereThrown(error) ?? 'something that is no Error';
    const reason = `${where} was thrown by a timer or a promise that no hook waits for`;
    strays.push({ place: 'outside of all runs', reason });
  };
  process.on('uncaughtException', note).on('unhandledRejection', note);
  return strays;
}

const replayHooks: readonly AnyHook[] = [
  ...builtins.redact({ defaultCountry: 'US' }),
  builtins.limitMessages(20),
];

async function hooksOf({ hooks }: ReplayFlags, standard: readonly AnyHook[]): Promise<readonly AnyHook[]> {
  if (hooks === false) return [];
  // A folder anywhere may import the built-in hooks, whether or not they are installed there.
  return typeof hooks === 'string' ? loadHooks(hooks, { modules: { '@spec/builtins': builtins } }) : standard;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
