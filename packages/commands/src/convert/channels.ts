import { dialectTraits } from '../dialect-traits.ts';
import type { CommandEntry, DialectName } from '../normal-form.ts';
import type { Loss } from './losses.ts';

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
  const [was, is] = [dialectTraits[dialect], dialectTraits[to]];
  if (!was.inputSigns.test(text) && (is.answersInJson || !was.answersInJson)) return undefined;
  return `The command may read ${was.input}; in the format ${to} it is given ${is.input}. Rewrite what reads it.`;
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
  const [answered, answers] = [dialect, to].map((name) => dialectTraits[name].answersInJson);
  if (answered && !answers && DECIDES.has(event))
    return `Decisions that the command prints are not read in the format ${to}: only its exit code counts.`;
  if (!answered && answers && DECIDES.has(event))
    return `What the command prints counts in the format ${to}: text may become context, and JSON a decision. Have it print nothing.`;
  return answered && answers
    ? `The answers of the formats ${dialect} and ${to} have other fields: compare what the command prints.`
    : undefined;
}
