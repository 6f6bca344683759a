import { isWord, listTexts, ownField } from './fields.ts';
import { checkedText } from './limits.ts';
import { UNKNOWN } from './shell/scan.ts';

/** The fields with a shell command: a line, or a list of words that runs without a shell. */
export const COMMAND_FIELDS: readonly string[] = ['command', 'cmd'];
/** The fields with further words of that command. */
const ARGUMENT_FIELDS: readonly string[] = ['args', 'arguments', 'argv'];
/** The fields with the variables of that command: an object, `NAME=value`, or pairs of `name` and `value`. */
const VARIABLE_FIELDS: readonly string[] = ['env', 'environment'];

/** A line, or the words of a command that runs without a shell. */
type Command = string | readonly string[];

/** No program's name has these characters: a tool that gets such a word hands it to a shell. */
const OF_SHELL = /[\s;&|<>()$`'"\\]/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * The commands in all command fields. A list of words is a command too. Each command counts alone and with its arguments; its variables
 * are one more command. A value that is neither text nor list may run anything, so {@link UNKNOWN} stands before its texts.
 * @throws {RunError} `invalid_input` for a text that is too long
 */
export function commandFields(input: unknown): Command[] {
  const commands = COMMAND_FIELDS.flatMap((field) => {
    const command = commandIn(input, field);
    return command === undefined ? [] : readings(command, input);
  });
  const variables = commands.length === 0 ? [] : listVariables(input);
  return variables.length === 0 ? commands : [...commands, variables];
}

function commandIn(input: unknown, field: string): Command | undefined {
  const value = ownField(input, field);
  if (typeof value === 'string') return checkedText(value, field);
  const texts = listTexts(value);
  if (texts.length === 0) return undefined;
  checkedText(texts.join(' '), field);
  const isWords = isWord(value) || (Array.isArray(value) && value.every(isWord));
  return isWords ? texts : [UNKNOWN, ...texts];
}

function readings(command: Command, input: unknown): Command[] {
  const isLine = typeof command !== 'string' && OF_SHELL.test(command[0] as string);
  return [
    command,
    ...(isLine ? [command.join(' ')] : []),
    ...ARGUMENT_FIELDS.flatMap((field) => withArguments(command, ownField(input, field), field)),
  ];
}

function withArguments(command: Command, value: unknown, field: string): Command[] {
  const texts = listTexts(value);
  if (texts.length === 0) return [];
  checkedText(texts.join(' '), field);
  if (typeof command === 'string' && typeof value === 'string') return [`${command} ${value}`];
  return [[...(typeof command === 'string' ? command.trim().split(/\s+/) : command), ...texts]];
}

function listVariables(input: unknown): string[] {
  const variables = VARIABLE_FIELDS.flatMap((field) => {
    const value = ownField(input, field);
    if (typeof value !== 'object' || value === null) return isWord(value) ? [String(value)] : [];
    return Array.isArray(value) ? value.map(readPair) : Object.entries(value).map(writeVariable);
  });
  return variables.filter((text) => ASSIGNMENT.test(text)).map((text) => checkedText(text, 'env'));
}

function readPair(value: unknown): string {
  if (isWord(value)) return String(value);
  return writeVariable([ownField(value, 'name') ?? ownField(value, 'key'), ownField(value, 'value')]);
}

function writeVariable([name, value]: readonly [unknown, unknown]): string {
  return isWord(name) && isWord(value) ? `${name}=${value}` : '';
}
