import { nearest } from '@spec/hooks';
import type { z } from 'zod';
import { type Rule, type RuleEvent, ruleEvents, ruleFields, ruleSchema } from './rule.ts';

/** Something about a rule that its author should know. */
export interface RuleFinding {
  /** `error`: the rules are not loaded. `note`: they are; their document leaves open, or contradicts, what this means. */
  readonly level: 'error' | 'note';
  /** Which rule: its id, or its position such as `rules[2]`. */
  readonly rule: string;
  /** One sentence: what, and what to do. */
  readonly message: string;
}

/** Rules that were checked. */
export interface CheckedRules {
  /** Those that are enabled and without errors, in their order. */
  readonly rules: readonly Rule[];
  readonly findings: readonly RuleFinding[];
}

/**
 * Checks rules as they were written.
 *
 * @param name stands in the ids of rules that have none: `<name>_<position>`, snake_case
 */
export function checkRules(given: readonly unknown[], name: string): CheckedRules {
  const rules: Rule[] = [];
  const findings: RuleFinding[] = [];
  given.forEach((one, index) => {
    const parsed = ruleSchema.safeParse(one);
    const place = `rules[${index}]`;
    if (!parsed.success) {
      findings.push(
        ...parsed.error.issues.map((issue) => ({
          level: 'error' as const,
          rule: place,
          message: sentence(issue),
        })),
      );
      return;
    }
    const rule: Rule = { ...parsed.data, id: parsed.data.id ?? `${name}_${index + 1}` };
    const problems = problemsOf(rule);
    findings.push(...problems.map((message) => ({ level: 'error' as const, rule: rule.id, message })));
    if (problems.length === 0 && rule.enabled) rules.push(rule);
  });
  findings.push(...notesOn(rules));
  return { rules, findings };
}

/** What is wrong with the shape of a rule; the values are not told. */
function sentence(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownKey).join(' ');
  if (issue.code === 'invalid_value' && path === 'event')
    return `event must be one of ${ruleEvents.join(', ')}.`;
  if (issue.code === 'invalid_value') return `${path} must be one of ${issue.values.map(String).join(', ')}.`;
  return path === '' ? `A rule must be an object: ${issue.message}.` : `${path}: ${issue.message}.`;
}

function unknownKey(key: string): string {
  const meant = nearest(key, ruleFields);
  return meant === undefined
    ? `"${key}" is no field of a rule; they are ${ruleFields.join(', ')}.`
    : `"${key}" is no field of a rule: was "${meant}" meant?`;
}

/** Events that are about a tool call. */
export const toolEvents: readonly RuleEvent[] = ['PreToolUse', 'PostToolUse'];

/** Events at which something can still be refused. */
const gates: readonly RuleEvent[] = ['PreToolUse', 'UserPromptSubmit', 'Stop'];

function problemsOf({ event, matcher, action, script, reason }: Rule): string[] {
  const isGate = gates.includes(event);
  const problems: [boolean, string][] = [
    [
      action === 'script' && script === undefined,
      'The action "script" needs the field script: the JavaScript to run.',
    ],
    [
      action !== 'script' && script !== undefined,
      `The action "${action}" runs no script: write action "script", or take the field script out.`,
    ],
    [
      (action === 'deny' || action === 'allow') && !isGate,
      `At ${event} nothing is left to ${action}: use ${gates.join(', ')}, or the action "log" or "script".`,
    ],
    [
      reason !== undefined && action !== 'deny',
      `A reason is told only where a rule denies; this one has the action "${action}".`,
    ],
    [
      matcher !== undefined && !toolEvents.includes(event),
      `At ${event} there is no tool, so this matcher could never match: take it out.`,
    ],
  ];
  return problems.filter(([isBroken]) => isBroken).map(([, message]) => message);
}

/** Where the document of this format says two things, and which of them holds here. */
function notesOn(rules: readonly Rule[]): RuleFinding[] {
  const notes: RuleFinding[] = [];
  for (const { id, event, action, matcher, priority } of rules) {
    const denies = rules.some(
      (rule) => rule.event === event && rule.action === 'deny' && rule.priority <= priority,
    );
    if (action === 'allow' && denies)
      notes.push({
        level: 'note',
        rule: id,
        message:
          'An allow never beats a deny, whatever their priorities: the rules of this event that deny still do.',
      });
    if (matcher !== undefined && /^\w+_$/.test(matcher))
      notes.push({
        level: 'note',
        rule: id,
        message: `The matcher "${matcher}" matches anywhere in a tool's name: write "^${matcher}" for names that begin so.`,
      });
  }
  return notes;
}
