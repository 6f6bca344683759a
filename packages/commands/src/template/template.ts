// Template: fills the placeholders of a command so that no value becomes code. The dialect `hub` calls it; it never starts a command.

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${…} is shell here
import { RunError, readShellLine, type ShellLine } from '@spec/hooks';
import { findCode, taintsAll, type WordContents } from './code-words.ts';
import { expandAmongValues, findEvaluation, MAY_BE_VALUE, viaExpansion } from './lines-with-values.ts';
import { badTemplate, findPlaceholders, type Placeholder, type VariableRoot } from './placeholders.ts';
import { isReadAlike, type Quoting, quote, quotingAt } from './quoting.ts';

export type { VariableRoot } from './placeholders.ts';

/** A variable of a template, and how its value is quoted at its place. */
export interface TemplateVariable {
  /** As it is written: `{{input.command}}`. */
  readonly text: string;
  readonly root: VariableRoot;
  readonly path: readonly string[];
  readonly quoting: Quoting;
}

/** A shell command with `{{variables}}`, ready to be filled in. */
export interface Template {
  readonly command: string;
  readonly variables: readonly TemplateVariable[];
  /**
   * Fills in the values, each quoted for its place, so that the command receives exactly the same bytes.
   * @throws {RunError} `invalid_input` for a value that is missing or cannot be handed over; `input_too_large` from 128 KiB on
   */
  render(values: TemplateValues): string;
}

/** The most bytes that Linux takes for one argument of a process, its end included. */
const MAX_COMMAND = 131_072;

/**
 * Compiles a shell command with `{{toolName}}`, `{{input.field}}`, `{{result}}` and `{{sandbox}}` (rules-and-scripts, "Template
 * Variables").
 *
 * @throws {DefinitionError} `bad_template`, with line and column, for a variable that does not exist or whose place no quoting makes
 *   safe: a comment, a here-document, backticks, arithmetic, `${…}`, `$'…'`, code for a shell or another interpreter
 */
export function compileTemplate(command: string): Template {
  const placeholders = findPlaceholders(command);
  const variables = placeholders.length === 0 ? [] : placedVariables(command, placeholders);
  return {
    command,
    variables,
    render(values) {
      const rendered = fill(command, variables, values);
      const size = new TextEncoder().encode(rendered).length;
      if (size < MAX_COMMAND) return rendered;
      const problem = `with its values it has ${size} bytes, but a command must have fewer than ${MAX_COMMAND}`;
      throw new RunError(
        'input_too_large',
        `The command was not run: ${problem}. Read the payload from standard input instead.`,
      );
    },
  };
}

type PlacedVariable = Placeholder & { readonly quoting: Quoting };

function fill(command: string, variables: readonly PlacedVariable[], values: TemplateValues): string {
  let rendered = '';
  let at = 0;
  for (const variable of variables) {
    rendered +=
      command.slice(at, variable.start) + quote(fillPlaceholder(variable, values), variable.quoting);
    at = variable.end;
  }
  return rendered + command.slice(at);
}

function placedVariables(command: string, placeholders: readonly Placeholder[]): PlacedVariable[] {
  const marked = withMarks(command, placeholders);
  const first = placeholders[0] as Placeholder;
  const line = readShellLine(marked, isOperatorsOnly(placeholders) ? undefined : expandAmongValues(marked));
  if (line === undefined || command.includes('\r')) {
    const problem =
      'is in a command that cannot be read for certain. Close its quotes, or put it into a script.';
    throw badTemplate(command, first, problem);
  }
  const variables = placeholders.map((placeholder) => ({
    ...placeholder,
    quoting: quotingAt(command, placeholder, line),
  }));
  if (!isReadAlike(command, line)) {
    const problem =
      "is on a line with $'…' or with quotes in ${…}, which shells read in different ways. Put them into a script.";
    throw badTemplate(command, first, problem);
  }
  checkCommands({ command, marked }, placeholders, line);
  return variables;
}

/** Checks what the line's commands do with the words that hold values. */
function checkCommands(
  { command, marked }: { readonly command: string; readonly marked: string },
  placeholders: readonly Placeholder[],
  line: ShellLine,
): void {
  const first = placeholders[0] as Placeholder;
  const tainted = taintsAll(line);
  if (tainted !== undefined) throw badTemplate(command, first, tainted);
  const code = findCode(line, contentsWith(placeholders));
  if (code !== undefined) {
    const culprit = placeholders[(MARK.exec(code.word)?.[0].charCodeAt(0) as number) - FIRST_MARK] ?? first;
    const problem = MARK.test(code.word) ? code.problem : viaExpansion(code.problem);
    throw badTemplate(
      command,
      culprit,
      problem.replace('VALUE', () => culprit.text),
    );
  }
  const evaluation = isOperatorsOnly(placeholders) ? undefined : findEvaluation(line, marked);
  if (evaluation !== undefined)
    throw badTemplate(
      command,
      first,
      evaluation.replace('VALUE', () => first.text),
    );
  for (const [index, placeholder] of placeholders.entries()) {
    if (isSeen(index, placeholder, line)) continue;
    throw badTemplate(
      command,
      placeholder,
      'is not part of a word of a command. Write it as a separate word.',
    );
  }
}

/** Marks stand for placeholders while the line is read: private-use characters, as many as the placeholder has. */
const FIRST_MARK = 0xe000;
const MARK = /[\uE000-\uEFFF]/;
const MARKS = /[\uE000-\uF8FF]/g;

function withMarks(command: string, placeholders: readonly Placeholder[]): string {
  let marked = command.replace(MARKS, 'x');
  for (const [index, { start, end, text }] of placeholders.entries()) {
    const mark = String.fromCharCode(FIRST_MARK + index).repeat(text.length);
    marked = marked.slice(0, start) + mark + marked.slice(end);
  }
  return marked;
}

/** The operator sets the sandbox's path; all other values come from the model or somebody else. */
function isOperatorsOnly(placeholders: readonly Placeholder[]): boolean {
  return placeholders.every(({ root }) => root === 'sandbox');
}

function contentsWith(placeholders: readonly Placeholder[]): WordContents {
  const isOperators = isOperatorsOnly(placeholders);
  const isSandbox = (mark: string) => placeholders[mark.charCodeAt(0) - FIRST_MARK]?.root === 'sandbox';
  return {
    hasValue: (word) => MARK.test(word) || (!isOperators && MAY_BE_VALUE.test(word)),
    isInSandbox: (word) =>
      MARK.test(word[0] ?? '') && /^(.)\1*\//.test(word) && (word.match(MARKS) ?? []).every(isSandbox),
  };
}

function isSeen(index: number, { start, end }: Placeholder, { commands, spans }: ShellLine): boolean {
  const mark = String.fromCharCode(FIRST_MARK + index);
  const isRedirected = spans.some(
    (span) => span.kind === 'redirection' && span.start <= start && end <= span.end,
  );
  return (
    isRedirected ||
    commands.some(({ words, scripts }) => [...words, ...scripts].some((word) => word.includes(mark)))
  );
}

/** The values of a template's variables. An absent one is unknown for this event. */
export type TemplateValues = Readonly<Partial<Record<VariableRoot, unknown>>>;

/**
 * The text for a placeholder: strings as they are, anything else as JSON.
 * @throws {RunError} `invalid_input`, naming the variable and never its value
 */
function fillPlaceholder(placeholder: Placeholder, values: TemplateValues): string {
  const text = asText(lookUp(placeholder, values), placeholder);
  if (text.includes('\0')) throw refused(placeholder, 'holds a NUL character, which no command can be given');
  if (!text.isWellFormed())
    throw refused(placeholder, 'holds half of a surrogate pair, which has no UTF-8 form');
  return text;
}

/** Follows a path over own properties only: `{{input.constructor}}` is no field of the input. */
function lookUp(placeholder: Placeholder, values: TemplateValues): unknown {
  let value: unknown = values;
  for (const field of [placeholder.root, ...placeholder.path]) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field))
      throw refused(placeholder, 'is not there for this call');
    value = (value as Readonly<Record<string, unknown>>)[field];
  }
  return value;
}

function asText(value: unknown, placeholder: Placeholder): string {
  if (typeof value === 'string') return value;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) throw refused(placeholder, 'is no value that JSON can write');
  return text;
}

function refused({ text }: Placeholder, why: string): RunError {
  return new RunError('invalid_input', `The command was not run: ${text} ${why}.`);
}
