import { listPaths, nearest } from '@spec/hooks';
import type { JsonValue } from 'type-fest';
import type { CommandHandler } from '../../entry-handler.ts';
import type { Occasion } from '../../normal-form.ts';
import { neededVariables, setsVariable } from '../nested/named-variables.ts';
import type { Path, Report } from '../nested/report.ts';
import type { ClaudeOptions } from './options.ts';
import { makeResponse } from './payload.ts';
import { findPluginRoot } from './plugin-root.ts';

/** The variables of the format itself. */
const OWN = [
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PLUGIN_DATA',
  'CLAUDE_ENV_FILE',
  'CLAUDE_CODE_REMOTE',
  'CLAUDE_EFFORT',
] as const;

/** A variable that files use although no hook is given it. */
interface LegacyVariable {
  /** How a command reads the same value from its standard input. */
  readonly instead: string;
  /** `WITHHELD`: any single value could be a decoy. */
  readonly read: (occasion: Occasion) => string | typeof WITHHELD | undefined;
}

/** Marks several values, or a value that is not text. A command that reads such a variable does not run. */
const WITHHELD = Symbol('withheld');

function onlyText(values: readonly (JsonValue | undefined)[]): string | typeof WITHHELD | undefined {
  const [value, another] = values.filter((one) => one !== undefined && one !== null);
  if (value === undefined) return undefined;
  return typeof value === 'string' && another === undefined ? value : WITHHELD;
}

const filePath: LegacyVariable = {
  instead: 'jq -r .tool_input.file_path',
  read: ({ tool }) => onlyText(listPaths(tool?.input)),
};
const toolOutput: LegacyVariable = {
  instead: 'jq .tool_response',
  read: ({ result }) => {
    if (result === undefined) return undefined;
    const response = makeResponse(result);
    return typeof response === 'string' ? response : JSON.stringify(response);
  },
};

const LEGACY: Readonly<Record<string, LegacyVariable>> = {
  CLAUDE_TOOL_INPUT: {
    instead: 'jq .tool_input',
    read: ({ tool }) => tool && JSON.stringify(tool.input),
  },
  CLAUDE_TOOL_NAME: { instead: 'jq -r .tool_name', read: ({ tool }) => tool?.name },
  CLAUDE_TOOL_OUTPUT: toolOutput,
  CLAUDE_TOOL_RESPONSE: toolOutput,
  CLAUDE_TOOL_FILE_PATH: filePath,
  CLAUDE_FILE_PATH: filePath,
  CLAUDE_FILE_PATHS: filePath,
  CLAUDE_TOOL_COMMAND: {
    instead: 'jq -r .tool_input.command',
    read: ({ tool }) => onlyText([tool?.input.command, tool?.input.cmd]),
  },
  CLAUDE_USER_PROMPT: { instead: 'jq -r .prompt', read: ({ prompt }) => prompt },
  CLAUDE_NOTIFICATION: { instead: 'jq -r .message', read: ({ notification }) => notification?.message },
  CLAUDE_SESSION_ID: { instead: 'jq -r .session_id', read: ({ sessionId }) => sessionId },
};

/** The variables of {@link LEGACY} that an occasion has values for; one without a value is withheld. */
export function legacyVariables(occasion: Occasion): Record<string, string | undefined> {
  const values: Record<string, string | undefined> = {};
  for (const [name, { read }] of Object.entries(LEGACY)) {
    const value = read(occasion);
    if (value !== undefined) values[name] = value === WITHHELD ? undefined : value;
  }
  return values;
}

/** The position of a command with variables. */
interface CommandPlace {
  readonly file: string;
  readonly eventName: string;
  readonly path: Path;
}

/** Reports the variables of a command that it does not get. */
export function reportVariables(
  { command, args = [] }: CommandHandler,
  place: CommandPlace,
  { report, options }: { readonly report: Report; readonly options: ClaudeOptions },
): void {
  const text = [command, ...args].join('\n');
  const names = neededVariables(text).filter((name) => name.startsWith('CLAUDE_'));
  for (const name of names) {
    if (setsVariable(text, name)) continue;
    const problem = problemWith(name, place, options);
    if (problem !== undefined)
      report.warning('unknown_variable', place.path, `The command uses $${name}, ${problem}`);
  }
}

function problemWith(
  name: string,
  { file, eventName }: CommandPlace,
  { legacyVariables: isLegacySet = false, pluginDataDir }: ClaudeOptions,
): string | undefined {
  if (Object.hasOwn(LEGACY, name)) {
    if (isLegacySet) return undefined;
    return `which no hook gets: it is empty. Read it from standard input (${LEGACY[name]?.instead}), or load the file with legacyVariables.`;
  }
  if (name === 'CLAUDE_PLUGIN_ROOT' && findPluginRoot(file) === undefined)
    return 'which only the file hooks/hooks.json of a plugin has, and one that .claude-plugin/plugin.json names: it is empty. Use $CLAUDE_PROJECT_DIR.';
  if (name === 'CLAUDE_PLUGIN_DATA' && pluginDataDir === undefined)
    return 'which is empty here. Load the file with pluginDataDir.';
  if (name === 'CLAUDE_ENV_FILE' && eventName !== 'SessionStart')
    return 'which only SessionStart has: it is empty.';
  if (name === 'CLAUDE_EFFORT') return 'which is empty here: this runtime has no levels of effort.';
  if ((OWN as readonly string[]).includes(name)) return undefined;
  const meant = nearest(name, OWN);
  return `which no hook gets: it is empty. ${meant === undefined ? 'The input of hooks is on standard input.' : `Did you mean $${meant}?`}`;
}
