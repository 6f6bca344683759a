import { DefinitionError, nearest } from '@spec/hooks';

/** The first word of a variable: `input` of `{{input.command}}`. */
export type VariableRoot = 'toolName' | 'input' | 'result' | 'sandbox';

/** A `{{variable}}` of a command, and its place. */
export interface Placeholder {
  /** As it is written, braces included. */
  readonly text: string;
  readonly root: VariableRoot;
  /** The fields below the root: `['a', 'b']` for `{{input.a.b}}`. */
  readonly path: readonly string[];
  /** Offsets in the command. */
  readonly start: number;
  readonly end: number;
}

const roots: readonly VariableRoot[] = ['toolName', 'input', 'result', 'sandbox'];
const BRACES = /\{\{([^{}]*)\}\}/g;
const VARIABLE = /^\s*([A-Za-z_]\w*)((?:\.[^\s.'"\\$`;&|<>()]+)*)\s*$/;

/** The most variables of a command; no sensible command has more. */
const MAX_PLACEHOLDERS = 1_000;

/**
 * Finds the variables of a command. `{{.Name}}`, a form of other programs' templates, is not one and stays as it is.
 * @throws {DefinitionError} `bad_template` for a variable that does not exist
 */
export function findPlaceholders(command: string): Placeholder[] {
  const found: Placeholder[] = [];
  for (const { 0: text, 1: inner = '', index: start } of command.matchAll(BRACES)) {
    if (inner.startsWith('.')) continue;
    found.push({ ...readVariable(command, text, start), text, start, end: start + text.length });
  }
  const tooMany = found[MAX_PLACEHOLDERS];
  if (tooMany !== undefined) {
    throw badTemplate(
      command,
      tooMany,
      `comes after ${MAX_PLACEHOLDERS} others. Read the payload from standard input.`,
    );
  }
  return found;
}

function readVariable(command: string, text: string, start: number): Pick<Placeholder, 'root' | 'path'> {
  const [, name = '', fields = ''] = VARIABLE.exec(text.slice(2, -2)) ?? [];
  const path = fields.split('.').slice(1);
  const root = roots.find((known) => known === name);
  if (root !== undefined && (root === 'input') === path.length > 0) return { root, path };
  throw badTemplate(command, { text, start }, `is no variable. ${remedyFor(name, root)}`);
}

function remedyFor(name: string, root: VariableRoot | undefined): string {
  if (root === 'input') return 'Name a field of the input, such as {{input.command}}.';
  if (root !== undefined) return `Write {{${root}}}.`;
  const near =
    name === '' ? undefined : (roots.find((known) => known.startsWith(name)) ?? nearest(name, roots));
  if (near !== undefined) return `Did you mean {{${near}${near === 'input' ? '.field' : ''}}}?`;
  const known = 'The variables are {{toolName}}, {{input.field}}, {{result}} and {{sandbox}}';
  return `${known}; for two braces that are meant as such write '{''{'.`;
}

/** The error for a template. @param problem what is wrong with the placeholder, and what to do: the rest of a sentence that begins with it */
export function badTemplate(
  command: string,
  { text, start }: Pick<Placeholder, 'text' | 'start'>,
  problem: string,
): DefinitionError {
  const before = command.slice(0, start);
  const line = before.split('\n').length;
  const column = start - before.lastIndexOf('\n');
  return new DefinitionError(
    'bad_template',
    `Bad template, line ${line}, column ${column}: ${text} ${problem}`,
  );
}
