import type { JsonValue } from 'type-fest';
import { claudeNamesAt, type KnownNames } from './claude-names.ts';
import { isObject } from './json-object.ts';

/** The formats of command hooks that are read. */
export type DialectName = 'settings' | 'hub' | 'service' | 'claude';

/** The traits of a format of command hooks: everything known without reading or running a file. */
export interface DialectTraits {
  /** Files with such paths are always in this format, whatever their entries look like. */
  readonly paths?: RegExp;
  /** A command reads JSON from standard input and answers in JSON, and its answer can decide. */
  readonly answersInJson: boolean;
  /** The unit of its timeouts. */
  readonly timeoutUnit: 'milliseconds' | 'seconds';
  /** An entry's `condition` is a shell command. The entry runs if the command exits with 0 within a second. */
  readonly conditionIsCommand?: true;
  /** Matching entries with the same handler and condition run once: only the first runs. */
  readonly identicalOnce?: true;
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

/** The formats and their differences. To add one, write its name and its row; the compiler then asks for the rest. */
export const dialectTraits: Readonly<Record<DialectName, DialectTraits>> = {
  settings: {
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
    answersInJson: true,
    timeoutUnit: 'seconds',
    identicalOnce: true,
    failureKeys: '"onFailure": "block" (Claude Code 2.1.295 or newer)',
    input: JSON_INPUT,
    inputSigns:
      /\$\{?CLAUDE_\w+|\b(?:cwd|transcript_path|permission_suggestions|tool_response|duration_ms)\b/,
    unreadAnswer: 'The guide to the format claude lists what each event reads',
    namesAt: claudeNamesAt,
    misplacedField: 'it may belong in "hookSpecificOutput", beside "hookEventName"',
  },
};

/** The names of all formats. */
export const dialectNames: readonly DialectName[] = Object.keys(dialectTraits) as DialectName[];

/** The condition of an entry, if it is a shell line. */
export function conditionCommand(entry: {
  readonly dialect: DialectName;
  readonly condition?: string | undefined;
}): string | undefined {
  return dialectTraits[entry.dialect].conditionIsCommand ? entry.condition : undefined;
}
