import { isDeepStrictEqual } from 'node:util';
import { conditionCommand, dialectTraits } from '../dialect-traits.ts';
import { isGuard } from '../members/guards.ts';
import type { CommandEntry, Effects } from '../normal-form.ts';
import type { Loss } from './losses.ts';
import { type MatcherModel, makeMatcherModel } from './matcher-model.ts';
import { needsBash, writeShellLine } from './write-shell-line.ts';

/** An entry, and how the target format reads what was written for it. */
export interface Compared {
  readonly from: CommandEntry;
  readonly to: CommandEntry;
}

type Difference = Omit<Loss, 'position'>;

/** Lists every difference between the two entries. What is not listed is the same in both formats. */
export function findLosses(compared: Compared): Loss[] {
  const differences = fields.flatMap((differencesOf) => differencesOf(compared));
  return differences.map((difference) => ({ ...difference, position: compared.from.position }));
}

const fields: ReadonlyArray<(compared: Compared) => Difference[]> = [
  event,
  matcher,
  condition,
  handler,
  timeout,
  effects,
  exitCodes,
  rewrite,
  ...(['name', 'statusMessage', 'isOnce', 'isSequential', 'roundLimit'] as const).map(optional),
  awaited,
  priority,
];

function event({ from, to }: Compared): Difference[] {
  if (from.alsoAt === undefined && to.alsoAt !== undefined) {
    const message = `${to.eventName} of the format ${to.dialect} is for calls that fail too; in ${from.dialect} it was for those that succeed.`;
    return [{ level: 'changed', field: 'event', message }];
  }
  if (from.alsoAt !== undefined && to.alsoAt === undefined) {
    const message = `${to.eventName} of the format ${to.dialect} is for calls that succeed; in ${from.dialect} it was for those that fail, too.`;
    return [{ level: 'changed', field: 'event', message }];
  }
  if (from.event === to.event && from.only === to.only) return [];
  const name =
    from.eventName === to.eventName ? from.eventName : `${from.eventName} becomes ${to.eventName}, which`;
  const message = `${name} runs in ${threads(to)}; before, ${from.eventName} ran in ${threads(from)}.`;
  return [{ level: 'changed', field: 'event', message }];
}

function threads({ only }: CommandEntry): string {
  if (only === undefined) return 'all threads';
  return only === 'main' ? 'main threads only' : 'subagents only';
}

const parts: readonly (keyof MatcherModel)[] = [
  'names',
  'regex',
  'flagged',
  'rule',
  'inputs',
  'paths',
  'commands',
  'kind',
  'word',
];

function matcher({ from, to }: Compared): Difference[] {
  const [was, is] = [makeMatcherModel(from), makeMatcherModel(to)];
  const differing = parts.filter((part) => !isDeepStrictEqual(was[part], is[part]));
  if (differing.length === 0) return [];
  const lost = differing.filter((part) => is[part] === undefined);
  const what = (lost.length > 0 ? lost : differing).map((part) => partNames[part]).join(' and ');
  const message = `The format ${to.dialect} has no matcher like this one: ${what} cannot be written in it, so the entry matches ${lost.length === differing.length ? 'more' : 'other'} calls.`;
  return [{ level: 'changed', field: 'matcher', message }];
}

const partNames: Readonly<Record<keyof MatcherModel, string>> = {
  names: 'the names of the tools',
  regex: 'the expression on the tool’s name',
  flagged: 'the flags of the expression on the tool’s name',
  rule: 'the rule on what the tool is called with',
  inputs: 'the expressions on fields of the input',
  paths: 'the glob on paths',
  commands: 'the expression on commands',
  kind: 'the kind of calls that it is for',
  word: 'the word that the event is compared with',
};

/** A permission rule is part of the matcher; this condition is a shell command. */
function condition({ from, to }: Compared): Difference[] {
  const command = conditionCommand(from);
  if (command === undefined || command === to.condition) return [];
  const message = 'The condition is now in front of the command, on the same line, and shares its timeout.';
  return [{ level: 'converted', field: 'condition', message }];
}

function handler({ from, to }: Compared): Difference[] {
  if (isDeepStrictEqual(withoutShell(from), withoutShell(to))) return shell({ from, to });
  const line = writeShellLine(from);
  if (line === undefined || to.handler.type !== 'command' || to.handler.command !== line.command)
    return [{ level: 'changed', field: 'handler', message: 'What is run is not the same.' }];
  const quoted: Difference = {
    level: 'converted',
    field: 'handler',
    message: 'The arguments are quoted words of a line for the shell now.',
  };
  const moved: Difference = {
    level: 'converted',
    field: 'handler',
    message: 'Its variables and its folder are set in front of the command, on lines of their own.',
  };
  return [
    ...(line.converted.includes('arguments') ? [quoted] : []),
    ...(line.converted.includes('surroundings') ? [moved] : []),
    ...shell({ from, to }),
  ];
}

function withoutShell({ handler: given }: CommandEntry): object {
  return given.type === 'command' ? { ...given, shell: undefined } : given;
}

/** The shell matters only for a line that only bash understands. */
function shell({ from, to }: Compared): Difference[] {
  if (from.handler.type !== 'command' || to.handler.type !== 'command') return [];
  if (from.handler.args !== undefined || from.handler.shell !== 'bash' || to.handler.shell === 'bash')
    return [];
  if (!needsBash(from.handler.command)) return [];
  const message =
    'The command was written for bash, and is run by sh now: put it into a script that begins with #!/bin/bash.';
  return [{ level: 'changed', field: 'handler', message }];
}

function timeout({ from, to }: Compared): Difference[] {
  if (from.timeoutMs !== to.timeoutMs) {
    const message = `The timeout of ${from.timeoutMs} ms cannot be written: it is ${to.timeoutMs} ms now.`;
    return [{ level: 'changed', field: 'timeoutMs', message }];
  }
  const { timeoutUnit } = dialectTraits[to.dialect];
  if (dialectTraits[from.dialect].timeoutUnit === timeoutUnit) return [];
  const number = timeoutUnit === 'seconds' ? to.timeoutMs / 1_000 : to.timeoutMs;
  const message = `The timeout stays the same and is written in ${timeoutUnit}: ${number}.`;
  return [{ level: 'converted', field: 'timeoutMs', message }];
}

const causes: Readonly<Record<keyof Effects, string>> = {
  onBlockingExit: 'exit code 2',
  onExit: 'another exit code than 0',
  onTimeout: 'a timeout',
  onLaunchError: 'a command that cannot be started',
  onInvalidOutput: 'an answer that cannot be read',
};

function effects({ from, to }: Compared): Difference[] {
  const keys = Object.keys(causes) as (keyof Effects)[];
  const differing = keys.filter((key) => from.effects[key] !== to.effects[key]);
  const changed = differing.map((key): Difference => {
    const message = `What ${causes[key]} does was "${from.effects[key]}", and is "${to.effects[key]}" now.`;
    return { level: 'changed', field: `effects.${key}`, message };
  });
  const [warned, warns] = [from, to].map(({ dialect }) => dialectTraits[dialect].otherExitsWarn === true);
  if (!warns || warned || from.effects.onExit === 'continue') return changed;
  const message = `Exit code 1 is a mere warning in the format ${to.dialect}: have the command exit with 2 to block.`;
  return [
    ...changed.filter(({ field }) => field !== 'effects.onExit'),
    { level: 'changed', field: 'effects.onExit', message },
  ];
}

/** What a guard has to do to block. */
function exitCodes({ from, to }: Compared): Difference[] {
  if (!isGuard(from)) return [];
  const usual = 'exit code 2 blocks, and others where the entry says so';
  const [was = usual, is = usual] = [from, to].map(({ dialect }) => dialectTraits[dialect].exitCodes);
  if (was === is) return [];
  const message = `In the format ${to.dialect} ${is}; in ${from.dialect} ${was}. Look at what the command ends with.`;
  return [{ level: 'changed', field: 'exitCodes', message }];
}

function rewrite({ from, to }: Compared): Difference[] {
  if (from.rewrite === to.rewrite) return [];
  const message = `An input that the command prints ${rewrites[to.rewrite]} in the format ${to.dialect}; in ${from.dialect} it ${rewrites[from.rewrite]}.`;
  return [{ level: 'changed', field: 'rewrite', message }];
}

const rewrites: Readonly<Record<CommandEntry['rewrite'], string>> = {
  merge: 'adds to the input',
  replace: 'takes the place of the input',
  none: 'counts for nothing',
};

function optional(field: keyof typeof labels): (compared: Compared) => Difference[] {
  return ({ from, to }) => {
    if (from[field] === to[field]) return [];
    return [{ level: 'dropped', field, message: `The format ${to.dialect} has no ${labels[field]}.` }];
  };
}

const labels = {
  name: 'names of entries',
  statusMessage: 'status messages',
  isOnce: 'entries that run once in a session',
  roundLimit: 'limits of how often a turn is kept going',
  isSequential: 'entries that make all of their event run one after another',
};

function awaited({ from, to }: Compared): Difference[] {
  if (from.isAwaited === to.isAwaited) return [];
  const message = to.isAwaited
    ? 'The turn waits for it now; it ran in the background before.'
    : 'It runs in the background now, and what it prints comes too late; the turn waited for it before.';
  return [{ level: 'changed', field: 'isAwaited', message }];
}

function priority({ from, to }: Compared): Difference[] {
  if (from.priority === to.priority) return [];
  const message = `The priority ${from.priority} is now given by the order of the entries.`;
  return [{ level: 'converted', field: 'priority', message }];
}
