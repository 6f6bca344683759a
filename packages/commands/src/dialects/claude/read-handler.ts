import { nearest } from '@spec/hooks';
import type { EntryHandler } from '../../entry-handler.ts';
import type { Fields } from '../nested/fields.ts';
import type { Report } from '../nested/report.ts';
import { type ClaudeVariant, type HandlerType, hasKey } from './variant.ts';

/** Reads what an entry runs; `undefined` with an error finding if it is invalid. */
export function readHandler(
  fields: Fields,
  variant: ClaudeVariant,
  report: Report,
): EntryHandler | undefined {
  const type = readType(fields, variant.types);
  if (type === undefined) return undefined;
  const handler = readers[type](fields, variant, report);
  return fields.isBroken ? undefined : handler;
}

function readType(fields: Fields, types: readonly HandlerType[]): HandlerType | undefined {
  const named = fields.text('type');
  const type = types.find((known) => known === named);
  if (type !== undefined || fields.isBroken) return type;
  const what = named === undefined ? 'This hook has no type.' : `There is no type "${named}" of hooks.`;
  const meant = named === undefined ? undefined : nearest(named, types);
  const remedy =
    meant === undefined
      ? types.length === 1
        ? `Write "${types.join()}".`
        : `Write one of ${types.join(', ')}.`
      : `Did you mean "${meant}"?`;
  fields.refuse('type', `${what} ${remedy}`, 'unsupported_handler');
  return undefined;
}

type Reader = (fields: Fields, variant: ClaudeVariant, report: Report) => EntryHandler;

const readers: Readonly<Record<HandlerType, Reader>> = {
  command: readCommand,
  http: readHttp,
  prompt: (fields) => readPrompt(fields, 'prompt'),
  agent: (fields, _, report) => {
    report.warning(
      'agent_without_tools',
      fields.path,
      'An agent hook runs as a prompt hook: its model answers from the input of the hook, without tools.',
    );
    return readPrompt(fields, 'agent');
  },
  mcp_tool: (fields) => ({
    type: 'mcp_tool',
    tool: required(fields, 'tool'),
    ...optional('server', fields.text('server')),
    ...optional('input', fields.object('input')),
  }),
};

function readCommand(fields: Fields, variant: ClaudeVariant, report: Report): EntryHandler {
  const shell = fields.word('shell', ['bash', 'powershell']);
  if (shell === 'powershell')
    fields.refuse('shell', 'PowerShell is not run here. Write the command for bash.', 'unsupported_handler');
  const args = hasKey(variant, 'args') ? fields.texts('args') : undefined;
  const env = hasKey(variant, 'env') ? readTexts(fields, 'env') : undefined;
  for (const key of ['commandWindows', 'command_windows'] as const)
    if (hasKey(variant, key)) fields.text(key);
  if (hasKey(variant, 'additionalContextLimit')) readContextLimit(fields, report);
  const command = required(fields, 'command');
  const run = { type: 'command', command, ...optional('env', env) } as const;
  return args === undefined ? { ...run, shell: 'bash' } : { ...run, args };
}

/** The limit is the same for all here. */
function readContextLimit(fields: Fields, report: Report): void {
  if (fields.number('additionalContextLimit') === undefined) return;
  const message =
    'What a hook tells the model has at most 10,000 characters here, whatever the limit. The rest is kept in a file.';
  report.note('context_limit', [...fields.path, 'additionalContextLimit'], message);
}

function readHttp(fields: Fields): EntryHandler {
  const url = required(fields, 'url');
  if (!fields.isBroken && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    fields.refuse('url', 'The url must be an address that begins with http:// or https://.');
  return {
    type: 'http',
    url,
    ...optional('headers', readTexts(fields, 'headers')),
    ...optional('allowedEnvVars', fields.texts('allowedEnvVars')),
  };
}

function readPrompt(fields: Fields, type: 'prompt' | 'agent'): EntryHandler {
  return {
    type,
    prompt: required(fields, 'prompt'),
    ...optional('model', fields.text('model')),
    ...optional('continueOnBlock', fields.flag('continueOnBlock')),
  };
}

/** An object whose values are texts. */
function readTexts(fields: Fields, key: 'env' | 'headers'): Readonly<Record<string, string>> | undefined {
  const object = fields.object(key);
  if (object !== undefined && !Object.values(object).every((value) => typeof value === 'string'))
    fields.refuse(key, `Each value in "${key}" must be a text.`);
  return object as Record<string, string> | undefined;
}

function required(fields: Fields, key: string): string {
  const text = fields.text(key);
  if (text === undefined && !fields.has(key)) fields.refuse(key, `This hook has no "${key}". Add it.`);
  return text ?? '';
}

/** The field with its value, or no field if there is none. */
function optional<Key extends string, T>(key: Key, value: T | undefined): { readonly [K in Key]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: T };
}
