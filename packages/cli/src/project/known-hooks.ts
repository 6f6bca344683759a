import type { CommandEntry, Effects } from '@spec/commands';
import { type AnyHook, type AnyHookKind, type LifecycleName, lifecycleTable } from '@spec/hooks';
import { sourceOf } from '@spec/hooks/node';
import { actionOf, deniesOnError, type Rule } from '@spec/rules';
import type { AnyTrigger } from '@spec/triggers';
import { handlerText } from './handler-text.ts';
import type { Project } from './load-project.ts';

/** What a failure does. */
export type FailureEffect = 'block' | 'continue' | 'ask';

/** One hook as `list` shows it: a hook module, an entry of a settings file, a rule, or a trigger. */
export interface KnownHook {
  readonly id: string;
  readonly hook: LifecycleName;
  readonly kind: AnyHookKind;
  readonly from: 'module' | 'settings' | 'rules' | 'triggers';
  /** File and line; `null` where nobody knows. */
  readonly source: string | null;
  /** `policy`: it runs everywhere; `named`: where a prompt or an agent names it. */
  readonly scope: 'policy' | 'named';
  readonly priority: number;
  /** `null`: the runtime's, or none is needed. */
  readonly timeoutMs: number | null;
  readonly onError: FailureEffect;
  readonly onTimeout: FailureEffect;
  /** The event as the file calls it; `null` for modules and triggers. */
  readonly event: string | null;
  /** What is matched: a matcher as it was written. */
  readonly matcher: string | null;
  /** The hook of the chain that runs it, for what is no hook of its own. */
  readonly runsIn: string | null;
  /** What the file calls it, and what it runs; `null` for what is no entry of a settings file. */
  readonly name: string | null;
  readonly runs: string | null;
  /** What each way to fail does; `null` for what is no entry of a settings file. */
  readonly effects: Effects | null;
}

/** Scripts of rules may run for so long, in milliseconds. */
const SCRIPT_MS = 1_000;

/**
 * All hooks of a project by hook name, each list in the order in which it runs. What runs inside of another hook stands in its place.
 *
 * @param withCarriers also the hooks that run entries, rules and triggers, and those that clean up after them
 */
export function knownHooks(project: Project, withCarriers = false): readonly KnownHook[] {
  const inside = findInside(project);
  const policies = byPriority(project.policies).flatMap((hook) => {
    if (project.modulePolicies.includes(hook)) return [moduleHook(hook, 'policy', project)];
    const carried = (inside.get(hook) ?? []).toSorted((a, b) => b.priority - a.priority);
    return withCarriers ? [moduleHook(hook, 'policy', project), ...carried] : carried;
  });
  const named = byPriority(project.hooks).map((hook) => moduleHook(hook, 'named', project));
  const all = [...policies, ...named];
  return Object.keys(lifecycleTable).flatMap((name) => all.filter(({ hook }) => hook === name));
}

function byPriority(hooks: readonly AnyHook[]): readonly AnyHook[] {
  return hooks.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0));
}

/** What hooks run that are made of files. */
function findInside({
  settings,
  rules,
  policies,
  triggers,
  triggerFiles,
}: Project): Map<AnyHook, KnownHook[]> {
  const inside = new Map<AnyHook, KnownHook[]>();
  const put = (carrier: AnyHook | undefined, known: Omit<KnownHook, 'hook' | 'kind' | 'runsIn'>): void => {
    if (carrier === undefined) return;
    const { hook, id } = carrier;
    const list = inside.get(carrier) ?? [];
    list.push({ ...known, hook, kind: findKind(hook), runsIn: id });
    inside.set(carrier, list);
  };
  for (const entry of settings?.entries ?? [])
    put(findCarrier(entry, settings?.hooks ?? []), entryHook(entry));
  for (const rule of rules?.rules ?? [])
    put(
      rules?.hooks.find(({ id }) => id === `rules_${snakeCase(rule.event)}`),
      ruleHook(rule),
    );
  for (const trigger of triggers)
    put(
      policies.find(({ id }) => id === triggerCarriers[trigger.on]),
      triggerHook(trigger, triggerFiles),
    );
  return inside;
}

/** The hooks of a file are named by the file and the hook; of two files whose names begin alike the longer name is meant. */
function findCarrier({ id, event }: CommandEntry, hooks: readonly AnyHook[]): AnyHook | undefined {
  return hooks
    .filter((hook) => hook.hook === event && id.startsWith(hook.id.slice(0, -event.length)))
    .toSorted((a, b) => b.id.length - a.id.length)[0];
}

const triggerCarriers: Readonly<Record<AnyTrigger['on'], string>> = {
  tool_result: 'triggers_tool_batch',
  tool_batch: 'triggers_tool_batch',
  user_message: 'triggers_user_message',
  session_started: 'triggers_session_started',
};

function snakeCase(event: string): string {
  return event.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

function moduleHook(hook: AnyHook, scope: KnownHook['scope'], { file }: Project): KnownHook {
  const { hook: name, id, priority = 0, timeout = null, matcher } = hook;
  const onError = hook.onError ?? lifecycleTable[name].onFailure;
  return {
    id,
    hook: name,
    kind: findKind(name),
    from: 'module',
    source: sourceOf(hook) ?? file ?? null,
    scope,
    priority,
    timeoutMs: timeout,
    onError,
    onTimeout: hook.onTimeout ?? onError,
    event: null,
    matcher: matcher?.source ?? null,
    runsIn: null,
    name: null,
    runs: null,
    effects: null,
  };
}

function findKind(hook: LifecycleName): AnyHookKind {
  return lifecycleTable[hook].kind;
}

type Carried = Omit<KnownHook, 'hook' | 'kind' | 'runsIn'>;

function entryHook(entry: CommandEntry): Carried {
  const { id, position, priority, timeoutMs, effects, eventName, matcher } = entry;
  return {
    id,
    from: 'settings',
    source: `${position.file}:${position.line}`,
    scope: 'policy',
    priority,
    timeoutMs,
    onError: effects.onExit,
    onTimeout: effects.onTimeout,
    event: eventName,
    matcher: matcher === undefined ? null : typeof matcher === 'string' ? matcher : JSON.stringify(matcher),
    name: entry.name ?? null,
    runs: handlerText(entry.handler),
    effects,
  };
}

function ruleHook(rule: Rule): Carried {
  const { id, position, priority, event, matcher } = rule;
  const onError = deniesOnError(rule) ? 'block' : 'continue';
  return {
    id,
    from: 'rules',
    source: position ?? null,
    scope: 'policy',
    priority,
    timeoutMs: actionOf(rule).runsScript ? SCRIPT_MS : null,
    onError,
    onTimeout: onError,
    event,
    matcher: matcher ?? null,
    name: null,
    runs: null,
    effects: null,
  };
}

function triggerHook({ id, ...more }: AnyTrigger, files: Project['triggerFiles']): Carried {
  return {
    id,
    from: 'triggers',
    source: [...files].find(([trigger]) => trigger.id === id)?.[1] ?? null,
    scope: 'policy',
    priority: 0,
    timeoutMs: null,
    onError: 'continue',
    onTimeout: 'continue',
    event: null,
    matcher: 'match' in more && typeof more.match === 'string' ? more.match : null,
    name: null,
    runs: null,
    effects: null,
  };
}
