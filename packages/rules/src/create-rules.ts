import { type AnyHook, DefinitionError, defineHook } from '@spec/hooks';
import { checkRules, type RuleFinding } from './check-rules.ts';
import { type RuleFile, readRuleFile, rulesInCode } from './load-rules.ts';
import type { Rule, RuleInput } from './rule.ts';
import { hooksOfRules, type RuleOptions } from './rule-hooks.ts';
import { badScripts } from './scripts/check-scripts.ts';
import { createSandbox, type Sandbox } from './scripts/sandbox.ts';

/** Rules that are ready to be registered. */
export interface Rules {
  /** For `policies` of a runtime or a registry; one for each event, and what ends the workers with the last session. */
  readonly hooks: readonly AnyHook[];
  /** As they were checked, those that are enabled. */
  readonly rules: readonly Rule[];
  /** Where the format's document contradicts itself, and what holds here. */
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
 * @throws {DefinitionError} `bad_definition`, one error that names every rule that is wrong; `bad_matcher`
 */
export function createRules(rules: readonly RuleInput[], options: CreateRulesOptions = {}): Promise<Rules> {
  return rulesOf([rulesInCode(rules)], options);
}

/**
 * Loads rule files: JSON, YAML, or modules. They are one set: `priority` holds across all of them.
 *
 * @throws {DefinitionError} as {@link createRules} does; also for a file that cannot be read, with its place where it is no JSON or YAML
 */
export async function loadRules(
  files: string | URL | readonly (string | URL)[],
  options: CreateRulesOptions = {},
): Promise<Rules> {
  const paths = Array.isArray(files) ? files : [files as string | URL];
  return rulesOf(await Promise.all(paths.map(readRuleFile)), options);
}

async function rulesOf(files: readonly RuleFile[], options: CreateRulesOptions): Promise<Rules> {
  const { name = 'rules' } = options;
  const checked = files.map((file) => ({ file, ...checkRules(file.rules, file.name) }));
  const rules = checked.flatMap((one) => one.rules);
  const findings = checked.flatMap((one) => one.findings);
  const sandbox = createSandbox();
  try {
    refuse(
      [...findings, ...twinsAcross(rules), ...(await badScripts(rules, sandbox))],
      files.map(({ file }) => file).join(', '),
    );
    const hooks = hooksOfRules(rules, { ...options, name, sandbox });
    const ending = rules.some(({ action }) => action === 'script') ? restAfterSessions(name, sandbox) : [];
    return { hooks: [...hooks, ...ending], rules, findings, close: () => sandbox.close() };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function twinsAcross(rules: readonly Rule[]): RuleFinding[] {
  const twice = rules.filter(({ id }, index) => rules.findIndex((other) => other.id === id) !== index);
  return twice.map(({ id }) => ({
    level: 'error',
    rule: id,
    message: `Two rules have the id "${id}": rename one.`,
  }));
}

/** @throws {DefinitionError} `bad_definition` that names every rule with an error. */
export function refuse(findings: readonly RuleFinding[], names: string): void {
  const errors = findings.filter(({ level }) => level === 'error');
  if (errors.length === 0) return;
  const list = errors.map(({ rule, message }) => `- ${rule}: ${message}`).join('\n');
  throw new DefinitionError(
    'bad_definition',
    `${names}: ${errors.length} of the rules cannot be loaded.\n${list}`,
  );
}

/** The workers end with the last session that is open: they start again when a script is needed. */
function restAfterSessions(name: string, sandbox: Sandbox): AnyHook[] {
  let open = 0;
  return [
    defineHook({
      hook: 'after_session_started',
      id: `${name}_sessions_started`,
      execute: async (_state) => {
        open++;
        return null;
      },
    }),
    defineHook({
      hook: 'after_session_ended',
      id: `${name}_sessions_ended`,
      priority: -1_000,
      execute: async (_state) => {
        if (--open <= 0) sandbox.rest();
      },
    }),
  ];
}
