import type { JsonValue } from 'type-fest';
import { claudeNamesAt, type KnownNames } from './claude-names.ts';
import { isObject } from './json-object.ts';

/** The formats of command hooks that are read. */
export type DialectName =
  | 'settings'
  | 'hub'
  | 'service'
  | 'claude'
  | 'qwen'
  | 'factory'
  | 'codex'
  | 'gemini'
  | 'cursor'
  | 'copilot';

/** The traits of a format of command hooks: everything known without reading or running a file. */
export interface DialectTraits {
  /** Files with such paths are always in this format, whatever their entries look like. */
  readonly paths?: RegExp;
  /** Files in the home folder that are the user's own; `*.json` stands for all in a folder. */
  readonly homeFiles?: readonly string[];
  /** The variable that names another folder for the first of {@link homeFiles}. */
  readonly homeVariable?: string;
  /** Keys beside `hooks` that say which hooks run: `disableAllHooks`, `tools.enableHooks`. */
  readonly switches?: readonly string[];
  /** The variables of a command that hold a folder. */
  readonly folders?: Readonly<Record<string, 'project' | 'plugin'>>;
  /** A command reads JSON from standard input and answers in JSON, and its answer can decide. */
  readonly answersInJson: boolean;
  /** The unit of its timeouts. */
  readonly timeoutUnit: 'milliseconds' | 'seconds';
  /** An entry's `condition` is a shell command. The entry runs if the command exits with 0 within a second. */
  readonly conditionIsCommand?: true;
  /** Matching entries with the same handler and condition run once: only the first runs. */
  readonly identicalOnce?: true;
  /** Which exit codes block, if that is not: 2, and others where the entry says so. As a sentence. */
  readonly exitCodes?: string;
  /** An exit code other than 0 and 2 is only a warning. */
  readonly otherExitsWarn?: true;
  /** Output that is not an answer is passed to the model unchanged. */
  readonly passesTextOn?: true;
  /** The keys that say what an entry's failures do, if the format has them. */
  readonly failureKeys?: string;
  /** How a command gets its input. */
  readonly input: string;
  /** Text in a command that shows that it reads this input. */
  readonly inputSigns: RegExp;
  /** The remedy for an answer that the format does not read. */
  readonly unreadAnswer: string;
  /** The likely path of a field that stands in the wrong place of an answer. */
  readonly misplacedField?: string;
  /** Reduces a matcher to its condition on the tool's name. Default: the matcher has no other condition. */
  nameMatcher?(matcher: JsonValue): JsonValue;
  /** The names with which matchers are compared on an event, if the program that reads the format has a list of them. */
  namesAt?(eventName: string): KnownNames | undefined;
}

const JSON_INPUT = 'JSON on standard input, with tool_input and session_id';
const MISPLACED = 'it may belong in "hookSpecificOutput", beside "hookEventName"';

/** The formats and their differences. To add one, write its name and its row; the compiler then asks for the rest. */
export const dialectTraits: Readonly<Record<DialectName, DialectTraits>> = {
  settings: {
    homeFiles: ['.clawdcode/settings.json'],
    folders: { PROJECT_ROOT: 'project' },
    answersInJson: false,
    timeoutUnit: 'milliseconds',
    conditionIsCommand: true,
    input: 'variables such as $TOOL_NAME and $INPUT',
    inputSigns:
      /\$\{?(TOOL_NAME|INPUT|OUTPUT|PROMPT|TIMESTAMP|SESSION_ID|USER_NAME|PROJECT_ROOT|PLATFORM|AGENT_NAME)\b|\$?ENV\.(?:TOOL_NAME|INPUT|TIMESTAMP)/,
    unreadAnswer: 'Hooks of this format block by their exit code, with "continueOnFailure": false',
    nameMatcher: (matcher) => (typeof matcher === 'string' ? matcher.replace(/\(.*\)$/s, '') : matcher),
  },
  hub: {
    answersInJson: false,
    timeoutUnit: 'milliseconds',
    input: 'templates such as {{input.command}}',
    inputSigns: /\{\{/,
    unreadAnswer:
      'Hooks of this format block by their exit code, with "continueOnError": false; scripts of rules can answer more',
    nameMatcher: (matcher) => (isObject(matcher) ? (matcher.matcher ?? '.*') : matcher),
  },
  service: {
    answersInJson: true,
    timeoutUnit: 'seconds',
    otherExitsWarn: true,
    passesTextOn: true,
    failureKeys: '"timeoutBehavior" and "failureBehavior"',
    input: JSON_INPUT,
    inputSigns: /\$\{?FILE_PATH\b|\b(?:project_dir|hook_execution_id|timestamp)\b/,
    unreadAnswer: 'The guide to the format service lists what it reads',
    nameMatcher(matcher) {
      if (!isObject(matcher)) return matcher;
      return matcher.tools === undefined ? {} : { tools: matcher.tools };
    },
  },
  claude: {
    paths: /(?:^|[\\/])\.claude[\\/]settings(?:\.local)?\.json$/,
    homeFiles: ['.claude/settings.json'],
    homeVariable: 'CLAUDE_CONFIG_DIR',
    switches: ['disableAllHooks'],
    folders: { CLAUDE_PROJECT_DIR: 'project', CLAUDE_PLUGIN_ROOT: 'plugin' },
    answersInJson: true,
    timeoutUnit: 'seconds',
    identicalOnce: true,
    failureKeys: '"onFailure": "block" (Claude Code 2.1.295 or newer)',
    input: JSON_INPUT,
    inputSigns:
      /\$\{?CLAUDE_\w+|\b(?:cwd|transcript_path|permission_suggestions|tool_response|duration_ms)\b/,
    unreadAnswer: 'The guide to the format claude lists what each event reads',
    namesAt: claudeNamesAt,
    misplacedField: MISPLACED,
  },
  qwen: {
    exitCodes: 'exit code 2 blocks only where a text is on standard error',
    paths: /(?:^|[\\/])\.qwen[\\/]settings\.json$/,
    homeFiles: ['.qwen/settings.json'],
    switches: ['disableAllHooks'],
    folders: { QWEN_PROJECT_DIR: 'project', GEMINI_PROJECT_DIR: 'project', CLAUDE_PROJECT_DIR: 'project' },
    answersInJson: true,
    timeoutUnit: 'seconds',
    identicalOnce: true,
    input: JSON_INPUT,
    inputSigns: /\$\{?(?:QWEN|GEMINI|CLAUDE)_\w+|\b(?:cwd|transcript_path|tool_response|tool_call_id)\b/,
    unreadAnswer: 'The guide to the format qwen lists what each event reads',
    misplacedField: MISPLACED,
  },
  codex: {
    exitCodes: 'exit code 2 blocks only where a text is on standard error',
    paths: /(?:^|[\\/])\.codex[\\/](?:hooks\.json|config\.toml)$/,
    homeFiles: ['.codex/hooks.json', '.codex/config.toml'],
    switches: ['features.hooks', 'features.codex_hooks'],
    homeVariable: 'CODEX_HOME',
    folders: { PLUGIN_ROOT: 'plugin', CLAUDE_PLUGIN_ROOT: 'plugin' },
    answersInJson: true,
    timeoutUnit: 'seconds',
    input: JSON_INPUT,
    inputSigns: /\$\{?(?:CLAUDE_)?PLUGIN_\w+|\b(?:cwd|transcript_path|tool_response|turn_id)\b/,
    unreadAnswer: 'The guide to the format codex lists what each event reads, and Codex takes no other key',
    misplacedField: MISPLACED,
  },
  gemini: {
    exitCodes: 'a text blocks with every exit code but 0 and 1, and without a text none blocks',
    paths: /(?:^|[\\/])\.gemini[\\/]settings\.json$/,
    homeFiles: ['.gemini/settings.json'],
    switches: ['hooksConfig', 'tools.enableHooks'],
    folders: { GEMINI_PROJECT_DIR: 'project', GEMINI_CWD: 'project', CLAUDE_PROJECT_DIR: 'project' },
    answersInJson: true,
    timeoutUnit: 'milliseconds',
    identicalOnce: true,
    input: JSON_INPUT,
    inputSigns:
      /\$\{?(?:GEMINI|CLAUDE)_\w+|\b(?:cwd|transcript_path|tool_response|prompt_response|timestamp)\b/,
    unreadAnswer: 'The guide to the format gemini lists what each event reads',
  },
  cursor: {
    paths: /(?:^|[\\/])\.cursor[\\/]hooks\.json$/,
    homeFiles: ['.cursor/hooks.json'],
    switches: ['version'],
    folders: { CURSOR_PROJECT_DIR: 'project', CLAUDE_PROJECT_DIR: 'project' },
    answersInJson: true,
    timeoutUnit: 'seconds',
    identicalOnce: true,
    failureKeys: '"failClosed": true',
    input: 'JSON on standard input, with command, file_path or tool_input, and conversation_id',
    inputSigns: /\$\{?CURSOR_\w+|\b(?:conversation_id|workspace_roots|cursor_version|file_path)\b/,
    unreadAnswer: 'The guide to the format cursor lists what each event reads',
    nameMatcher: (matcher) => (isObject(matcher) ? '.*' : matcher),
  },
  copilot: {
    exitCodes: 'exit code 2 blocks, and before a tool every other one but 0',
    paths:
      /(?:^|[\\/])(?:\.(?:github|copilot)[\\/]hooks[\\/][^\\/]+|\.copilot[\\/]settings|\.github[\\/]copilot[\\/]settings(?:\.local)?)\.json$/,
    homeFiles: ['.copilot/settings.json', '.copilot/hooks/*.json'],
    homeVariable: 'COPILOT_HOME',
    switches: ['disableAllHooks', 'disabledHooks', 'version'],
    folders: { COPILOT_PROJECT_DIR: 'project', CLAUDE_PROJECT_DIR: 'project' },
    answersInJson: true,
    timeoutUnit: 'seconds',
    input: 'JSON on standard input, with toolArgs and sessionId, or tool_input and session_id',
    inputSigns: /\$\{?COPILOT_\w+|\b(?:toolArgs|toolName|toolResult|sessionId|transcript_path)\b/,
    unreadAnswer: 'The guide to the format copilot lists what each event reads',
  },
  factory: {
    paths: /(?:^|[\\/])\.factory[\\/](?:settings(?:\.local)?|hooks)\.json$/,
    homeFiles: ['.factory/settings.json', '.factory/hooks.json'],
    folders: { FACTORY_PROJECT_DIR: 'project', DROID_PLUGIN_ROOT: 'plugin' },
    answersInJson: true,
    timeoutUnit: 'seconds',
    identicalOnce: true,
    input: 'JSON on standard input, with tool_input and sessionId',
    inputSigns: /\$\{?(?:FACTORY|DROID)_\w+|\b(?:cwd|transcriptPath|transcript_path|tool_response)\b/,
    unreadAnswer: 'The guide to the format factory lists what each event reads',
    misplacedField: MISPLACED,
  },
};

/** The variables of a format's commands that hold these folders. */
export function folderVariables(
  dialect: DialectName,
  folders: { readonly project: string; readonly plugin?: string | undefined },
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dialectTraits[dialect].folders ?? {}).flatMap(([name, which]) => {
      const folder = folders[which];
      return folder === undefined ? [] : [[name, folder]];
    }),
  );
}

/** The names of all formats. */
export const dialectNames: readonly DialectName[] = Object.keys(dialectTraits) as DialectName[];

/** The condition of an entry, if it is a shell line. */
export function conditionCommand(entry: {
  readonly dialect: DialectName;
  readonly condition?: string | undefined;
}): string | undefined {
  return dialectTraits[entry.dialect].conditionIsCommand ? entry.condition : undefined;
}
