import { explainEntry } from '@spec/commands';
import {
  type AnyHook,
  compileMatcher,
  type HookToolCall,
  issuePaths,
  type LifecycleName,
  lifecycleTable,
  type Matcher,
  RunError,
  type ThreadState,
  type ToolCallView,
} from '@spec/hooks';
import { explainRule } from '@spec/rules';
import { inputOf } from '../event/input-of.ts';
import { type KnownHook, knownHooks } from '../project/known-hooks.ts';
import type { Project } from '../project/load-project.ts';
import { afterDeny } from './combination.ts';

/** Whether a hook would run, and which clause decides. */
export interface Explained extends Pick<KnownHook, 'id' | 'hook' | 'from' | 'source' | 'onError'> {
  /** `null`: only running it would tell. */
  readonly runs: boolean | null;
  readonly why: string;
}

/** What every hook is held against. */
export interface Occasion {
  readonly hook: LifecycleName;
  readonly state: ThreadState;
  readonly args: readonly unknown[];
  /** The ids that the agent names; absent: nobody asked about one. */
  readonly named?: readonly string[] | undefined;
}

type Clause = Pick<Explained, 'runs' | 'why'>;

const no = (why: string): Clause => ({ runs: false, why });
const maybe = (why: string): Clause => ({ runs: null, why });

/** All hooks of a project, in the order in which they are asked. */
export async function explainAll(project: Project, occasion: Occasion): Promise<readonly Explained[]> {
  const explained: Explained[] = [];
  for (const known of knownHooks(project)) {
    const { id, hook, from, source, onError } = known;
    explained.push({ id, hook, from, source, onError, ...(await clauseOf(known, project, occasion)) });
  }
  return afterDeny(explained, project, occasion.hook);
}

async function clauseOf(known: KnownHook, project: Project, occasion: Occasion): Promise<Clause> {
  const { id, hook, from, scope, event } = known;
  const isRuleOnFailure =
    from === 'rules' && event === 'PostToolUse' && occasion.hook === 'after_tool_call_failure';
  if (hook !== occasion.hook && !isRuleOnFailure) return no(`it is for ${event ?? hook}`);
  if (scope === 'named' && occasion.named?.includes(id) === false) return no('the agent does not name it');
  if (from === 'settings') return ofEntry(id, project, occasion);
  if (from === 'rules') return ofRule(id, project, occasion);
  if (from === 'triggers') return ofTrigger(id, project, occasion);
  const found = [...project.modulePolicies, ...project.hooks].find((one) => one.id === id);
  return ofModule(found as AnyHook, occasion);
}

async function ofModule(hook: AnyHook, { args }: Occasion): Promise<Clause> {
  const { matcher, schema } = hook;
  const call = callOf(hook.hook, args);
  if (matcher !== undefined && call !== undefined) {
    try {
      if (!matcher.test(call)) return no(matcher.explain(call));
    } catch (error) {
      if (error instanceof RunError)
        return no(`its matcher cannot be tested, which is a failure: ${error.message}`);
      throw error;
    }
  }
  const { issues } = (await schema?.['~standard'].validate(args.at(-1))) ?? {};
  if (issues !== undefined)
    return no(`its schema refuses the subject at ${issuePaths(issues)}, which is a failure`);
  if (matcher !== undefined && call !== undefined) return { runs: true, why: matcher.explain(call) };
  return { runs: true, why: 'it has no condition' };
}

/** The tool call that a matcher is held against. */
function callOf(hook: LifecycleName, args: readonly unknown[]): ToolCallView | undefined {
  const { toolCall } = lifecycleTable[hook];
  const call = toolCall?.(args as never);
  return call && { name: call.function.name, input: inputOf('before_tool_call', call) };
}

async function ofEntry(
  id: string,
  { settings, folder }: Project,
  { state, args }: Occasion,
): Promise<Clause> {
  const entry = settings?.entries.find((one) => one.id === id);
  if (entry === undefined) return maybe('nobody knows');
  const why = await explainEntry(entry, { state, args, projectDir: folder });
  if (why !== undefined) return no(why);
  const status = settings?.files.find(({ file }) => file === entry.place.file)?.trust?.status;
  if (status === 'unknown' || status === 'changed') {
    const reason = status === 'unknown' ? 'is not trusted yet' : 'has changed since it was trusted';
    return no(`its file ${reason}; what it guards is denied`);
  }
  if (entry.condition !== undefined) return maybe(`where its condition holds: ${entry.condition}`);
  const more = entry.isAwaited ? '' : ', and nobody waits for it';
  if (entry.isOnce) return maybe(`where it has not run in this session${more}`);
  return {
    runs: true,
    why: `${entry.matcher === undefined ? 'it has no matcher' : 'its matcher fits'}${more}`,
  };
}

function ofRule(id: string, { rules }: Project, { hook, args }: Occasion): Clause {
  const rule = rules?.rules.find((one) => one.id === id);
  if (rule === undefined) return maybe('nobody knows');
  const why = explainRule(rule, ruleOccasion(hook, args));
  return why === undefined ? { runs: true, why: `its conditions hold: ${rule.action}` } : no(why);
}

function ruleOccasion(hook: LifecycleName, args: readonly unknown[]): Parameters<typeof explainRule>[1] {
  const call = callOf(hook, args);
  if (call !== undefined) {
    const { name: toolName, input } = call;
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    return { toolName, toolInput: isObject ? (input as Record<string, unknown>) : {} };
  }
  const [first] = args as readonly [{ readonly content?: string; readonly reason?: string }?];
  if (hook === 'before_user_message') return { prompt: first?.content ?? '' };
  return hook === 'before_stop' ? { stopReason: first?.reason ?? '' } : {};
}

function ofTrigger(id: string, { triggers }: Project, { args }: Occasion): Clause {
  const trigger = triggers.find((one) => one.id === id);
  const { match } = (trigger ?? {}) as { readonly match?: Matcher };
  const batch = args[0];
  if (match !== undefined && Array.isArray(batch)) {
    const matcher = compileMatcher(match);
    const calls = (batch as { toolCall: HookToolCall }[]).flatMap(
      ({ toolCall }) => callOf('before_tool_call', [toolCall]) ?? [],
    );
    const [first] = calls;
    if (first !== undefined && !calls.some((call) => matcher.test(call))) return no(matcher.explain(first));
  }
  const limits = [
    trigger?.when && 'its conditions hold',
    trigger?.once && `it has not fired in this ${trigger.once}`,
  ];
  const open = limits.filter(Boolean);
  return open.length === 0
    ? { runs: true, why: 'it has no further condition' }
    : maybe(`where ${open.join(' and ')}`);
}
