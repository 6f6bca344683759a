import {
  type AnyHook,
  type Decision,
  DefinitionError,
  type Duration,
  defineHook,
  describeWrongDuration,
  durationInMs,
  type HookToolCall,
  type HookToolResult,
  parseArguments,
  recordEntry,
  type ThreadState,
} from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { evaluateRules, type RuleAnswer, type RuleOccasion, type RuleRun } from './evaluate.ts';
import { type RuleEvent, ruleEvents } from './events.ts';
import { compileRules, type RuleMatcher } from './matching.ts';
import type { Rule } from './rule.ts';
import { runRuleScript, type ScriptHost, toToolResult } from './scripts/rule-script.ts';

/** What a rule with the action `log` says, or a script with `log(…)`. Data: mind where it goes. */
export interface RuleLog {
  readonly rule: string;
  readonly threadId: string;
  /** What a script said. */
  readonly line?: string;
  /** What the rule was asked about. */
  readonly occasion?: RuleOccasion;
}

export interface RuleOptions {
  /** How long a script may run, without the time it waits for tools. Default 1 s. */
  readonly deadline?: Duration;
  /** Gets what rules log. Default: the thread's custom event `rule_log`. */
  readonly onLog?: (entry: RuleLog) => void;
}

/** Where the rules of an event come from. */
export type FindRules = (
  event: RuleEvent,
  state: ThreadState,
) => RuleMatcher | undefined | Promise<RuleMatcher | undefined>;

/** What the hooks of one event need. */
interface RuleSet {
  readonly event: RuleEvent;
  readonly find: FindRules;
  readonly host: Omit<ScriptHost, 'onLog'>;
  readonly onLog: RuleOptions['onLog'];
  readonly keeps: string | undefined;
}

/** How hooks of rules are called, and what runs their scripts. */
export interface RuleHookOptions extends RuleOptions {
  /** Begins the hooks' ids: `<name>_pre_tool_use`. */
  readonly name: string;
  readonly sandbox: ScriptHost['sandbox'];
  /** The value of a thread that keeps the rules. */
  readonly keeps?: string;
}

/**
 * Makes hooks of rules: one for each event, in which its rules run by priority, each with its own record.
 *
 * @throws {DefinitionError} `bad_option`
 */
export function makeHooksOfRules(rules: readonly Rule[], options: RuleHookOptions): AnyHook[] {
  const matchers = new Map<RuleEvent, RuleMatcher>();
  for (const event of ruleEvents) {
    const own = rules.filter((rule) => rule.event === event);
    if (own.length > 0) matchers.set(event, compileRules(own));
  }
  return hooksAt([...matchers.keys()], (event) => matchers.get(event), options);
}

/** Makes the hooks of some events. @throws {DefinitionError} `bad_option` */
export function hooksAt(
  events: readonly RuleEvent[],
  find: FindRules,
  { name: prefix, sandbox, deadline = 1_000, onLog, keeps }: RuleHookOptions,
): AnyHook[] {
  const ms = durationInMs(deadline);
  if (ms === undefined) {
    throw new DefinitionError('bad_option', describeWrongDuration('rules: deadline', deadline));
  }
  return events.flatMap((event) =>
    builders[event]({ event, find, host: { sandbox, deadline: ms }, onLog, keeps }, prefix),
  );
}

const builders: { readonly [Event in RuleEvent]: (set: RuleSet, prefix: string) => AnyHook[] } = {
  PreToolUse: (set, prefix) => [
    defineHook({
      hook: 'before_tool_call',
      id: `${prefix}_pre_tool_use`,
      ...(set.keeps === undefined ? {} : { keeps: set.keeps }),
      execute: async (state, call) => makeDecision(await ask(set, state, toolOccasion(call))),
    }),
  ],
  PostToolUse: (set, prefix) => [
    defineHook({
      hook: 'after_tool_call_success',
      id: `${prefix}_post_tool_use`,
      execute: async (state, call, result) => afterTool(set, state, { call, result }),
    }),
    defineHook({
      hook: 'after_tool_call_failure',
      id: `${prefix}_post_tool_use_failure`,
      execute: async (state, call, result) => afterTool(set, state, { call, result }),
    }),
  ],
  UserPromptSubmit: (set, prefix) => [
    defineHook({
      hook: 'before_user_message',
      id: `${prefix}_user_prompt_submit`,
      execute: async (state, { content }) => makeDecision(await ask(set, state, { prompt: content ?? '' })),
    }),
  ],
  Stop: (set, prefix) => [
    defineHook({
      hook: 'before_stop',
      id: `${prefix}_stop`,
      execute: async (state, { reason }) => {
        const { decision, reason: why } = await ask(set, state, { stopReason: reason });
        return decision === 'deny' ? { keepGoing: why ?? 'A rule keeps this turn going.' } : null;
      },
    }),
  ],
  AgentStart: (set, prefix) => [
    defineHook({
      hook: 'after_session_started',
      id: `${prefix}_agent_start`,
      execute: async (state, _session) => (await ask(set, state, {})).context ?? null,
    }),
  ],
  AgentEnd: (set, prefix) => [
    defineHook({
      hook: 'after_session_ended',
      id: `${prefix}_agent_end`,
      execute: async (state, _session) => void (await ask(set, state, {})),
    }),
  ],
};

async function afterTool(
  set: RuleSet,
  state: ThreadState,
  { call, result }: { call: HookToolCall; result: HookToolResult },
): Promise<null> {
  const { context } = await ask(set, state, { ...toolOccasion(call), toolResult: toToolResult(result) });
  if (context !== undefined) await state.injectMessage({ role: 'user', content: context });
  return null;
}

/** Arguments that are no JSON object match no field. */
function toolOccasion(call: HookToolCall): Omit<RuleOccasion, 'event' | 'agentId'> {
  return { toolName: call.function.name, toolInput: parseArguments(call) ?? {} };
}

async function ask(
  { event, find, host, onLog }: RuleSet,
  state: ThreadState,
  about: Omit<RuleOccasion, 'event' | 'agentId'>,
): Promise<RuleAnswer> {
  const matcher = await find(event, state);
  if (matcher === undefined) return {};
  const tell = telling(state, onLog);
  return evaluateRules(
    matcher,
    { event, agentId: state.agentId, ...about },
    {
      log: (rule, occasion) => tell({ rule: rule.id, occasion }),
      script: (rule, occasion) =>
        runRuleScript(
          { ...host, onLog: ({ id }, line) => tell({ rule: id, line }) },
          { rule, occasion, state },
        ),
      onRun: (run) => recordRule(state, run),
    },
  );
}

/** Tells what rules log. Whoever hears it decides nothing, so what goes wrong there does not either. */
function telling(
  state: ThreadState,
  onLog: RuleOptions['onLog'],
): (entry: Omit<RuleLog, 'threadId'>) => void {
  return (entry) => {
    const failed = (): void =>
      recordRule(state, { rule: { id: entry.rule }, outcome: 'failed', ms: 0, why: 'onLog threw an error' });
    try {
      if (onLog === undefined) return state.emit('rule_log', entry);
      const logged: unknown = onLog({ ...entry, threadId: state.threadId });
      if (logged instanceof Promise) logged.catch(failed);
    } catch {
      failed();
    }
  };
}

function recordRule(state: ThreadState, { rule, outcome, ms, code, why }: RuleRun): void {
  recordEntry(state, {
    id: rule.id,
    outcome,
    ms,
    changed: outcome === 'changed',
    sizeBefore: 0,
    sizeAfter: 0,
    ...(rule.position !== undefined && { position: rule.position }),
    ...(code !== undefined && { code }),
    ...(why !== undefined && { why }),
  });
}

function makeDecision({ decision, reason, input, context }: RuleAnswer): Decision | null {
  const answer: Decision = {
    ...(decision === undefined ? {} : { decision }),
    ...(reason === undefined ? {} : { reason }),
    ...(input === undefined ? {} : { input: input as JsonObject | string }),
    ...(context === undefined ? {} : { context }),
  };
  return Object.keys(answer).length === 0 ? null : answer;
}
