import type { Carried } from './carried.ts';
import { knownHooks } from './known-hooks.ts';
import type { Project } from './load-project.ts';

/** What the hooks of a project run that is no hook of its own. */
export function listCarried(project: Project): Carried {
  const { policies, modulePolicies } = project;
  const carriers = policies.filter((hook) => !modulePolicies.includes(hook));
  const members = knownHooks(project).filter(({ runsIn }) => runsIn !== null);
  return {
    carriers: new Set(carriers.map(({ id }) => id)),
    members: new Set(members.map(({ id }) => id)),
  };
}
