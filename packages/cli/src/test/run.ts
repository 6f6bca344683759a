import { relative } from 'node:path';
import { exitCodes } from '../exit-codes.ts';
import { withHooksApart } from '../hooks-apart.ts';
import { withProgress } from '../progress.ts';
import { loadProject, type Project } from '../project/load-project.ts';
import { listNotLoaded } from '../project/lost-entries.ts';
import type { ProjectFlags } from '../project/parts.ts';
import { tellNotRunning } from '../project/tell-not-running.ts';
import { formatCount, writeCount } from '../table.ts';
import { type HookCase, readCaseFile } from './case-file.ts';
import { findCaseFiles } from './find-files.ts';
import { describeGates, findGates, unknownNames } from './gates.ts';
import { type CaseVerdict, judgeCase } from './judge-case.ts';
import { renderTestReport, type TestReport } from './to-text.ts';

/** The options of `spec-hooks test`, as they were typed. */
export interface TestFlags extends ProjectFlags {
  readonly json?: boolean;
}

/** Runs cases. Gives the exit code. */
export async function test(paths: readonly string[], { json, ...flags }: TestFlags): Promise<number> {
  const report = await withHooksApart(async () => {
    const project = await loadProject(flags);
    tellNotRunning(project);
    try {
      return await judge(project, { paths, isShown: json !== true });
    } finally {
      await project.close();
    }
  });
  process.stdout.write(`${json ? JSON.stringify(report, undefined, 2) : renderTestReport(report)}\n`);
  return report.ok ? exitCodes.fine : exitCodes.findings;
}

interface Testing {
  readonly paths: readonly string[];
  /** A terminal is shown how far it is. */
  readonly isShown: boolean;
}

async function judge(project: Project, { paths, isShown }: Testing): Promise<TestReport> {
  const roots = paths.length > 0 ? paths : [relative(process.cwd(), project.folder) || '.'];
  const files = await Promise.all((await findCaseFiles(roots)).map(readCaseFile));
  const neverDenies = files.flatMap((file) => file.neverDenies);
  const verdicts = await judgeCases(
    project,
    files.flatMap((file) => file.cases),
    isShown,
  );
  const passed = verdicts.filter(({ judged }) => judged.ok).flatMap(({ refusedBy }) => refusedBy);
  const gates = findGates(project, new Set(passed), neverDenies);
  const refused = verdicts.flatMap(({ refusedBy }) => refusedBy);
  const none =
    verdicts.length === 0
      ? [
          files.length > 0
            ? `There are no cases in ${roots.map(describeFolder).join(', ')}: "cases" is a list of them.`
            : `There are no cases: keep them in files called *.hooks.yaml below ${roots.map(describeFolder).join(', ')}.`,
        ]
      : [];
  const findings = [
    ...none,
    ...listNotLoaded(project).map(({ source }) => `${source} is not loaded: no case can try it.`),
    ...unknownNames(project, neverDenies),
    ...describeGates(gates, refused, neverDenies),
  ];
  const cases = verdicts.map(({ judged }) => judged);
  return { ok: findings.length === 0 && cases.every(({ ok }) => ok), cases, gates, findings };
}

async function judgeCases(
  project: Project,
  cases: readonly HookCase[],
  isShown: boolean,
): Promise<readonly CaseVerdict[]> {
  const verdicts: CaseVerdict[] = [];
  const work = { label: 'Running cases', total: cases.length, isWanted: isShown };
  await withProgress(work, async ({ update }) => {
    for (const one of cases) {
      verdicts.push(await judgeCase(project, one));
      update(verdicts.length, `${formatCount(verdicts.length)} of ${writeCount(cases.length, 'case')}`);
    }
  });
  return verdicts;
}

function describeFolder(root: string): string {
  return root === '.' ? 'the working folder' : root;
}
