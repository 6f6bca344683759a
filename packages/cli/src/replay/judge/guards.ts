import { posix } from 'node:path';
import { isRecord, type ToolCallView } from '@spec/hooks';
import { listCommands, type RunCommand } from './shell-commands.ts';

/** A guard that comes with the command, for folders that have no hooks. It knows no more than the call. */
export interface Guard {
  readonly id: string;
  readonly decision: 'deny' | 'ask';
  readonly reason: string;
  fits(call: GuardedCall): boolean;
}

/** A tool call as guards see it. */
export interface GuardedCall {
  readonly commands: readonly RunCommand[];
  /** The file that the tool reads or writes. */
  readonly path: string | undefined;
  readonly writes: boolean;
  /** The folder in which the agent worked. */
  readonly cwd: string | undefined;
}

/** What guards look at in a call of any agent's tools. */
export function guardedCall({ name, input }: ToolCallView, cwd?: string): GuardedCall {
  const fields = isRecord(input) ? input : {};
  const line = commandLine(fields.command ?? fields.cmd);
  const path = [fields.file_path, fields.notebook_path, fields.path, fields.filename].find(isText);
  return {
    commands: line === undefined ? [] : listCommands(line),
    path,
    writes: /write|edit|create|patch|replace/i.test(name),
    cwd,
  };
}

/** A list is a program with its arguments; of `bash -lc LINE` the line is meant. */
function commandLine(command: unknown): string | undefined {
  if (isText(command)) return command;
  if (!Array.isArray(command) || !command.every(isText)) return undefined;
  const [program = '', option = '', line] = command;
  if (/(?:^|\/)(?:ba|z|da|k)?sh$/.test(program) && /^-[a-z]*c$/.test(option)) return line;
  return command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

const anyCommand =
  (fits: (command: RunCommand) => boolean) =>
  ({ commands }: GuardedCall): boolean =>
    commands.some(fits);

/** All of them, those that deny before those that ask. */
export const builtInGuards: readonly Guard[] = [
  {
    id: 'no_delete_of_home_or_root',
    decision: 'deny',
    reason: 'It deletes a home folder or a folder of the system with all that is in it.',
    fits: anyCommand(deletesTooMuch),
  },
  {
    id: 'no_force_push_to_main',
    decision: 'deny',
    reason: 'It overwrites the history of a branch that others build on.',
    fits: anyCommand(forcesMain),
  },
  {
    id: 'no_secret_files',
    decision: 'deny',
    reason: 'It reads or writes a file of secrets, which then stand in the conversation.',
    fits: ({ commands, path }) =>
      (path !== undefined && isSecretFile(path)) || commands.some(readsSecretFile),
  },
  {
    id: 'no_download_into_shell',
    decision: 'deny',
    reason: 'It runs a download that nobody has looked at.',
    fits: anyCommand(
      ({ name, pipedFrom = '' }) => interpreters.has(name) && ['curl', 'wget'].includes(pipedFrom),
    ),
  },
  {
    id: 'ask_before_discarding',
    decision: 'ask',
    reason: 'It discards changes that are not committed.',
    fits: anyCommand(discardsChanges),
  },
  {
    id: 'ask_before_skipping_checks',
    decision: 'ask',
    reason: 'It skips the checks that the repository has for this.',
    fits: anyCommand(skipsChecks),
  },
  {
    id: 'ask_before_sudo',
    decision: 'ask',
    reason: 'It runs as another user, who may do more.',
    fits: anyCommand(({ name }) => name === 'sudo' || name === 'doas'),
  },
  {
    id: 'ask_before_writing_outside',
    decision: 'ask',
    reason: 'It writes a file outside of the folder that the agent works in.',
    fits: ({ path, writes, cwd }) =>
      writes && path !== undefined && cwd !== undefined && isOutside(path, cwd),
  },
];

const interpreters = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'fish',
  'python',
  'python3',
  'node',
  'perl',
  'ruby',
]);

function hasOption(args: readonly string[], long: string, short = ''): boolean {
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  return options.some(
    (one) => one === long || (short !== '' && /^-[A-Za-z]+$/.test(one) && one.slice(1).includes(short)),
  );
}

const system = 'bin|boot|dev|etc|home|lib|opt|root|sbin|srv|usr|var|Users|System|Library|Applications';
/** The root, a folder of the system or somebody's home: itself or all that is in it. */
const tooMuch = new RegExp(`^(?:/|~|/(?:${system})|/(?:home|Users)/[^/]+)?/?\\*?$`);

function deletesTooMuch({ name, args }: RunCommand): boolean {
  const isRecursive = hasOption(args, '--recursive', 'r') || hasOption(args, '--recursive', 'R');
  return name === 'rm' && isRecursive && args.some((one) => /^[/~]/.test(one) && tooMuch.test(one));
}

/** The words behind the sub-command of git, where it is that one. */
function gitArgs({ name, args }: RunCommand, command: string): readonly string[] | undefined {
  if (name !== 'git') return undefined;
  let at = 0;
  while (args[at]?.startsWith('-'))
    at += ['-C', '-c', '--git-dir', '--work-tree'].includes(args[at] ?? '') ? 2 : 1;
  return args[at] === command ? args.slice(at + 1) : undefined;
}

function forcesMain(command: RunCommand): boolean {
  const args = gitArgs(command, 'push') ?? [];
  const isForced = hasOption(args, '--force', 'f');
  return args.some((one) => {
    const [, plus, target] = /^(\+?)(?:[^:]*:)?(?:refs\/heads\/)?(main|master)$/.exec(one) ?? [];
    return target !== undefined && (isForced || plus === '+');
  });
}

const secretNames =
  /^(?:\.env(?:\..+)?|\.netrc|\.pgpass|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:p12|pfx))$/;
const harmlessNames = /^\.env\.(?:example|sample|template|dist|defaults?)$/;
const secretPaths = /(?:^|\/)(?:\.aws\/credentials|\.docker\/config\.json|\.kube\/config)$/;

function isSecretFile(path: string): boolean {
  const name = posix.basename(path);
  return secretPaths.test(path) || (secretNames.test(name) && !harmlessNames.test(name));
}

const readers = new Set(
  'cat bat less more head tail grep rg egrep sed awk cut sort strings xxd od base64 nl tac cp scp source .'.split(
    ' ',
  ),
);

function readsSecretFile({ name, args, inputs }: RunCommand): boolean {
  if (inputs.some(isSecretFile)) return true;
  const read = name === 'curl' ? args.flatMap((one) => /@(.+)$/.exec(one)?.[1] ?? []) : args;
  return (readers.has(name) || name === 'curl') && read.some(isSecretFile);
}

function discardsChanges(command: RunCommand): boolean {
  if (gitArgs(command, 'reset')?.includes('--hard')) return true;
  if (hasOption(gitArgs(command, 'clean') ?? [], '--force', 'f'))
    return !hasOption(command.args, '--dry-run', 'n');
  const restored = gitArgs(command, 'restore');
  if (restored?.includes('.')) return !restored.includes('--staged') || restored.includes('--worktree');
  return gitArgs(command, 'checkout')?.includes('.') === true;
}

function skipsChecks(command: RunCommand): boolean {
  if (gitArgs(command, 'push')?.includes('--no-verify')) return true;
  const args = gitArgs(command, 'commit') ?? [];
  return args.includes('--no-verify') || args.some((one) => /^-[aeipqsvz]*n/.test(one));
}

/** Temporary files are everybody's. */
const temporary = /^(?:\/tmp|\/private\/tmp|\/var\/folders|\/dev\/null)(?:\/|$)/;

function isOutside(path: string, cwd: string): boolean {
  if (!posix.isAbsolute(cwd) || temporary.test(path)) return false;
  const whole = posix.resolve(cwd, path);
  return path.startsWith('~') || (whole !== cwd && !whole.startsWith(cwd.endsWith('/') ? cwd : `${cwd}/`));
}
