import { actionOf } from './actions.ts';
import { gates, type RuleEvent, toolEvents } from './events.ts';
import type { Rule } from './rule.ts';

/** The fields of an occurrence that is no tool call. */
const fieldsOf: { readonly [Event in RuleEvent]?: readonly string[] } = {
  UserPromptSubmit: ['prompt'],
  Stop: ['stopReason'],
  AgentStart: [],
  AgentEnd: [],
};

/** What of a rule cannot be meant: it would never do anything, or not what it seems to. */
export function findProblems(rule: Rule): string[] {
  return [...findProblemsOfAction(rule), ...findProblemsOfConditions(rule)];
}

function findProblemsOfAction(rule: Rule): string[] {
  const { event, action, script, reason } = rule;
  const { runsScript = false, defaultReason, events } = actionOf(rule);
  const problems: [boolean, string][] = [
    [
      runsScript && script === undefined,
      `The action "${action}" needs the field script: the JavaScript to run.`,
    ],
    [
      !runsScript && script !== undefined,
      `The action "${action}" runs no script: write action "script", or take the field script out.`,
    ],
    [
      !events.includes(event),
      `At ${event} nothing is left to ${action}: use ${events.join(', ')}, or the action "log" or "script".`,
    ],
    [
      reason !== undefined && defaultReason === undefined,
      `A reason is told only where a rule denies; this one has the action "${action}".`,
    ],
  ];
  return problems.filter(([isBroken]) => isBroken).map(([, message]) => message);
}

function findProblemsOfConditions({ event, matcher, inputMatchers = {} }: Rule): string[] {
  if (toolEvents.includes(event)) return [];
  const fields = fieldsOf[event] ?? [];
  const unknown = Object.keys(inputMatchers).filter((field) => !fields.includes(field));
  const known = fields.length === 0 ? 'there is no field' : `the only field is ${fields.join(', ')}`;
  return [
    ...(matcher === undefined
      ? []
      : [`At ${event} there is no tool, so this matcher could never match: take it out.`]),
    ...unknown.map((field) => `inputMatchers.${field} could never match: at ${event} ${known}.`),
  ];
}

/** Where the document of this format is silent or says two things, and which of them holds here. */
export function notesOn(rule: Rule, all: readonly Rule[]): string[] {
  const { event, action, matcher, priority, continueOnError } = rule;
  const { stance, runsScript = false } = actionOf(rule);
  const isDenied = all.some(
    (one) => one.event === event && actionOf(one).isFinal && one.priority <= priority,
  );
  const notes: [boolean, string][] = [
    [
      stance === 'grants' && isDenied,
      'An allow never beats a deny, whatever their priorities: the rules of this event that deny still do.',
    ],
    [
      matcher !== undefined && /^\w+_$/.test(matcher),
      `The matcher "${matcher}" matches anywhere in a tool's name: write "^${matcher}" for names that begin so.`,
    ],
    [
      !continueOnError && !runsScript,
      `continueOnError is about scripts; with the action "${action}" it changes nothing.`,
    ],
    [
      !continueOnError && runsScript && !gates.includes(event),
      `At ${event} nothing is left to deny: a script that fails is recorded, whatever continueOnError says.`,
    ],
  ];
  return notes.filter(([holds]) => holds).map(([, message]) => message);
}
