import type { JsonValue } from 'type-fest';
import { isObject } from './json-object.ts';

/** The formats of command hooks that are read. */
export type DialectName = 'settings' | 'hub' | 'service' | 'claude';

/** What is known of a format of command hooks without reading or running anything. */
export interface DialectTraits {
  /** A command is given JSON on standard input and answers in JSON, and its answer may decide. */
  readonly answersInJson: boolean;
  /** What its timeouts are counted in. */
  readonly timeoutUnit: 'milliseconds' | 'seconds';
  /** An entry's `condition` is a shell command: the entry runs where that exits with 0 within a second. */
  readonly conditionIsCommand?: true;
  /** Of the entries that are for an occasion, those with the same handler and condition run once: the first. */
  readonly identicalOnce?: true;
  /** An exit code that is neither 0 nor 2 is a mere warning. */
  readonly otherExitsWarn?: true;
  /** What a command prints that is no answer goes to the model as it stands. */
  readonly passesTextOn?: true;
  /** The keys by which an entry says what its failures do, where the format has such. */
  readonly failureKeys?: string;
  /** How a command is told what it is about. */
  readonly input: string;
  /** What in a command shows that it reads this. */
  readonly inputSigns: RegExp;
  /** What to do about an answer that the format does not read. */
  readonly unreadAnswer: string;
  /** Where a field of an answer may belong that stands in the wrong place. */
  readonly misplacedField?: string;
  /** A matcher without what it asks for besides the tool's name. Default: it asks for nothing else. */
  nameMatcher?(matcher: JsonValue): JsonValue;
}

const JSON_INPUT = 'JSON on standard input, with tool_input and session_id';

/** The formats, with what tells them apart. A new one begins with its name and its row: the compiler then asks for the rest. */
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
    answersInJson: true,
    timeoutUnit: 'seconds',
    identicalOnce: true,
    input: JSON_INPUT,
    inputSigns:
      /\$\{?CLAUDE_\w+|\b(?:cwd|transcript_path|permission_suggestions|tool_response|duration_ms)\b/,
    unreadAnswer: 'The guide to the format claude lists what each event reads',
    misplacedField: 'it may belong into "hookSpecificOutput", beside "hookEventName"',
  },
};

/** The names of all formats. */
export const dialectNames: readonly DialectName[] = Object.keys(dialectTraits) as DialectName[];

/** The condition of an entry, where that is a line for the shell. */
export function conditionCommand(entry: {
  readonly dialect: DialectName;
  readonly condition?: string | undefined;
}): string | undefined {
  return dialectTraits[entry.dialect].conditionIsCommand ? entry.condition : undefined;
}
