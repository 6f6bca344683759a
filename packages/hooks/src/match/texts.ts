import { COMMAND_FIELDS, commandFields } from './command-fields.ts';
import { textField, textsInField } from './fields.ts';
import { badMatcher, nameKind, toList } from './limits.ts';
import { regexFrom } from './regex.ts';
import { plainCommand } from './shell/plain-command.ts';
import { UNKNOWN } from './shell/scan.ts';
import type { Clause, CompileRegex, MatcherObject } from './types.ts';

/**
 * The condition on a call's command as it is written: one of the regular expressions must match.
 * @throws {DefinitionError} `bad_matcher`
 */
export function commandsClause(
  commands: NonNullable<MatcherObject['commands']>,
  compile: CompileRegex,
): Clause {
  const regexes = toList(commands, 'commands').map((regex) =>
    regexFrom(regex, { compile, clause: 'commands' }),
  );
  const source = regexes.map(({ label }) => label).join(', ');
  const textsOf = (input: unknown) =>
    commandFields(input).map((command) =>
      typeof command === 'string' ? command : command.filter((word) => word !== UNKNOWN).join(' '),
    );
  return {
    label: `commands: ${source}`,
    test: ({ input }) => textsOf(input).some((text) => regexes.some((regex) => regex.test(text))),
    isAll: ({ input }) =>
      areCommandsPlain(input) && textsOf(input).every((text) => regexes.some((regex) => regex.test(text))),
    mismatch: ({ input }) =>
      textsOf(input).length === 0
        ? `commands: the input has no command in ${COMMAND_FIELDS.join(' or ')}`
        : `commands: ${source} does not match the command`,
  };
}

/**
 * Whether each command of a call is surely all that runs. True for a call without a command.
 * @param tested the fields that were tested: no other field may hold a command or its arguments or variables
 */
export function areCommandsPlain(input: unknown, tested?: readonly string[]): boolean {
  const commands = commandFields(input);
  const isTested = (field: string): boolean =>
    tested?.includes(field) === true && textField(input, field) !== undefined;
  const known = tested === undefined ? commands.length : COMMAND_FIELDS.filter(isTested).length;
  return commands.length <= known && commands.every((command) => plainCommand(command) !== undefined);
}

/**
 * One condition for each field of the input: it must be a text that matches the regular expression.
 * @throws {DefinitionError} `bad_matcher`
 */
export function inputClauses(input: NonNullable<MatcherObject['input']>, compile: CompileRegex): Clause[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw badMatcher(
      'input',
      `it must be an object from field to regular expression, got ${nameKind(input)}`,
      'Write { field: /…/ }.',
    );
  }
  const fields = Object.entries(input);
  const tested = Object.keys(input);
  if (fields.length > 0)
    return fields.map(([field, pattern]) => fieldClause(field, { pattern, compile, tested }));
  throw badMatcher('input', 'it names no field', 'Write { field: /…/ }, or leave the clause out.');
}

interface FieldPattern {
  readonly pattern: string | RegExp;
  readonly compile: CompileRegex;
  /** All fields of the matcher. */
  readonly tested: readonly string[];
}

function fieldClause(field: string, { pattern, compile, tested }: FieldPattern): Clause {
  const clause = `input.${field}`;
  const regex = regexFrom(pattern, { compile, clause });
  return {
    label: `${clause}: ${regex.label}`,
    test: ({ input }) => textsInField(input, field).some((text) => regex.test(text)),
    isAll: ({ input }) =>
      textField(input, field) !== undefined &&
      (!COMMAND_FIELDS.includes(field) || areCommandsPlain(input, tested)),
    mismatch: ({ input }) =>
      textsInField(input, field).length === 0
        ? `${clause}: the input has no text in this field`
        : `${clause}: ${regex.label} does not match it`,
  };
}
