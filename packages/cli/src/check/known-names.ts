import { type CommandEntry, conditionCommand, dialectTraits, type KnownNames } from '@spec/commands';
import { nearest } from '@spec/hooks';
import { type CheckFinding, type FindingInput, finding } from './finding.ts';
import { nameTest } from './name-test.ts';

/** Matchers and conditions of an entry that never fit, by the names that its format knows. */
export function knownNameFindings(entry: CommandEntry): CheckFinding[] {
  const { dialect, eventName, matcher, id, position } = entry;
  const known = dialectTraits[dialect].namesAt?.(eventName);
  if (known === undefined) return [];
  const told = [
    ...(typeof matcher === 'string' ? judgeMatcher(matcher, known, eventName) : []),
    ...(known.areTools ? judgeCondition(entry, known) : []),
  ];
  return told.map((one) =>
    finding({ ...one, file: position.file, line: position.line, column: position.column, entry: id }),
  );
}

type Told = Pick<FindingInput, 'level' | 'code' | 'message'>;

/** Why a part of a matcher never fits, and what to do. */
interface Misfit {
  readonly level: Told['level'];
  /** @param then what that means, as the end of the sentence */
  why(then: string): string;
  readonly remedy: string;
}

function judgeMatcher(matcher: string, known: KnownNames, eventName: string): Told[] {
  const parts = splitMatcher(matcher);
  const misfits = parts.flatMap((part) => findMisfit(part, known, eventName) ?? []);
  const isIdle = misfits.length === parts.length;
  const code = isIdle ? 'never_matches' : 'part_never_matches';
  const then = isIdle ? 'this never runs' : 'this part of the matcher never fits';
  return misfits.map(({ level, why, remedy }) => ({
    level,
    code,
    message: `${why(then)} ${remedy}`,
  }));
}

/** A name, or a regular expression. */
interface Part {
  readonly text: string;
  readonly isName: boolean;
}

/** The alternatives of a matcher. A list of names has letters, digits, `_`, `-`, blanks, `|` and `,` alone. */
function splitMatcher(matcher: string): Part[] {
  const isName = /^[\w\- ,|]*$/.test(matcher);
  const texts = isName ? matcher.split(/[|,]/) : splitAlternatives(matcher);
  return texts.map((text) => ({ text: text.trim(), isName })).filter(({ text }) => text !== '');
}

/** What stands between the `|` of a regular expression that are in no group and no class. */
function splitAlternatives(source: string): string[] {
  const pieces = source.match(/\\.|\[(?:\\.|[^\]\\])*\]|[\s\S]/g) ?? [];
  const alternatives = [''];
  let depth = 0;
  for (const piece of pieces) {
    if (piece === '(') depth++;
    if (piece === ')') depth--;
    if (piece === '|' && depth === 0) alternatives.push('');
    else alternatives.push(`${alternatives.pop()}${piece}`);
  }
  return alternatives;
}

function findMisfit(part: Part, known: KnownNames, eventName: string): Misfit | undefined {
  return part.isName ? findNameMisfit(part.text, known, eventName) : findRegexMisfit(part.text, known);
}

function findNameMisfit(name: string, known: KnownNames, eventName: string): Misfit | undefined {
  const { of, names, areTools, others } = known;
  if (names.includes(name) || others?.test(name)) return undefined;
  const what = areTools ? `${of} has no tool "${name}"` : `${eventName} of ${of} never has "${name}"`;
  const why: Misfit['why'] = (then) => `${what}, so ${then}.`;
  if (areTools && name.startsWith('mcp__'))
    return { level: 'warning', why, remedy: `For all tools of the server, write "${name}__.*".` };
  const meant = findMeant(name, names);
  if (meant !== undefined) return { level: 'warning', why, remedy: `Write "${meant}".` };
  if (!areTools) return { level: 'warning', why, remedy: `Known are ${names.join(', ')}.` };
  return { level: 'note', why: (then) => `${what}, so ${then} there.`, remedy: OWN_TOOL };
}

const OWN_TOOL = 'If your runtime has one, name it under "tools" in hooks.config.ts.';

/** A tool of somebody's own may begin as one of the program's does. */
const MOST_ADDED = 2;

function findMeant(name: string, names: readonly string[]): string | undefined {
  const meant = names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? nearest(name, names);
  return meant !== undefined && Math.abs(meant.length - name.length) <= MOST_ADDED ? meant : undefined;
}

/** `Tool(what it is called with)` */
const PERMISSION_RULE = /^\^?(\w+)\(.+\)\$?$/s;

function findRegexMisfit(text: string, { of, names, areTools }: KnownNames): Misfit | undefined {
  // What MCP servers call their tools is not known.
  if (fitsAny(`/${text}/`, names) || (areTools && text.includes('mcp'))) return undefined;
  const [, tool = ''] = PERMISSION_RULE.exec(text) ?? [];
  const ruled = areTools ? names.find((name) => name.toLowerCase() === tool.toLowerCase()) : undefined;
  if (ruled !== undefined) {
    const rule = text.replace(tool, ruled).replace(/^\^|\$$/g, '');
    const remedy = `Write "matcher": "${ruled}", and "if": "${rule}" beside the command.`;
    const why = (): string => `A matcher is compared with the name of the tool alone, so ${text} never fits.`;
    return { level: 'warning', why, remedy };
  }
  const kind = areTools ? `no tool of ${of}` : `nothing that ${of} has here`;
  const meant = names.find((name) => fitsAny(`/${text}/i`, [name]));
  const what = `The matcher ${text} fits ${kind}`;
  if (meant !== undefined)
    return {
      level: 'warning',
      why: () => `${what} as it is written: case counts.`,
      remedy: `Write "${meant}".`,
    };
  return {
    level: 'note',
    why: () => `${what}.`,
    remedy: areTools ? OWN_TOOL : `Known are ${names.join(', ')}.`,
  };
}

/** What cannot be tested may fit. */
function fitsAny(regex: string, names: readonly string[]): boolean {
  try {
    return names.some(nameTest(regex));
  } catch {
    return true;
  }
}

/** Rules for these tools are also for others that read or change files. */
const WIDE_RULES: readonly string[] = ['Read', 'Edit'];

function judgeCondition(entry: CommandEntry, known: KnownNames): Told[] {
  const { condition, matcher } = entry;
  const tool =
    conditionCommand(entry) === undefined ? /^[\w-]+/.exec(condition?.trim() ?? '')?.[0] : undefined;
  if (tool === undefined || tool.startsWith('mcp__')) return [];
  const misfit = findNameMisfit(tool, known, entry.eventName);
  if (misfit !== undefined) {
    const message = `${misfit.why('this never runs')} ${misfit.remedy}`;
    return [{ level: misfit.level, code: 'never_matches', message }];
  }
  if (typeof matcher !== 'string' || WIDE_RULES.includes(tool)) return [];
  const parts = splitMatcher(matcher);
  if (parts.some(({ text, isName }) => (isName ? text === tool : fitsAny(`/${text}/`, [tool])))) return [];
  const message = `The matcher ${matcher} does not fit ${tool}, which "if" asks for, so this never runs. Write "matcher": "${tool}".`;
  return [{ level: 'warning', code: 'never_matches', message }];
}
