import * as builtins from '@spec/builtins';
import type { AnyHook } from '@spec/hooks';
import { loadHooks } from '@spec/hooks/node';
import { runDemo } from '../demo/run-demo.ts';
import { showDemo } from '../demo/show-demo.ts';
import { demoHooks } from '../demo/support-agent.ts';
import { replay } from './replay.ts';
import { showSummary } from './report.ts';

/** The options of `spec-hooks replay`, as they were typed. */
export interface ReplayFlags {
  readonly db?: string;
  /** A folder; `false` for `--no-hooks`. */
  readonly hooks?: string | boolean;
  readonly json?: boolean;
}

/** Shows the support agent. Gives the exit code. */
export async function demonstrate(flags: ReplayFlags): Promise<number> {
  const result = await runDemo(await hooksOf(flags, demoHooks), flags.db);
  print(flags.json ? JSON.stringify(result, undefined, 2) : showDemo(result));
  return 0;
}

/** Replays a file, or standard input for `-`. Gives the exit code. */
export async function replayFile(file: string, flags: ReplayFlags): Promise<number> {
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

async function hooksOf({ hooks }: ReplayFlags, standard: readonly AnyHook[]): Promise<readonly AnyHook[]> {
  if (hooks === false) return [];
  // A folder anywhere may import the built-in hooks, whether or not they are installed there.
  return typeof hooks === 'string' ? loadHooks(hooks, { modules: { '@spec/builtins': builtins } }) : standard;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
