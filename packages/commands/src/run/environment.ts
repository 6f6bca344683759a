import type { CommandStart } from './command.ts';

/** The host's variables that every command may see; none of them holds a secret by custom. */
const ALLOWED: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_COLLATE',
  'LC_CTYPE',
  'LC_MESSAGES',
  'LC_MONETARY',
  'LC_NUMERIC',
  'LC_TIME',
];

/** Whether a variable of the host reaches commands, given the names that are passed besides the allowed ones. */
export function isHandedOn(name: string, pass: readonly string[]): boolean {
  return ALLOWED.includes(name) || pass.includes(name);
}

/** The bytes a payload variable may hold. The system's limit for one variable is 128 KiB with its name. */
const VARIABLE_BYTES = 96 * 1024;

export interface CommandEnvironment {
  readonly variables: Record<string, string>;
  /** Names of payload variables that their size kept from being set. */
  readonly leftOut: readonly string[];
  /** Names of payload variables that have no single value. */
  readonly unclear: readonly string[];
}

/** The variables of a command: the host's allowed ones, the dialect's, then the payload's; later ones win. */
export function makeEnvironment({ env, pass = [], payloadVariables = {} }: CommandStart): CommandEnvironment {
  const variables: Record<string, string> = Object.create(null);
  for (const name of [...ALLOWED, ...pass]) {
    const value = process.env[name];
    if (value !== undefined) variables[name] = value;
  }
  for (const name of Object.keys(env)) variables[name] = env[name] as string;

  const leftOut: string[] = [];
  const unclear: string[] = [];
  for (const name of Object.keys(payloadVariables)) {
    const value = payloadVariables[name];
    if (value === undefined) {
      delete variables[name];
      unclear.push(name);
    } else if (fits(value)) variables[name] = value;
    else {
      delete variables[name];
      leftOut.push(name);
    }
  }
  if (leftOut.length > 0) variables.HOOK_INPUT_TRUNCATED = '1';
  return { variables, leftOut, unclear };
}

function fits(value: string): boolean {
  if (value.length * 3 <= VARIABLE_BYTES) return true;
  return value.length <= VARIABLE_BYTES && Buffer.byteLength(value) <= VARIABLE_BYTES;
}

/**
 * The first of these variables that a command mentions, in whatever way: `$INPUT`, `${INPUT:-x}`, `os.environ["INPUT"]`; or that a script
 * of it reads.
 */
export function firstNamed(
  names: readonly string[],
  { command, args = [], scripts }: CommandStart,
): string | undefined {
  const words = new Set([command, ...args].flatMap((text) => text.match(/\w+/g) ?? []));
  const named = names.find((name) => words.has(name));
  if (named !== undefined || scripts === undefined) return named;
  const texts = scripts();
  return names.find((name) => texts.some((text) => reads(text, name)));
}

/** Whether a script names a variable, unless it begins by setting it: `INPUT=$(cat)`. */
function reads(script: string, name: string): boolean {
  const line = new RegExp(`^.*\\b${name}\\b.*$`, 'm').exec(script)?.[0];
  if (line === undefined) return false;
  return !new RegExp(`^[^#]*\\b${name}\\s*=(?!=)(?!.*\\b${name}\\b)`).test(line);
}
