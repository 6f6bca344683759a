import { setImmediate } from 'node:timers/promises';
import {
  type Baseline,
  cases,
  casesNamed,
  type Judgement,
  judge,
  parseBaseline,
  type Subject,
  toJson,
  toMarkdown,
} from '@spec/conformance';
import { whereThrown } from '@spec/hooks';
import { exitCodes } from '../exit-codes.ts';
import { keepStdout } from '../hooks-apart.ts';
import { withProgress } from '../progress.ts';
import { readText } from '../read-text.ts';
import { formatCount, writeCount } from '../table.ts';
import { loadSubject } from './load-subject.ts';
import { listCases, renderJudgement } from './to-text.ts';

/** The options of `spec-hooks conform`, as they were typed. */
export interface ConformFlags {
  readonly baseline?: string;
  readonly only?: string;
  readonly concurrency?: string;
  readonly list?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

/** How many cases run at the same time, where nobody says. */
const CONCURRENCY = 8;

/** What a subject leaves running may go on for so long after the last case, in milliseconds. */
const PATIENCE = 1_000;

/** Judges the runtime that a module exports, or lists the cases. Gives the exit code. */
export async function conform(module: string | undefined, flags: ConformFlags): Promise<number> {
  const misuse = findMisuse(flags);
  if (misuse !== undefined) return tell(misuse, exitCodes.wrongUsage);
  if (flags.list) {
    await waitUntilPrinted(`${listCases(flags)}\n`);
    return exitCodes.fine;
  }
  if (module === undefined) return tell(MISSING, exitCodes.wrongUsage);
  return judgeModule(module, flags);
}

const MISSING =
  'MODULE is missing: name the module that exports the subject, or give --list to see the cases.';

async function judgeModule(module: string, flags: ConformFlags): Promise<number> {
  const giveBack = flags.json || flags.markdown ? keepStdout() : undefined;
  const strays = watchStrays();
  try {
    const baseline = await readBaseline(flags);
    const judgement = await judgeSubject(await loadSubject(module), { ...flags, baseline });
    await setImmediate();
    giveBack?.();
    await waitUntilPrinted(`${renderReport(judgement, flags)}\n`);
    if (strays.length > 0) return tell(strayText(strays), exitCodes.findings);
    return judgement.ok ? exitCodes.fine : exitCodes.findings;
  } finally {
    setTimeout(() => process.exit(), PATIENCE).unref();
  }
}

type Judging = Omit<ConformFlags, 'baseline'> & { readonly baseline: Baseline | undefined };

function judgeSubject(subject: Subject, { baseline, only, ...flags }: Judging): Promise<Judgement> {
  const total = casesNamed(cases, only).length;
  const work = { label: `Judging ${subject.name}`, total, isWanted: flags.json !== true };
  return withProgress(work, ({ update }) => {
    let done = 0;
    return judge(subject, {
      ...(baseline === undefined ? {} : { baseline }),
      ...(only === undefined ? {} : { only }),
      concurrency: readConcurrency(flags),
      onVerdict: () => update(++done, `${formatCount(done)} of ${writeCount(total, 'case')}`),
    });
  });
}

/** What is wrong with the options, in a sentence. */
function findMisuse({ only, concurrency }: ConformFlags): string | undefined {
  const number = readConcurrency({ concurrency });
  if (!Number.isInteger(number) || number < 1)
    return `"concurrency" must be a whole number from 1, not ${number}.`;
  const isEmpty = casesNamed(cases, only).length === 0;
  return isEmpty ? `No case has the id or the topic "${only}".` : undefined;
}

function readConcurrency({ concurrency }: { readonly concurrency?: string | undefined }): number {
  return concurrency === undefined ? CONCURRENCY : Number(concurrency);
}

function renderReport(judgement: Judgement, { json, markdown }: ConformFlags): string {
  if (json) return toJson(judgement);
  return markdown ? toMarkdown(judgement).trimEnd() : renderJudgement(judgement);
}

async function readBaseline({ baseline: file }: ConformFlags): Promise<Baseline | undefined> {
  if (file === undefined) return undefined;
  return parseBaseline(await readText(file, 'give the file of a baseline'));
}

/** Settles when whoever reads the report has it, or has gone away: a pipe takes it piece by piece. */
function waitUntilPrinted(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

/** Says a sentence on standard error, and gives the exit code back. */
function tell(sentence: string, exitCode: number): number {
  process.stderr.write(`spec-hooks: ${sentence}\n`);
  return exitCode;
}

/** What a runtime throws where nobody can catch it would end the process of whoever uses it; here it is counted. */
function watchStrays(): readonly string[] {
  const strays: string[] = [];
  const note = (error: unknown): void =>
    void strays.push(whereThrown(error) ?? 'a value that is not an Error');
  process.on('uncaughtException', note).on('unhandledRejection', note);
  return strays;
}

function strayText(strays: readonly string[]): string {
  return `${strays.length} error(s) came up where nobody could catch them: ${[...new Set(strays)].slice(0, 5).join(', ')}.`;
}
