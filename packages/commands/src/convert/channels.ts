import type { CommandEntry, DialectName } from '../normal-form.ts';
import type { Loss } from './losses.ts';

/** How a command is told what it is about. */
const inputs: Readonly<Record<DialectName, string>> = {
  settings: 'variables such as $TOOL_NAME and $INPUT',
  hub: 'templates such as {{input.command}}',
  service: 'JSON on standard input, with tool_input and session_id',
  claude: 'JSON on standard input, with tool_input and session_id',
};

const VARIABLES: Readonly<Record<DialectName, RegExp>> = {
  settings:
    /\$\{?(TOOL_NAME|INPUT|OUTPUT|PROMPT|TIMESTAMP|SESSION_ID|USER_NAME|PROJECT_ROOT|PLATFORM|AGENT_NAME)\b|\$?ENV\.(?:TOOL_NAME|INPUT|TIMESTAMP)/,
  hub: /\{\{/,
  service: /\$\{?FILE_PATH\b|\b(?:project_dir|hook_execution_id|timestamp)\b/,
  claude: /\$\{?CLAUDE_\w+|\b(?:cwd|transcript_path|permission_suggestions|tool_response|duration_ms)\b/,
};

const JSON_INPUT: readonly DialectName[] = ['service', 'claude'];

/** What a command reads and prints, where the target format has it otherwise. Nobody can tell what a script inside of it reads. */
export function channelLosses(from: CommandEntry, to: DialectName): Loss[] {
  if (from.handler.type !== 'command' || from.dialect === to) return [];
  const losses = [input(from, to), output(from, to)];
  return losses.flatMap((message, i) =>
    message === undefined
      ? []
      : [{ level: 'changed' as const, place: from.place, field: i === 0 ? 'input' : 'output', message }],
  );
}

function input({ dialect, handler }: CommandEntry, to: DialectName): string | undefined {
  if (handler.type !== 'command') return undefined;
  const text = [handler.command, ...(handler.args ?? [])].join(' ');
  const isNamed = VARIABLES[dialect].test(text);
  const isSameChannel = JSON_INPUT.includes(dialect) && JSON_INPUT.includes(to);
  if (!isNamed && (isSameChannel || !JSON_INPUT.includes(dialect))) return undefined;
  return `The command may read ${inputs[dialect]}; in the format ${to} it is given ${inputs[to]}. Rewrite what reads it.`;
}

/** The events at which the answers of these formats decide something. */
const DECIDES = new Set([
  'before_tool_call',
  'before_permission_request',
  'before_user_message',
  'before_stop',
  'before_compaction',
]);

function output({ dialect, event }: CommandEntry, to: DialectName): string | undefined {
  const [answered, answers] = [JSON_INPUT.includes(dialect), JSON_INPUT.includes(to)];
  if (answered && !answers && DECIDES.has(event))
    return `Decisions that the command prints are not read in the format ${to}: only its exit code counts.`;
  if (!answered && answers && DECIDES.has(event))
    return `What the command prints counts in the format ${to}: text may become context, and JSON a decision. Have it print nothing.`;
  return answered && answers
    ? `The answers of the formats ${dialect} and ${to} have other fields: compare what the command prints.`
    : undefined;
}
