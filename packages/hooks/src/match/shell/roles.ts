import type { PlacedCommand } from './scan.ts';

/** The role of a command on a line: it may run, is part of `[[ ]]`, or is a pattern of a `case`. */
export type Role = 'command' | 'test' | 'pattern';

/** The roles of the commands of one level, by position. A test or list of patterns without its proper end does not count as one. */
export function findRoles(commands: readonly PlacedCommand[], nameAt: readonly number[]): Role[] {
  const roles = commands.map((): Role => 'command');
  /** The start of a test or list whose end has not been found. */
  let open: { readonly role: Role; readonly from: number } | undefined;
  for (const [at, { words, before, after }] of commands.entries()) {
    if (open?.role === 'test' && ENDS_TEST.has(before)) open = undefined;
    if (open === undefined && startsPatterns(commands, nameAt, at)) open = { role: 'pattern', from: at };
    if (open === undefined && words[nameAt[at] as number] === '[[') open = { role: 'test', from: at + 1 };
    if (open === undefined || !isEnd(open.role, commands[at] as PlacedCommand)) {
      if (open?.role === 'pattern' && (after !== '|' || words.length !== 1)) open = undefined;
      continue;
    }
    roles.fill(open.role, open.from, at + 1);
    open = undefined;
  }
  return roles;
}

/** Operators that a test does not continue after. */
const ENDS_TEST: ReadonlySet<string> = new Set([';', '&', ';;']);

function isEnd(role: Role, { words, after }: PlacedCommand): boolean {
  return role === 'test' ? words.includes(']]') : after === ')' && words.length === 1;
}

/** Patterns come after `case x in` and after `;;`. */
function startsPatterns(commands: readonly PlacedCommand[], nameAt: readonly number[], at: number): boolean {
  const last = commands[at - 1];
  const { before } = commands[at] as PlacedCommand;
  if (last === undefined) return false;
  if (last.after === ';;') return before === ';;' || before === '(';
  if (last.words[nameAt[at - 1] as number] !== 'case') return false;
  return last.words.at(-1) === 'in' ? last.after === '(' || before === '\n' : last.after === '|';
}
