import { nearest } from '@spec/hooks';
import type { EntryHandler } from '../../entry-handler.ts';
import type { Fields } from '../nested/fields.ts';
import type { Report } from '../nested/report.ts';

const TYPES = ['command', 'http', 'prompt', 'agent', 'mcp_tool'] as const;
type Type = (typeof TYPES)[number];

/** Reads what an entry runs; `undefined` with an error finding if it is invalid. */
export function readHandler(fields: Fields, report: Report): EntryHandler | undefined {
  const type = readType(fields);
  if (type === undefined) return undefined;
  const handler = readers[type](fields, report);
  return fields.isBroken ? undefined : handler;
}

function readType(fields: Fields): Type | undefined {
  const named = fields.text('type');
  const type = TYPES.find((known) => known === named);
  if (type !== undefined || fields.isBroken) return type;
  const what = named === undefined ? 'This hook has no type.' : `There is no type "${named}" of hooks.`;
  const meant = named === undefined ? undefined : nearest(named, TYPES);
  const remedy = meant === undefined ? `Write one of ${TYPES.join(', ')}.` : `Did you mean "${meant}"?`;
  fields.refuse('type', `${what} ${remedy}`, 'unsupported_handler');
  return undefined;
}

type Reader = (fields: Fields, report: Report) => EntryHandler;

const readers: Readonly<Record<Type, Reader>> = {
  command: readCommand,
  http: readHttp,
  prompt: (fields) => readPrompt(fields, 'prompt'),
  agent: (fields, report) => {
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

function readCommand(fields: Fields): EntryHandler {
  const shell = fields.word('shell', ['bash', 'powershell']);
  if (shell === 'powershell')
    fields.refuse('shell', 'PowerShell is not run here. Write the command for bash.', 'unsupported_handler');
  const args = fields.texts('args');
  const command = required(fields, 'command');
  return args === undefined
    ? { type: 'command', command, shell: 'bash' }
    : { type: 'command', command, args };
}

function readHttp(fields: Fields): EntryHandler {
  const url = required(fields, 'url');
  if (!fields.isBroken && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    fields.refuse('url', 'The url must be an address that begins with http:// or https://.');
  const headers = fields.object('headers');
  if (headers !== undefined && !Object.values(headers).every((value) => typeof value === 'string'))
    fields.refuse('headers', 'Each header must be a text.');
  return {
    type: 'http',
    url,
    ...optional('headers', headers as Record<string, string> | undefined),
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

function required(fields: Fields, key: string): string {
  const text = fields.text(key);
  if (text === undefined && !fields.has(key)) fields.refuse(key, `This hook has no "${key}". Add it.`);
  return text ?? '';
}

/** The field with its value, or no field if there is none. */
function optional<Key extends string, T>(key: Key, value: T | undefined): { readonly [K in Key]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: T };
}
