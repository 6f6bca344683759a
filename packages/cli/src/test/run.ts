import { relative } from 'node:path';
import { exitCodes } from '../exit-codes.ts';
import { withHooksApart } from '../hooks-apart.ts';
import { loadProject, type Project, type ProjectFlags } from '../project/load-project.ts';
import { tellUntrusted } from '../untrusted.ts';
import { readCaseFile } from './case-file.ts';
import { findCaseFiles } from './find-files.ts';
import { type Gate, gateFindings, gatesOf } from './gates.ts';
import { type CaseVerdict, type JudgedCase, judgeCase } from './judge-case.ts';
import { toText } from './to-text.ts';

/** The options of `spec-hooks test`, as they were typed. */
export interface TestFlags extends ProjectFlags {
  readonly json?: boolean;
}

/** What `--json` prints. */
export interface TestReport {
  readonly ok: boolean;
  readonly cases: readonly JudgedCase[];
  readonly gates: readonly Gate[];
  readonly findings: readonly string[];
}

/** Runs cases. Gives the exit code. */
export async function test(paths: readonly string[], { json, ...flags }: TestFlags): Promise<number> {
  const report = await withHooksApart(async () => {
    const project = await loadProject(flags);
    tellUntrusted(project);
    try {
      return await judge(project, paths);
    } finally {
      await project.close();
    }
  });
  process.stdout.write(`${json ? JSON.stringify(report, undefined, 2) : toText(report)}\n`);
  return report.ok ? exitCodes.fine : exitCodes.findings;
}

async function judge(project: Project, paths: readonly string[]): Promise<TestReport> {
  const roots = paths.length > 0 ? paths : [relative(process.cwd(), project.folder) || '.'];
  const files = await Promise.all((await findCaseFiles(roots)).map(readCaseFile));
  const neverDenies = files.flatMap((file) => file.neverDenies);
  const verdicts: CaseVerdict[] = [];
  for (const one of files.flatMap(({ cases }) => cases)) verdicts.push(await judgeCase(project, one));
  const passed = verdicts.filter(({ judged }) => judged.ok).flatMap(({ refusedBy }) => refusedBy);
  const gates = gatesOf(project, new Set(passed), neverDenies);
  const refused = verdicts.flatMap(({ refusedBy }) => refusedBy);
  const none =
    verdicts.length === 0
      ? [`There are no cases: keep them in files called *.hooks.yaml below ${roots.map(placeOf).join(', ')}.`]
      : [];
  const findings = [...none, ...gateFindings(gates, refused, neverDenies)];
  const cases = verdicts.map(({ judged }) => judged);
  return { ok: findings.length === 0 && cases.every(({ ok }) => ok), cases, gates, findings };
}

function placeOf(root: string): string {
  return root === '.' ? 'the working folder' : root;
}
