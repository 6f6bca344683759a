import { type AnyHook, checkOptionNames, type ThreadState } from '@spec/hooks';
import { checkRules, type RuleFinding } from './check-rules.ts';
import { refuse, twinsIn } from './create-rules.ts';
import { type RuleEvent, ruleEvents } from './events.ts';
import { rulesInCode } from './load-rules.ts';
import { compileRules, type RuleMatcher } from './matching.ts';
import type { Rule, RuleInput } from './rule.ts';
import { hooksAt, type RuleOptions } from './rule-hooks.ts';
import { badScripts } from './scripts/check-scripts.ts';
import { restAfterSessions } from './scripts/rest-after-sessions.ts';
import { createSandbox } from './scripts/sandbox.ts';

/** The key of the thread's value that keeps its rules. */
const KEY = 'rules/thread';

/** How many sets of rules stay compiled. */
const MAX_COMPILED = 256;

export interface ThreadRulesOptions extends RuleOptions {
  /** Begins the hooks' ids. snake_case. Default `thread_rules`. */
  readonly name?: string;
}

/** Rules that are kept with threads. */
export interface ThreadRules {
  /** For `policies` of a runtime. */
  readonly hooks: readonly AnyHook[];
  /**
   * Gives a thread its rules, in place of those it has: they hold at once, for its subagents too, and are there when the thread is opened again.
   *
   * @returns what their author should know of them
   * @throws {DefinitionError} `bad_definition`; the thread keeps the rules it has
   */
  set(state: ThreadState, rules: readonly RuleInput[]): Promise<readonly RuleFinding[]>;
  get(state: ThreadState): Promise<readonly Rule[]>;
  /** Ends the workers of scripts. */
  close(): Promise<void>;
}

/** Rules that belong to a thread and persist with it (rules and scripts, "Hook Persistence"). */
export function threadRules(options: ThreadRulesOptions = {}): ThreadRules {
  checkOptionNames('threadRules', options, { name: true, deadline: true, onLog: true });
  const { name = 'thread_rules' } = options;
  const sandbox = createSandbox();
  const compiled = new Map<string, Compiled>();

  const compiledFor = (rules: readonly Rule[]): Compiled => {
    const key = JSON.stringify(rules);
    const known = compiled.get(key) ?? compile(rules);
    compiled.delete(key);
    compiled.set(key, known);
    const [oldest] = compiled.keys();
    if (compiled.size > MAX_COMPILED && oldest !== undefined) compiled.delete(oldest);
    return known;
  };

  const find = async (event: RuleEvent, state: ThreadState): Promise<RuleMatcher | undefined> => {
    const rules = await rulesAround(state);
    return rules.length === 0 ? undefined : compiledFor(rules).get(event);
  };

  return {
    hooks: [
      ...hooksAt(ruleEvents, find, { ...options, name, sandbox, keeps: KEY }),
      ...restAfterSessions(name, sandbox),
    ],
    get: readRules,
    async set(state, given) {
      const { rules, places, findings } = checkRules(rulesInCode(given));
      refuse([...findings, ...twinsIn(places), ...(await badScripts(places, sandbox))]);
      compiled.delete(JSON.stringify(rules)); // Loaded again, they are in quarantine no more.
      await state.setValue(KEY, rules);
      return findings;
    },
    close: () => sandbox.close(),
  };
}

type Compiled = ReadonlyMap<RuleEvent, RuleMatcher>;

/** What is stored is checked again: a file that was edited, or was written by another version, must not let anything pass. */
function compile(stored: readonly Rule[]): Compiled {
  const { rules, findings } = checkRules(rulesInCode(stored));
  refuse(findings);
  const events = ruleEvents.map((event) => [event, rules.filter((rule) => rule.event === event)] as const);
  return new Map(
    events.filter(([, own]) => own.length > 0).map(([event, own]) => [event, compileRules(own)]),
  );
}

/** The rules of a thread and those of the threads above it: a subagent is under the rules of whom it works for. */
async function rulesAround(state: ThreadState): Promise<readonly Rule[]> {
  const own = await readRules(state);
  const parent = await state.getParentThread();
  return parent === null ? own : [...own, ...(await rulesAround(parent))];
}

async function readRules(state: ThreadState): Promise<readonly Rule[]> {
  return ((await state.getValue(KEY)) ?? []) as readonly Rule[];
}
