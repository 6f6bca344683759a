import { compileMatcher, DefinitionError, nearest } from '@spec/hooks';
import type { z } from 'zod';
import { type Rule, ruleFields, ruleSchema } from './rule.ts';
import { findProblems, notesOn } from './rule-problems.ts';

/** Something about a rule that its author should know. */
export interface RuleFinding {
  /** `error`: the rules are not loaded. `note`: they are; their document leaves open, or contradicts, what this means. */
  readonly level: 'error' | 'note';
  /** Where it is written: `rules.yaml:12`, or `rules[2]` in code. */
  readonly position: string;
  /** The rule's id; its position, such as `rules[2]`, where it has none. */
  readonly rule: string;
  /** What, and what to do. */
  readonly message: string;
}

/** Rules as they were written. */
export interface WrittenRules {
  /** Begins the ids of rules that have none: `<name>_<position>`. snake_case. */
  readonly name: string;
  readonly rules: readonly unknown[];
  /** Where a rule, or a field of it, stands. */
  locateRule(index: number, field?: string): string;
  /** Whether the places are lines of a file. */
  readonly isFile: boolean;
  /** Why a rule must not run. */
  findRefusal?(index: number): string | undefined;
}

/** Rules that were checked. */
export interface CheckedRules {
  /** Those that are enabled and without errors, in their order. */
  readonly rules: readonly Rule[];
  /** Where each of them is written. */
  readonly places: ReadonlyMap<Rule, string>;
  readonly findings: readonly RuleFinding[];
}

/** Checks rules as they were written. */
export function checkRules(written: WrittenRules): CheckedRules {
  const findings: RuleFinding[] = [];
  const sound = written.rules.flatMap((given, index) => {
    const { rule, problems } = checkRule(given, written, index);
    const name = rule?.id ?? `rules[${index}]`;
    for (const { field, message } of problems)
      findings.push({ level: 'error', position: written.locateRule(index, field), rule: name, message });
    return rule?.enabled && problems.length === 0 ? [{ rule, index }] : [];
  });
  const rules = sound.map(({ rule }) => rule);
  for (const { rule, index } of sound)
    for (const message of notesOn(rule, rules))
      findings.push({ level: 'note', position: written.locateRule(index), rule: rule.id, message });
  const places = new Map(sound.map(({ rule, index }) => [rule, written.locateRule(index)]));
  return { rules, places, findings };
}

/** What is wrong with a rule, and in which field. */
interface Problem {
  readonly field?: string;
  readonly message: string;
}

function checkRule(
  given: unknown,
  { name, locateRule, isFile, findRefusal }: WrittenRules,
  index: number,
): { rule?: Rule; problems: readonly Problem[] } {
  const unsafe = unsafeMatchers(given);
  const parsed = ruleSchema.safeParse(given);
  if (!parsed.success) return { problems: [...unsafe, ...parsed.error.issues.map(shapeProblem)] };
  const id = parsed.data.id ?? `${name}_${index + 1}`;
  const refusal = findRefusal?.(index);
  const rule: Rule = {
    ...parsed.data,
    id,
    ...(isFile ? { position: locateRule(index) } : {}),
    ...(refusal === undefined ? {} : { refusal }),
  };
  return {
    rule,
    problems: [...unsafe, ...findProblems(rule).map((message) => ({ message })), ...badPatterns(rule)],
  };
}

/** The schema leaves `__proto__` out of records without a word, and a rule without its condition matches more than was meant. */
function unsafeMatchers(given: unknown): Problem[] {
  const { inputMatchers } = Object(given) as { readonly inputMatchers?: unknown };
  if (!Object.hasOwn(Object(inputMatchers), '__proto__')) return [];
  const message = 'inputMatchers.__proto__: no field of an input can be matched by this name: remove it.';
  return [{ field: 'inputMatchers', message }];
}

/** What is wrong with the shape of a rule; the values are not told. */
function shapeProblem(issue: z.core.$ZodIssue): Problem {
  const path = issue.path.map(String).join('.');
  const [field] = issue.path.map(String);
  const message = shapeMessage(issue, path);
  return field === undefined ? { message } : { field, message };
}

function shapeMessage(issue: z.core.$ZodIssue, path: string): string {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownKey).join(' ');
  if (issue.code === 'invalid_value') return `${path} must be one of ${issue.values.map(String).join(', ')}.`;
  return path === '' ? 'A rule must be an object.' : `${path}: ${issue.message}.`;
}

function unknownKey(key: string): string {
  const meant = nearest(key, ruleFields);
  return meant === undefined
    ? `"${key}" is no field of a rule; they are ${ruleFields.join(', ')}.`
    : `"${key}" is no field of a rule. Did you mean "${meant}"?`;
}

function badPatterns({ matcher, inputMatchers = {} }: Rule): Problem[] {
  const given = [
    ...(matcher === undefined ? [] : [{ field: 'matcher', clause: 'matcher', source: matcher }]),
    ...Object.entries(inputMatchers).map(([name, source]) => ({
      field: 'inputMatchers',
      clause: `inputMatchers.${name}`,
      source,
    })),
  ];
  return given.flatMap(({ field, clause, source }) => {
    const what = whyNoPattern(source);
    return what === undefined ? [] : [{ field, message: `${clause}: ${what}` }];
  });
}

/** What matchers of hooks say of it, with the position of the mistake. */
function whyNoPattern(source: string): string | undefined {
  try {
    compileMatcher({ input: { it: source } });
    return undefined;
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return error.message.replace('Bad matcher, input.it: ', '');
  }
}
