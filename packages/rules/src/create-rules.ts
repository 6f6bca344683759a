import { type AnyHook, checkOptionNames, DefinitionError, type OptionNames } from '@spec/hooks';
import { actionOf } from './actions.ts';
import { type CheckedRules, checkRules, type RuleFinding, type WrittenRules } from './check-rules.ts';
import { readRuleFile, rulesInCode } from './load-rules.ts';
import { isPlacedRule, type PlacedRule, takePositions } from './placed-rules.ts';
import type { Rule, RuleInput } from './rule.ts';
import { makeHooksOfRules, type RuleOptions } from './rule-hooks.ts';
import { badScripts } from './scripts/check-scripts.ts';
import { restAfterSessions } from './scripts/rest-after-sessions.ts';
import { createSandbox } from './scripts/sandbox.ts';

/** Rules that are ready to be registered. */
export interface Rules {
  /** For `policies` of a runtime or a registry; one for each event, and what ends the workers with the last session. */
  readonly hooks: readonly AnyHook[];
  /** As they were checked, those that are enabled. */
  readonly rules: readonly Rule[];
  /** Where the format's document is silent or contradicts itself, and what holds here. */
  readonly findings: readonly RuleFinding[];
  /** Ends the workers of scripts. They end with the last session too, and keep no process alive. */
  close(): Promise<void>;
}

export interface CreateRulesOptions extends RuleOptions {
  /** Begins the hooks' ids. snake_case. Default `rules`. */
  readonly name?: string;
}

/**
 * Makes hooks of rules that are written in code.
 *
 * @throws {DefinitionError} `bad_definition`, one error that names every rule that is wrong; `bad_option`
 */
export function createRules(rules: readonly RuleInput[], options: CreateRulesOptions = {}): Promise<Rules> {
  return makeRules([rulesInCode(rules)], options);
}

/** Where rules come from: a rule file, or a rule that was found in a file of another format. */
export type RuleSource = string | URL | PlacedRule;

/**
 * Loads rule files: JSON, YAML, or modules; and the rules of hub files, as `loadSettings` of `@spec/commands` hands them over. They are
 * one set: `priority` holds across all of them; of equal ones those of rule files come first.
 *
 * @throws {DefinitionError} as {@link createRules} does; also `bad_module`, and for a file that cannot be read, with the place where it
 * is no JSON or YAML
 */
export async function loadRules(
  files: RuleSource | readonly RuleSource[],
  options: CreateRulesOptions = {},
): Promise<Rules> {
  const sources: readonly RuleSource[] = [files].flat() as RuleSource[];
  const placed = sources.filter(isPlacedRule);
  const paths = sources.filter((source) => !isPlacedRule(source)) as readonly (string | URL)[];
  const written = await Promise.all(paths.map(readRuleFile));
  return makeRules([...written, ...(placed.length === 0 ? [] : [takePositions(placed)])], options);
}

/** Makes hooks of rules, wherever they were written. */
export async function makeRules(
  written: readonly WrittenRules[],
  options: CreateRulesOptions,
): Promise<Rules> {
  checkOptionNames('rules', options, optionNames);
  const { name = 'rules' } = options;
  const checked = written.map(checkRules);
  const rules = checked.flatMap((one) => one.rules);
  const findings = checked.flatMap((one) => one.findings);
  const places = new Map(checked.flatMap((one) => [...one.places]));
  const sandbox = createSandbox();
  try {
    refuse([...findings, ...twinsIn(places), ...(await badScripts(places, sandbox))]);
    const hooks = makeHooksOfRules(rules, { ...options, name, sandbox });
    const ending = rules.some((rule) => actionOf(rule).runsScript) ? restAfterSessions(name, sandbox) : [];
    return { hooks: [...hooks, ...ending], rules, findings, close: () => sandbox.close() };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

const optionNames: OptionNames<CreateRulesOptions> = { name: true, deadline: true, onLog: true };

/** Rules with the id of another. */
export function twinsIn(places: CheckedRules['places']): RuleFinding[] {
  const ids = new Set<string>();
  return [...places].flatMap(([{ id }, position]) => {
    const message = `Another rule has the id "${id}": rename one.`;
    const twins: RuleFinding[] = ids.has(id) ? [{ level: 'error', position, rule: id, message }] : [];
    ids.add(id);
    return twins;
  });
}

/** @throws {DefinitionError} `bad_definition` that names every rule with an error, and where it is written. */
export function refuse(findings: readonly RuleFinding[]): void {
  const errors = findings.filter(({ level }) => level === 'error');
  if (errors.length === 0) return;
  const lines = errors.map(({ position, rule, message }) => `\n- ${position}, rule ${rule}: ${message}`);
  const which =
    errors.length === 1 ? 'A rule cannot be loaded' : `Rules cannot be loaded, for ${errors.length} reasons`;
  throw new DefinitionError('bad_definition', `${which}:${lines.join('')}`);
}
