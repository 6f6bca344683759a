import { DefinitionError } from '@spec/hooks';
import { exitCodes } from '../exit-codes.ts';
import { knownHooks } from '../project/known-hooks.ts';
import { loadProject, type Project } from '../project/load-project.ts';
import type { ProjectFlags } from '../project/parts.ts';
import { agentFindings } from './agents.ts';
import { type CheckFinding, finding } from './finding.ts';
import { gateFindings } from './gates.ts';
import { idFindings } from './ids.ts';
import { loadingFindings } from './loading.ts';
import { matcherFindings } from './matchers.ts';
import { outputFindings } from './outputs.ts';
import { programFindings } from './programs.ts';
import { ruleFindings } from './rules.ts';
import { type CheckedFile, type CheckResult, renderCheckResult } from './to-text.ts';

/** The options of `spec-hooks check`, as they were typed. */
export interface CheckFlags extends ProjectFlags {
  readonly json?: boolean;
  readonly strict?: boolean;
}

/** What is looked at. To add a check, add it here. */
const checks: readonly ((project: Project) => CheckFinding[])[] = [
  loadingFindings,
  idFindings,
  matcherFindings,
  ruleFindings,
  gateFindings,
  programFindings,
  outputFindings,
];

/** Checks the hooks of a project. Gives the exit code. */
export async function check({ json, strict = false, ...flags }: CheckFlags): Promise<number> {
  const { findings, ...loaded } = await lookAt(flags);
  const counts = countByLevel(findings);
  const ok = counts.error + counts.warning + (strict ? counts.risk + counts.note : 0) === 0;
  const result: CheckResult = { ok, ...loaded, counts, findings };
  process.stdout.write(`${json ? JSON.stringify(result, undefined, 2) : renderCheckResult(result)}\n`);
  return ok ? exitCodes.fine : exitCodes.findings;
}

type Looked = Pick<CheckResult, 'hooks' | 'files' | 'notRead' | 'findings'>;

/** Where not even the configuration can be read, that is the finding. */
async function lookAt(flags: ProjectFlags): Promise<Looked> {
  let project: Project;
  try {
    project = await loadProject(flags, 'collect');
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const { code, message } = error;
    return { hooks: 0, files: [], notRead: [], findings: [finding({ level: 'error', code, message })] };
  }
  try {
    return {
      hooks: knownHooks(project).length,
      files: listCheckedFiles(project),
      notRead: project.notRead,
      findings: [...checkProject(project), ...(await agentFindings())],
    };
  } finally {
    await project.close();
  }
}

/** Everything that is wrong with the hooks of a project, or will surprise. */
export function checkProject(project: Project): CheckFinding[] {
  return checks.flatMap((one) => one(project));
}

function listCheckedFiles({ settings }: Project): CheckedFile[] {
  return (settings?.files ?? []).map(({ file, layer, dialect, chosenBy, entryCount, ruleCount, trust }) => ({
    file,
    layer,
    dialect: dialect ?? null,
    chosenBy: chosenBy ?? null,
    hooks: entryCount + ruleCount,
    trust: trust?.status ?? null,
  }));
}

function countByLevel(findings: readonly CheckFinding[]): CheckResult['counts'] {
  const count = (level: CheckFinding['level']): number =>
    findings.filter((one) => one.level === level).length;
  return { error: count('error'), warning: count('warning'), risk: count('risk'), note: count('note') };
}
