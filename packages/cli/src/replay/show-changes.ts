import { diffArrays } from 'diff';
import { pc } from '../colours.ts';
import { clip, heading } from '../table.ts';
import type { TextChange } from './changes.ts';
import { type InputPosition, placeText } from './place.ts';

/** What one run of a hook changed. */
export interface HookChange {
  readonly hook: string;
  readonly id: string;
  /** What it decided, where that is why something did not happen. */
  readonly outcome?: 'denied' | 'asked';
  /** The tool call that it is about, where it is about one. */
  readonly tool?: string;
  /** The call's command, path or address, else its arguments, redacted. */
  readonly input?: string;
  /** Why it was denied or asked about, redacted. */
  readonly reason?: string;
  readonly changes: readonly TextChange[];
}

/** What hooks changed in one conversation. */
export interface ConversationChanges extends InputPosition {
  /** Its id. */
  readonly conversation: string;
  readonly changes: readonly HookChange[];
}

/** What hooks changed in one conversation, word by word. */
export function showChanges({ conversation, changes, ...at }: ConversationChanges): string {
  const lines = changes.flatMap((change) => [
    `  ${pc.bold(change.id)} ${pc.dim(change.hook)}${outcomeText(change)}`,
    ...callLines(change),
    ...change.changes.map(changeLine),
  ]);
  return `${[heading(oneLine(conversation), placeText(at)), ...lines].join('\n')}\n`;
}

function outcomeText({ outcome }: HookChange): string {
  return outcome === undefined ? '' : ` ${pc.yellow(outcome)}`;
}

function callLines({ tool, input = '', reason }: HookChange): string[] {
  const call = tool === undefined ? [] : [`    ${oneLine(tool)}  ${oneLine(input)}`];
  return reason === undefined ? call : [...call, `    ${pc.dim('because')}  ${oneLine(reason)}`];
}

/** So much of what stays the same is shown around what does not, in characters. */
const AROUND = 40;
/** Texts with more words that differ are told by their length: comparing them takes time that grows with the number. */
const MOST_EDITS = 2_000;

function changeLine({ path, before, after }: TextChange): string {
  const label = path === '' ? '' : `${pc.dim(path)}  `;
  return `    ${label}${wordDiff(before, after)}`;
}

function wordDiff(before: string | null, after: string | null): string {
  if (before === null) return added(clip(oneLine(after ?? ''), 4 * AROUND));
  if (after === null) return removed(clip(oneLine(before), 4 * AROUND));
  const parts = diffArrays(splitWords(before), splitWords(after), { maxEditLength: MOST_EDITS });
  if (parts === undefined) return pc.dim(`${before.length} characters before, ${after.length} after`);
  return parts
    .map((part, i) => {
      const text = oneLine(part.value.join(''));
      if (part.added) return added(text);
      if (part.removed) return removed(text);
      return unchanged(text, { isFirst: i === 0, isLast: i === parts.length - 1 });
    })
    .join('');
}

/** Words with the signs inside of them, such as an address; the signs that end a phrase; and blanks. */
function splitWords(text: string): string[] {
  return text.match(/\s+|\S+?(?=[.,;:!?)]{0,3}(?:\s|$))/g) ?? [];
}

function unchanged(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const kept = (isFirst ? 0 : AROUND) + (isLast ? 0 : AROUND);
  if (text.length <= kept + 1) return text;
  return `${isFirst ? '' : text.slice(0, AROUND)}…${isLast ? '' : text.slice(-AROUND)}`;
}

/** In one line, and without what a terminal would obey. */
function oneLine(text: string): string {
  return text
    .replace(/\r?\n/g, '⏎')
    .replace(/\t/g, ' ')
    .replace(/\p{Cc}/gu, '�');
}

/** Without colours, as `git diff --word-diff` writes it. */
function added(text: string): string {
  return pc.isColorSupported ? pc.green(text) : `{+${text}+}`;
}

function removed(text: string): string {
  return pc.isColorSupported ? pc.red(pc.strikethrough(text)) : `[-${text}-]`;
}
