import type { CommandHandler, EntryHandler } from '../../entry-handler.ts';
import type { Fields } from '../nested/fields.ts';

/** The line of each system in the form of VS Code. */
const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'linux',
  darwin: 'osx',
  win32: 'windows',
};
const SYSTEM_KEYS = Object.values(SYSTEMS);

/** The form of entries with a line for each system. */
export const VS_CODE = 'vscode';

/** Whether an entry is in the form of VS Code. */
export function isVsCodeForm(fields: Pick<Fields, 'has'>): boolean {
  return SYSTEM_KEYS.some((key) => fields.has(key));
}

/** Reads what an entry runs; `undefined` with an error finding if it is invalid. */
export function readCopilotHandler(fields: Fields): EntryHandler | undefined {
  const type = fields.text('type') ?? 'command';
  const handler = Object.hasOwn(readers, type) ? readers[type]?.(fields) : undefined;
  if (handler === undefined && !fields.isBroken)
    fields.refuse(
      'type',
      `There is no type "${type}" of hooks here. Write "command" or "http".`,
      'unsupported_handler',
    );
  return fields.isBroken ? undefined : handler;
}

const readers: Readonly<Record<string, (fields: Fields) => EntryHandler | undefined>> = {
  command: readCommand,
  http: readHttp,
  prompt(fields) {
    const message =
      'A prompt is said at the start of a session of Copilot CLI, and nothing does that here. Remove it.';
    fields.refuse('type', message, 'unsupported_handler');
    return undefined;
  },
};

function readCommand(fields: Fields): CommandHandler | undefined {
  const lines = new Map(
    [...SYSTEM_KEYS, 'bash', 'command', 'powershell'].map((key) => [key, fields.text(key)]),
  );
  const program = fields.text('exec');
  const args = fields.texts('args');
  const cwd = fields.text('cwd');
  const env = readEnv(fields);
  const around = { ...(cwd === undefined ? {} : { cwd }), ...(env === undefined ? {} : { env }) };
  if (program !== undefined) return { type: 'command', command: program, args: args ?? [], ...around };
  const own = SYSTEMS[process.platform];
  const line = (own === undefined ? undefined : lines.get(own)) ?? lines.get('bash') ?? lines.get('command');
  if (line !== undefined) return { type: 'command', command: line, shell: 'bash', ...around };
  if (fields.isBroken) return undefined;
  const isForOthers = [...lines.values()].some((text) => text !== undefined);
  const message = isForOthers
    ? 'This hook has a command for another system alone. Add "bash": it is what runs here.'
    : 'This hook has no command. Add "bash", a line for the shell, or "exec" with "args".';
  fields.refuse(isForOthers ? 'powershell' : 'bash', message, 'no_command');
  return undefined;
}

/** What Copilot fills in from its own environment, which commands are not given here. */
const FILLED = /\$\{(?!COPILOT_PROJECT_DIR\}|CLAUDE_PROJECT_DIR\})/;

function readEnv(fields: Fields): Readonly<Record<string, string>> | undefined {
  const env = fields.object('env');
  const values = Object.values(env ?? {});
  if (!values.every((value) => typeof value === 'string'))
    fields.refuse('env', 'Each value in "env" must be a text.');
  else if (values.some((value) => FILLED.test(value as string)))
    fields.refuse(
      'env',
      'A value in "env" names a variable of the environment. Name it in the command instead, and in the option "pass".',
    );
  return env as Record<string, string> | undefined;
}

function readHttp(fields: Fields): EntryHandler | undefined {
  const url = fields.text('url') ?? '';
  const headers = fields.object('headers');
  const allowedEnvVars = fields.texts('allowedEnvVars');
  if (!fields.isBroken && !isAllowed(url))
    fields.refuse('url', 'The url must be an address that begins with https://, or http:// on this machine.');
  if (headers !== undefined && !Object.values(headers).every((value) => typeof value === 'string'))
    fields.refuse('headers', 'Each value in "headers" must be a text.');
  return {
    type: 'http',
    url,
    ...(headers === undefined ? {} : { headers: headers as Record<string, string> }),
    ...(allowedEnvVars === undefined ? {} : { allowedEnvVars }),
  };
}

function isAllowed(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
  );
}
