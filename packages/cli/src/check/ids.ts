import { nearest, type ScopeOwner } from '@spec/hooks';
import { sourceOf } from '@spec/hooks/node';
import { type KnownHook, knownHooks } from '../project/known-hooks.ts';
import type { Project } from '../project/load-project.ts';
import { type CheckFinding, finding, readPosition } from './finding.ts';

/** Ids that stand twice, that nobody registered, and that nobody names. */
export function idFindings(project: Project): CheckFinding[] {
  const { agents } = project.config;
  return [
    ...duplicates(knownHooks(project, true)),
    ...(agents === undefined ? [] : agents.flatMap((agent, i) => ownerFindings(agent, i, project))),
    ...(agents === undefined ? [] : unnamed(agents, project)),
  ];
}

function duplicates(hooks: readonly KnownHook[]): CheckFinding[] {
  const firsts = new Map<string, KnownHook>();
  return hooks.flatMap((hook) => {
    const twin = firsts.get(hook.id);
    if (twin === undefined) firsts.set(hook.id, hook);
    if (twin === undefined || (twin.source === hook.source && twin.hook === hook.hook)) return [];
    const isRefused = twin.runsIn === null && hook.runsIn === null;
    const why = isRefused ? 'no runtime takes both' : 'records cannot tell the two apart';
    const message = `Another hook has the id "${hook.id}" too (${twin.source ?? twin.hook}): ${why}. Rename one.`;
    const level = isRefused ? 'error' : 'warning';
    return [finding({ level, code: 'duplicate_id', ...readPosition(hook.source), entry: hook.id, message })];
  });
}

/** What an agent or a prompt names. */
function ownerFindings({ name, hooks }: ScopeOwner, position: number, project: Project): CheckFinding[] {
  const about = { level: 'error', file: project.file ?? null, entry: `agents[${position}]` } as const;
  const who = typeof name === 'string' ? `"${name}"` : `agents[${position}]`;
  if (hooks === undefined) return [];
  if (!Array.isArray(hooks) || !hooks.every((id) => typeof id === 'string')) {
    const message = `The hooks of ${who} must be a list of ids, such as ["redact_cards"].`;
    return [finding({ ...about, code: 'bad_definition', message })];
  }
  const known = [...project.hooks, ...project.modulePolicies].map(({ id }) => id);
  const unknown = hooks
    .filter((id) => !known.includes(id))
    .map((id) => {
      const meant = nearest(id, known);
      const hint =
        meant === undefined ? `Known are: ${known.join(', ') || 'none'}.` : `Did you mean "${meant}"?`;
      const message = `${who} names the hook "${id}", but there is no such hook. ${hint}`;
      return finding({ ...about, code: 'unknown_id', message });
    });
  const twice = hooks
    .filter((id, i) => hooks.indexOf(id) !== i)
    .map((id) => {
      const message = `${who} names the hook "${id}" twice: name it once.`;
      return finding({ ...about, code: 'duplicate_id', message });
    });
  return [...unknown, ...twice];
}

function unnamed(agents: readonly ScopeOwner[], { hooks, policies }: Project): CheckFinding[] {
  const named = new Set(agents.flatMap((agent) => agent.hooks ?? []));
  const idle = hooks.filter((hook) => !named.has(hook.id) && !policies.includes(hook));
  return idle.map((hook) => {
    const message = `No agent of the configuration names "${hook.id}": it never runs. Name it in an agent's or a prompt's hooks, or move it to the policies.`;
    return finding({
      level: 'note',
      code: 'never_named',
      ...readPosition(sourceOf(hook)),
      entry: hook.id,
      message,
    });
  });
}
