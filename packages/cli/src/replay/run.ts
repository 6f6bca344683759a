import { readFile } from 'node:fs/promises';
import * as builtins from '@spec/builtins';
import { type AnyHook, whereThrown } from '@spec/hooks';
import { runDemo } from '../demo/run-demo.ts';
import { showDemo } from '../demo/show-demo.ts';
import { demoHooks } from '../demo/support-agent.ts';
import { exitCodes } from '../exit-codes.ts';
import { keepStdout } from '../hooks-apart.ts';
import { interruptSignal } from '../interrupt.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { KNOWN_SHAPES } from './formats/shapes.ts';
import {
  type HookFlags,
  loadHooksOfFlags,
  loadHooksOfProject,
  ownHooks,
  type ReplayHooks,
} from './hooks-of.ts';
import type { UnreadFolder } from './judge/find-files.ts';
import { type ReplayOutcome, replay } from './replay.ts';
import { showSummary } from './report.ts';
import { type ConversationChanges, showChanges } from './show-changes.ts';
import type { Problem, ReplaySummary } from './tally.ts';

/** The options of `spec-hooks replay`, as they were typed. */
export interface ReplayFlags extends HookFlags {
  readonly db?: string;
  readonly keep?: boolean;
  readonly diff?: boolean;
  readonly bench?: boolean;
  readonly failOnChange?: boolean;
  readonly json?: boolean;
  readonly since?: string;
  readonly last?: string;
  readonly html?: string;
  readonly runHooks?: boolean;
}

/** Shows the support agent. Gives the exit code. */
export async function demonstrate(flags: ReplayFlags): Promise<number> {
  const { diff, bench, failOnChange } = flags;
  if (diff || bench || failOnChange)
    return wrongUsage(
      '--diff, --bench and --fail-on-change are about recorded conversations: name their file.',
    );
  const giveBack = flags.json ? keepStdout() : undefined;
  const { hooks, carried, close } =
    (await loadHooksOfFlags(flags)) ?? ownHooks(demoHooks, 'the hooks of the demonstration');
  try {
    const result = await runDemo(hooks, { db: flags.db, keep: flags.keep === true });
    giveBack?.();
    print(flags.json ? JSON.stringify(result, undefined, 2) : showDemo(result, carried));
  } finally {
    await close();
  }
  return exitCodes.fine;
}

/** Replays files, or standard input for `-`. Gives the exit code. @param unread the folders in which there may be more */
export async function replayFiles(
  files: readonly string[],
  flags: ReplayFlags,
  unread: readonly UnreadFolder[] = [],
): Promise<number> {
  const misplaced = flags.config === undefined ? undefined : await findConfigFile(files);
  if (misplaced !== undefined)
    return wrongUsage(
      `${misplaced} is no recording, but a settings or rule file: each of them has a --config of its own, as in --config a.json --config ${misplaced}.`,
    );
  const giveBack = flags.json ? keepStdout() : undefined;
  const strays = watchStrays();
  const hooks =
    (await loadHooksOfFlags(flags)) ?? (await loadHooksOfProject(flags)) ?? ownHooks(replayHooks, BUILT_IN);
  const changes: ConversationChanges[] = [];
  const outcome = await replayWith(hooks, { files, flags, changes });
  const { tally, input } = outcome;
  if (tally.conversations === 0 && tally.problems.length === 0 && !tally.interrupted) {
    throw new Error(`${input} has no conversation. Known shapes are ${KNOWN_SHAPES}.`);
  }
  tally.problems.push(...strays);
  for (const { path, problem } of unread) tally.problems.push({ place: path, reason: problem });
  for (const { source: place } of hooks.notLoaded)
    tally.problems.push({ place, reason: 'this entry is not loaded' });
  const summary: ReplaySummary = {
    ...tally.summary({ ...outcome, hooksFrom: hooks.from ?? null }),
    ...(flags.bench ? { bench: tally.bench.all } : {}),
    ...(flags.diff && flags.json ? { changes } : {}),
  };
  giveBack?.();
  print(flags.json ? JSON.stringify(summary, undefined, 2) : showSummary(summary, tally.statistics, hooks));
  return chooseExitCode(outcome, flags);
}

interface FilesReplay {
  readonly files: readonly string[];
  readonly flags: ReplayFlags;
  /** Where changes go that are printed at the end, with all the rest. */
  readonly changes: ConversationChanges[];
}

async function replayWith(
  { hooks, close }: ReplayHooks,
  { files, flags: { db, keep = false, diff, json }, changes }: FilesReplay,
): Promise<ReplayOutcome> {
  const tell = (found: ConversationChanges): void => {
    if (json) changes.push(found);
    else process.stdout.write(showChanges(found));
  };
  try {
    return await replay({
      files,
      db,
      keep,
      hooks,
      showProgress: !json && !diff,
      signal: interruptSignal('Finishing the conversation under way'),
      onChanges: diff ? tell : undefined,
    });
  } finally {
    await close();
  }
}

function chooseExitCode({ tally }: ReplayOutcome, { failOnChange }: ReplayFlags): number {
  const { interrupted, problems, statistics } = tally;
  if (interrupted) return exitCodes.interrupted;
  const isChanged = failOnChange === true && statistics.interventions > 0;
  return problems.length > 0 || statistics.failures > 0 || isChanged ? exitCodes.findings : exitCodes.fine;
}

/** What hooks throw outside of their runs, in a timer or a promise that nobody awaits, is told and ends nothing. */
function watchStrays(): readonly Problem[] {
  const strays: Problem[] = [];
  const note = (error: unknown): void => {
    const where = whereThrown(error) ?? 'a value that is not an Error';
    const reason = `${where} was thrown by a timer or a promise that no hook waits for`;
    strays.push({ place: 'outside of all runs', reason });
  };
  process.on('uncaughtException', note).on('unhandledRejection', note);
  return strays;
}

const BUILT_IN = 'built-in redact and limitMessages(20): no hooks found here';
const replayHooks: readonly AnyHook[] = [
  ...builtins.redact({ defaultCountry: 'US' }),
  builtins.limitMessages(20),
];

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The first of some files that holds settings or rules: what was meant for `--config` stands among the recordings. */
async function findConfigFile(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if (await isConfigFile(file)) return file;
  return undefined;
}

async function isConfigFile(file: string): Promise<boolean> {
  if (/\.(?:ya?ml|[cm]?[jt]s)$/.test(file)) return true;
  if (!file.endsWith('.json')) return false;
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    return ['hooks', 'rules'].some((field) => Object.hasOwn(Object(content), field));
  } catch {
    return false;
  }
}
