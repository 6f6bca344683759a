// The dialect `copilot`: reads the hooks of GitHub Copilot and understands its answers. The table of dialects in `load` lists it; it never starts a command.

import { compileMatcher } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { dialectTraits, folderVariables } from '../../dialect-traits.ts';
import type { CommandHandler } from '../../entry-handler.ts';
import { isObject } from '../../json-object.ts';
import type { CommandEntry, CompiledEntry, Dialect, Occasion } from '../../normal-form.ts';
import { compileFileRegex } from '../../regexes.ts';
import { readCopilotAnswer } from './answer.ts';
import { type CopilotEvent, copilotEvents, copilotUnsupported, isPascal } from './events.ts';
import { writeCopilotPayload } from './payload.ts';
import { readCopilot } from './read.ts';
import { VS_CODE } from './read-handler.ts';

/** The dialect of the hooks of GitHub Copilot, in the forms of Copilot CLI and of VS Code. */
export const copilot: Dialect = {
  ...dialectTraits.copilot,
  name: 'copilot',
  recognises,
  read: readCopilot,
  compile,
  strategy: () => 'serial',
};

const SHARED = [
  'sessionStart',
  'sessionEnd',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'preCompact',
];
const OWN_EVENTS = [...Object.keys(copilotEvents), ...Object.keys(copilotUnsupported)].filter(
  (name) => !isPascal(name) && !SHARED.includes(name) && !name.startsWith('subagent'),
);
const OWN_KEYS = ['bash', 'powershell', 'exec', 'timeoutSec', 'linux', 'osx'];

/** Events and keys that no other agent has. */
function recognises({ hooks }: JsonObject): boolean {
  if (!isObject(hooks)) return false;
  return Object.entries(hooks).some(([name, list]) => {
    if (!Array.isArray(list)) return false;
    const hasOwnKey = (item: unknown): boolean =>
      isObject(item as JsonObject) && OWN_KEYS.some((key) => Object.hasOwn(item as object, key));
    return OWN_EVENTS.includes(name) || list.some(hasOwnKey);
  });
}

/** @throws {DefinitionError} `bad_matcher` */
function compile(entry: CommandEntry): CompiledEntry {
  const event = copilotEvents[entry.eventName] as CopilotEvent;
  const matcher = typeof entry.matcher === 'string' ? entry.matcher : undefined;
  const test =
    matcher !== undefined && event.tested !== undefined
      ? compileMatcher(`/^(?:${matcher})$/`, { regex: compileFileRegex })
      : undefined;
  return {
    entry,
    ...(event.isTool ? { isByToolName: true } : {}),
    mismatch(occasion) {
      if (test === undefined || event.tested === undefined) return undefined;
      const fits = event.tested(occasion).some((name) => test.test({ name, input: undefined }));
      return fits ? undefined : `the matcher ${matcher} does not match`;
    },
    invocation: (occasion) => ({
      handler: entry.handler,
      payload: writeCopilotPayload(entry.eventName, occasion),
      env: makeVariables(entry, occasion),
      payloadVariables: {},
    }),
    answer: (given) => readCopilotAnswer({ event, given, isVsCode: entry.form === VS_CODE }),
  };
}

function makeVariables({ handler }: CommandEntry, { projectDir }: Occasion): Record<string, string> {
  const folders = folderVariables('copilot', { project: projectDir });
  const env = handler.type === 'command' ? (handler.env ?? {}) : {};
  return { COPILOT_CLI: '1', ...folders, ...fillIn(env, folders) };
}

/** `${NAME}` of a folder stands for it. */
function fillIn(
  env: NonNullable<CommandHandler['env']>,
  folders: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)\}/g, (whole, folder: string) => folders[folder] ?? whole),
    ]),
  );
}
