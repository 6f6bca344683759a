import type {
  HookFinding,
  HookProject,
  KnownHookCard,
  ProjectOutlook,
  RerunResult,
  StoredEvent,
} from '@spec/inspector';
import type { CheckFinding } from '../check/finding.ts';
import type { ProjectFlags } from '../project/parts.ts';
import { askCommand } from './ask-command.ts';

/** The hooks of a project, each question in a process of its own. */
export function hookProject(flags: ProjectFlags, mayRun: boolean): HookProject {
  const options = listOptions(flags);
  const ask = <Answer>(command: string, { hook, input }: StoredEvent): Promise<Answer> =>
    askCommand([command, '--event', hook, '--input', '-', '--json', ...options], JSON.stringify(input));
  return {
    async list() {
      const [found, checked] = await Promise.all([
        askCommand<ListedHooks>(['list', '--json', ...options]),
        askCommand<CheckedHooks>(['check', '--json', ...options]),
      ]);
      const problems = [...found.problems, ...found.switchedOff, ...found.notRead];
      return {
        hooks: found.hooks,
        problems: problems.map(({ message }) => message),
        findings: checked.findings.map(describeFinding),
      };
    },
    explain: (event) => ask<ProjectOutlook>('explain', event),
    ...(mayRun && { run: (event: StoredEvent) => ask<RerunResult>('run', event) }),
  };
}

/** What `spec-hooks list --json` prints. */
interface ListedHooks {
  readonly hooks: readonly KnownHookCard[];
  readonly problems: readonly Told[];
  readonly switchedOff: readonly Told[];
  readonly notRead: readonly Told[];
}

/** What `spec-hooks check --json` prints. */
interface CheckedHooks {
  readonly findings: readonly CheckFinding[];
}

function describeFinding({ level, file, line, entry, message }: CheckFinding): HookFinding {
  const where = file === null || line === null ? file : `${file}:${line}`;
  return { level, where, entry, message };
}

interface Told {
  readonly message: string;
}

function listOptions({ config, hooks, trust }: ProjectFlags): string[] {
  return [
    ...(config === undefined ? [] : ['--config', ...config]),
    ...(hooks === undefined ? [] : ['--hooks', hooks]),
    ...(trust === true ? ['--trust'] : []),
  ];
}
