import type { JsonObject, JsonValue } from 'type-fest';
import { folderVariables } from '../../dialect-traits.ts';
import type { CommandHandler, EntryHandler } from '../../entry-handler.ts';
import { isObject } from '../../json-object.ts';
import type { CommandEntry, Invocation, Occasion } from '../../normal-form.ts';
import { writeClaudePayload } from './payload.ts';
import type { Shared } from './shared.ts';
import { legacyVariables } from './variables.ts';
import type { ClaudeVariant } from './variant.ts';

/** What an entry shares with others, and the folder of its plugin. */
export interface SharedByEntry extends Shared {
  readonly pluginRoot: string | undefined;
}

/** What an entry is given on an occasion. */
export function makeInvocation(entry: CommandEntry, occasion: Occasion, shared: SharedByEntry): Invocation {
  const { variant, options } = shared;
  const { legacyVariables: isLegacySet = false } = options;
  const transcriptPath = options.transcriptPath?.(occasion.sessionId) ?? '';
  const payload = writeClaudePayload(entry.eventName, occasion, { transcriptPath, variant });
  const env = makeVariables(entry, occasion, shared);
  return {
    handler: withVariables(filledIn(entry.handler, payload, env), env, variant),
    payload,
    env,
    payloadVariables: isLegacySet ? legacyVariables(occasion) : {},
  };
}

function makeVariables(
  { eventName, handler }: CommandEntry,
  occasion: Occasion,
  { variant, options, folder, pluginRoot }: SharedByEntry,
): Record<string, string> {
  const { projectDir, sessionId } = occasion;
  const folders = folderVariables(variant.name, { project: projectDir, plugin: pluginRoot });
  const env = handler.type === 'command' ? handler.env : undefined;
  if (variant.given !== undefined) return { ...folders, ...variant.listVariables?.(occasion), ...env };
  return {
    ...folders,
    ...(options.pluginDataDir === undefined ? {} : { CLAUDE_PLUGIN_DATA: options.pluginDataDir }),
    ...(eventName === 'SessionStart' ? { CLAUDE_ENV_FILE: folder.path(`env-${sessionId}`) } : {}),
  };
}

function filledIn(
  handler: EntryHandler,
  payload: string,
  env: Readonly<Record<string, string>>,
): EntryHandler {
  switch (handler.type) {
    case 'command':
      return withFolders(handler, env);
    case 'prompt':
    case 'agent':
      return { ...handler, prompt: withArguments(handler.prompt, payload) };
    case 'mcp_tool':
      return handler.input === undefined
        ? handler
        : { ...handler, input: withFields(handler.input, payload) };
    case 'http':
      return handler;
  }
}

const FOLDER = /\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\}/g;

/** No shell reads a program with its arguments: the folders in them are filled in here. In a shell line the shell does it. */
function withFolders(handler: CommandHandler, env: Readonly<Record<string, string>>): CommandHandler {
  if (handler.args === undefined) return handler;
  const fill = (text: string): string => text.replace(FOLDER, (_, name: string) => env[name] ?? '');
  return { ...handler, command: fill(handler.command), args: handler.args.map(fill) };
}

/** Such a value is the same in each place of a command. Of others a shell makes what it should be: put into quotes, they could end them. */
const PLAIN = /^[\w@%+=:,./-]+$/;

function withVariables(
  handler: EntryHandler,
  env: Readonly<Record<string, string>>,
  { fillsVariables, given }: ClaudeVariant,
): EntryHandler {
  if (fillsVariables !== true || handler.type !== 'command' || handler.args !== undefined) return handler;
  const names = (given?.names ?? []).filter((name) => PLAIN.test(env[name] ?? ''));
  const command = names.reduce(
    (text, name) => text.replaceAll(`$${name}`, () => env[name] ?? ''),
    handler.command,
  );
  return { ...handler, command };
}

function withArguments(prompt: string, payload: string): string {
  return prompt.includes('$ARGUMENTS')
    ? prompt.replaceAll('$ARGUMENTS', () => payload)
    : `${prompt}\n\n${payload}`;
}

const FIELD = /\$\{([\w.]+)\}/g;

/** Puts fields of the payload into a tool's input: a text that is one `${path}` and no more becomes the value itself. */
function withFields(input: JsonObject, payload: string): JsonObject {
  const payloadFields = JSON.parse(payload) as JsonObject;
  const fill = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(fill);
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner as JsonValue)]));
    if (typeof value !== 'string') return value;
    const whole = /^\$\{([\w.]+)\}$/.exec(value)?.[1];
    if (whole !== undefined) return at(payloadFields, whole) ?? null;
    return value.replace(FIELD, (_, path: string) => fillText(at(payloadFields, path)));
  };
  return fill(input) as JsonObject;
}

function at(value: JsonValue, path: string): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>((inner, key) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    return (inner as JsonObject)[key];
  }, value);
}

function fillText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
