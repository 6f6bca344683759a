import { writeFile } from 'node:fs/promises';
import { parseDuration } from '@spec/hooks';
import { exitCodes } from '../../exit-codes.ts';
import { interruptSignal } from '../../interrupt.ts';
import { withProgress } from '../../progress.ts';
import { loadProjectData } from '../../project/load-data.ts';
import { nameParts, type ProjectFlags } from '../../project/parts.ts';
import { writeCount } from '../../table.ts';
import { wrongUsage } from '../../wrong-usage.ts';
import { type FoundFiles, findFiles } from './find-files.ts';
import { type Judged, judgeFiles } from './judge.ts';
import { type JudgesBench, judgesOfGuards, makeJudgesOfProject } from './judges.ts';
import { describeNoConversation, describeNoFile } from './nothing-found.ts';
import { writePage } from './page.ts';
import { type JudgedReport, showJudged } from './report.ts';

/** The options of `spec-hooks replay` that say how sessions are judged, as they were typed. */
export interface JudgeFlags {
  readonly config?: readonly string[];
  /** `false` for `--no-hooks`: the guards of the command judge. */
  readonly hooks?: string | boolean;
  readonly since?: string;
  readonly last?: string;
  readonly html?: string;
  readonly json?: boolean;
}

const LAST = 50;

/** Says what hooks would have done in recorded sessions, without running one. Gives the exit code. */
export async function judgeSessions(paths: readonly string[], flags: JudgeFlags): Promise<number> {
  const since = readSince(flags.since);
  if (since === undefined)
    return wrongUsage(
      `--since must be a date such as 2030-01-31, or how long ago: 12h, 7d; got "${flags.since}".`,
    );
  const most = readLast(flags.last);
  if (most === undefined) return wrongUsage('--last takes a whole number of at least 1, or all.');
  const startedAt = performance.now();
  const { files, unread } = await findWritten(paths, since);
  const hooks = await findJudges(flags);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const signal = interruptSignal('Ending with what was found so far');
  try {
    const judged = await withProgress({ label: 'Reading', total, isWanted: true }, ({ update }) =>
      judgeFiles({
        ...hooks,
        files,
        unread,
        since,
        most,
        redacts: hooks.from === null,
        signal,
        onProgress: (bytes, calls) => update(bytes, writeCount(calls, 'call')),
      }),
    );
    const isEmpty = judged.sessions === 0 && !judged.interrupted;
    if (isEmpty && since === 0)
      throw new Error(describeNoConversation(paths, { files: files.length, unread: judged.unread }));
    const ms = performance.now() - startedAt;
    await print({ ...makeReport(judged, hooks), files: files.length, ms }, flags);
    if (judged.interrupted) return exitCodes.interrupted;
    return judged.unread.length === 0 ? exitCodes.fine : exitCodes.findings;
  } finally {
    await hooks.close();
  }
}

async function findWritten(paths: readonly string[], since: number): Promise<FoundFiles> {
  const { files, unread } = await findFiles(paths);
  if (files.length === 0) throw new Error(describeNoFile(paths, unread));
  return { files: files.filter(({ writtenAt }) => writtenAt >= since), unread };
}

interface FoundJudges extends JudgesBench {
  readonly from: string | null;
  readonly notImported: readonly string[];
}

/** The rules and entries of the folder; without any, the guards of the command. */
async function findJudges({ hooks, config }: JudgeFlags): Promise<FoundJudges> {
  const guards = { judges: judgesOfGuards, from: null, close: async () => {} };
  if (hooks === false) return { ...guards, notImported: [] };
  const flags: ProjectFlags = config === undefined ? {} : { config };
  const { project, notImported } = await loadProjectData(flags);
  const bench = await makeJudgesOfProject(project);
  const close = async (): Promise<void> => {
    await bench.close();
    await project.close();
  };
  if (bench.judges.length === 0) {
    await close();
    return { ...guards, notImported };
  }
  const settings = (project.settings?.files ?? []).map(({ file }) => file);
  const from = (config ?? nameParts({ hooks: [], settings })).join(', ');
  return { judges: bench.judges, from, notImported, close };
}

function makeReport(
  { findings, redacted, ...judged }: Judged,
  { from, notImported }: FoundJudges,
): Omit<JudgedReport, 'files' | 'ms'> {
  return {
    version: 1,
    hooksFrom: from,
    notImported,
    ...judged,
    hooks: findings.byHook,
    redacted: from === null ? redacted : null,
    found: findings.total,
    findings: findings.newest,
  };
}

async function print(report: JudgedReport, { json, html }: JudgeFlags): Promise<void> {
  // It names paths and commands of whoever runs this: nobody else may read it.
  if (html !== undefined) await writeFile(html, writePage(report), { mode: 0o600 });
  process.stdout.write(`${json ? JSON.stringify(report, undefined, 2) : showJudged(report)}\n`);
  if (html !== undefined && !json) process.stdout.write(`Written to ${html}.\n`);
}

/** Milliseconds since the epoch; `undefined`: it is no time. */
function readSince(written: string | undefined): number | undefined {
  if (written === undefined) return 0;
  const ago = parseDuration(written);
  const at = ago === undefined ? Date.parse(written) : Date.now() - ago;
  return Number.isNaN(at) ? undefined : at;
}

function readLast(written: string | undefined): number | undefined {
  if (written === undefined) return LAST;
  if (written === 'all') return Number.POSITIVE_INFINITY;
  const count = Number(written);
  return Number.isSafeInteger(count) && count >= 1 ? count : undefined;
}
