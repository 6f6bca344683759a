import type { AnyHook } from '@spec/hooks';
import { hooksOfEvents } from '@spec/rules';
import { type KnownHook, knownHooks } from '../project/known-hooks.ts';
import type { Project } from '../project/load-project.ts';
import { ofEntry } from './of-entry.ts';
import { ofModule } from './of-module.ts';
import { ofRule } from './of-rule.ts';
import { ofTrigger } from './of-trigger.ts';
import { maybe, no, type Occasion, type Outlook } from './outlook.ts';

/** A hook with what it would do. */
export interface Explained extends Omit<Outlook, 'onError'> {
  readonly known: KnownHook;
  /** What the failure does that is certain; where none is, what any failure does. */
  readonly onError: KnownHook['onError'];
}

/** All hooks of a project, in the order in which they are asked. */
export async function explainAll(project: Project, occasion: Occasion): Promise<readonly Explained[]> {
  const explained: Explained[] = [];
  for (const known of knownHooks(project)) {
    const { onError = known.onError, ...outlook } = await makeOutlook(known, project, occasion);
    explained.push({ ...outlook, known, onError });
  }
  return withoutTwins(explained);
}

/** Of entries that would do the same only the first runs, where the format says so. */
function withoutTwins(explained: readonly Explained[]): readonly Explained[] {
  return explained.map((one, i) => {
    const { twinKey, known } = one;
    const twin =
      twinKey === undefined ? undefined : explained.slice(0, i).find((other) => other.twinKey === twinKey);
    if (twin === undefined) return one;
    return { ...one, ...no(`${twin.known.id} has the same handler`), known };
  });
}

async function makeOutlook(known: KnownHook, project: Project, occasion: Occasion): Promise<Outlook> {
  const { id, hook, from, scope, event } = known;
  const { modulePolicies, hooks, settings, rules, triggers } = project;
  const isNamed = (one: { readonly id: string }): boolean => one.id === id;
  const entry = from === 'settings' ? settings?.entries.find(isNamed) : undefined;
  const rule = from === 'rules' ? rules?.rules.find(isNamed) : undefined;
  const isAlsoFor =
    entry?.alsoAt === occasion.hook ||
    (rule !== undefined && hooksOfEvents[rule.event].includes(occasion.hook));
  if (hook !== occasion.hook && !isAlsoFor) return no(`it is for ${event ?? hook}`);
  if (scope === 'named' && occasion.named?.includes(id) === false) return no('the agent does not name it');
  if (entry !== undefined) return ofEntry(entry, project, occasion);
  if (rule !== undefined) return ofRule(rule, occasion);
  const trigger = from === 'triggers' ? triggers.find(isNamed) : undefined;
  if (trigger !== undefined) return ofTrigger(trigger, occasion);
  const module: AnyHook | undefined = [...modulePolicies, ...hooks].find(isNamed);
  return module === undefined ? maybe('nobody knows') : ofModule(module, occasion);
}
