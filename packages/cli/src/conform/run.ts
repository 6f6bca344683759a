import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { type Baseline, type Judgement, judge, parseBaseline, toJson, toMarkdown } from '@spec/conformance';
import { DefinitionError, whereThrown } from '@spec/hooks';
import { keepStdout } from '../hooks-apart.ts';
import { loadSubject } from './load-subject.ts';
import { toText } from './to-text.ts';

/** The options of `spec-hooks conform`, as they were typed. */
export interface ConformFlags {
  readonly baseline?: string;
  readonly only?: string;
  readonly concurrency?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

/** How many cases run at the same time, where nobody says. */
const CONCURRENCY = 8;

/** What a subject leaves running may go on for so long after the last case, in milliseconds. */
const PATIENCE = 1_000;

/** Judges the runtime that a module exports. Gives the exit code. */
export async function conform(module: string, flags: ConformFlags): Promise<0 | 1 | 2> {
  const giveBack = flags.json || flags.markdown ? keepStdout() : undefined;
  const strays = watchStrays();
  try {
    const baseline = await baselineOf(flags);
    const judgement = await judge(await loadSubject(module), {
      ...(baseline === undefined ? {} : { baseline }),
      ...(flags.only === undefined ? {} : { only: flags.only }),
      concurrency: concurrencyOf(flags),
    });
    await setImmediate();
    giveBack?.();
    await printed(`${textOf(judgement, flags)}\n`);
    if (strays.length > 0) tell(strayText(strays));
    return judgement.ok && strays.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    tell(error.message);
    return 2;
  } finally {
    setTimeout(() => process.exit(), PATIENCE).unref();
  }
}

function concurrencyOf({ concurrency }: ConformFlags): number {
  return concurrency === undefined ? CONCURRENCY : Number(concurrency);
}

function textOf(judgement: Judgement, { json, markdown }: ConformFlags): string {
  if (json) return toJson(judgement);
  return markdown ? toMarkdown(judgement).trimEnd() : toText(judgement);
}

async function baselineOf({ baseline: file }: ConformFlags): Promise<Baseline | undefined> {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DefinitionError('bad_option', `The baseline ${file} cannot be read (${code}).`);
  }
  return parseBaseline(text);
}

/** Settles when whoever reads the report has it, or has gone away: a pipe takes it piece by piece. */
function printed(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

function tell(sentence: string): void {
  process.stderr.write(`spec-hooks: ${sentence}\n`);
}

/** What a runtime throws where nobody can catch it would end the process of whoever uses it; here it is counted. */
function watchStrays(): readonly string[] {
  const strays: string[] = [];
  const note = (error: unknown): void => void strays.push(whereThrown(error) ?? 'something that is no Error');
  process.on('uncaughtException', note).on('unhandledRejection', note);
  return strays;
}

function strayText(strays: readonly string[]): string {
  return `${strays.length} error(s) came up where nobody could catch them: ${[...new Set(strays)].slice(0, 5).join(', ')}.`;
}
