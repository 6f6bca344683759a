import { gates, type Rule, type RuleEvent, toolEvents } from './rule.ts';

/** The fields of an occurrence that is no tool call. */
const fieldsOf: { readonly [Event in RuleEvent]?: readonly string[] } = {
  UserPromptSubmit: ['prompt'],
  Stop: ['stopReason'],
  AgentStart: [],
  AgentEnd: [],
};

/** What of a rule cannot be meant: it would never do anything, or not what it seems to. */
export function problemsOf(rule: Rule): string[] {
  return [...problemsOfAction(rule), ...problemsOfConditions(rule)];
}

function problemsOfAction({ event, action, script, reason }: Rule): string[] {
  const decides = action === 'deny' || action === 'allow';
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
      decides && !gates.includes(event),
      `At ${event} nothing is left to ${action}: use ${gates.join(', ')}, or the action "log" or "script".`,
    ],
    [
      reason !== undefined && action !== 'deny',
      `A reason is told only where a rule denies; this one has the action "${action}".`,
    ],
  ];
  return problems.filter(([isBroken]) => isBroken).map(([, message]) => message);
}

function problemsOfConditions({ event, matcher, inputMatchers = {} }: Rule): string[] {
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
  const denies = all.some((one) => one.event === event && one.action === 'deny' && one.priority <= priority);
  const notes: [boolean, string][] = [
    [
      action === 'allow' && denies,
      'An allow never beats a deny, whatever their priorities: the rules of this event that deny still do.',
    ],
    [
      matcher !== undefined && /^\w+_$/.test(matcher),
      `The matcher "${matcher}" matches anywhere in a tool's name: write "^${matcher}" for names that begin so.`,
    ],
    [
      !continueOnError && action !== 'script',
      `continueOnError is about scripts; with the action "${action}" it changes nothing.`,
    ],
    [
      !continueOnError && action === 'script' && !gates.includes(event),
      `At ${event} nothing is left to deny: a script that fails is recorded, whatever continueOnError says.`,
    ],
  ];
  return notes.filter(([holds]) => holds).map(([, message]) => message);
}
