import type { HookFinding } from '../api.ts';
import type { HookProject, ProjectHooks } from '../ports.ts';

/** How long a list counts: to look at a project starts processes, and a page asks whenever something was stored. In milliseconds. */
const freshMs = 5_000;

/** Lists the hooks of a project; without one, none. */
export type ListProject = () => Promise<Required<ProjectHooks>>;

/** Lists them as they were some seconds ago at most. */
export function rememberProject(project: HookProject | undefined): ListProject {
  let asked: { readonly at: number; readonly list: Promise<ProjectHooks> } | undefined;
  return async () => {
    if (project === undefined) return { hooks: [], problems: [], findings: [] };
    if (asked === undefined || Date.now() - asked.at > freshMs)
      asked = { at: Date.now(), list: project.list() };
    const { list } = asked;
    try {
      return { findings: [], ...(await list) };
    } catch (error) {
      asked = undefined;
      throw error;
    }
  };
}

interface ListedHook {
  readonly id: string;
  /** The file and the line. */
  readonly source: string | null;
}

/** Whether a finding is about a hook: it names its place, or its id in the same file. */
export function isAbout({ where, entry }: HookFinding, { id, source }: ListedHook): boolean {
  if (where !== null && where === source) return true;
  const file = where?.replace(/:\d+$/, '');
  return entry === id && (file === undefined || source === null || source.startsWith(file));
}
