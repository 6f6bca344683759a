import { type CompiledEntry, dialectTraits, isGate } from '@spec/commands';
import { nearest } from '@spec/hooks';
import { sampleOccasion } from './occasion.ts';
import { shellSteps, UNKNOWN } from './shell-steps.ts';

/** The JSON objects that a command prints as they are written, and lets nobody else read. */
export function printedObjects({ entry: { handler } }: CompiledEntry): string[] {
  if (handler.type !== 'command') return [];
  const { command, args } = handler;
  if (args === undefined && GROUP_GOES_ON.test(command)) return [];
  const commands =
    args === undefined
      ? shellSteps(command).filter(({ isInside, output }) => !isInside && output === 'shown')
      : [{ words: [command, ...args] }];
  return commands.flatMap(({ words: [name = '', ...words] }) => {
    const text = words.join(' ');
    const object = /^(?:echo|printf)$/.test(name) ? objectAt(text, text.indexOf('{')) : undefined;
    return object === undefined ? [] : [object];
  });
}

/** What a group of commands prints goes to another command, or to a file. */
const GROUP_GOES_ON = /(?:[)}]|\bdone|\bfi)\s*(?:\|(?!\|)|\d?>)|\bexec\s+>/;

/** Longer answers are made by scripts. */
const MAX_ANSWER = 2_000;

/** The JSON object that begins at a place, if one does. */
export function objectAt(text: string, start: number): string | undefined {
  if (start < 0) return undefined;
  for (
    let end = text.indexOf('}', start);
    end >= 0 && end - start < MAX_ANSWER;
    end = text.indexOf('}', end + 1)
  ) {
    const part = text.slice(start, end + 1);
    try {
      JSON.parse(part);
      return part;
    } catch {}
  }
  return undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The field of a printed object that was meant for an answer and changes nothing in what its format reads.
 * @param text a JSON object
 */
export function nearMiss(compiled: CompiledEntry, text: string, folder: string): string | undefined {
  const given = JSON.parse(text) as Fields;
  const read = answerTo(compiled, given, folder);
  if (read.failure !== undefined) return undefined;
  const isUnread = (key: string): boolean => {
    const without = answerTo(compiled, withoutKey(given, key), folder);
    return (
      JSON.stringify(dropPassedText(compiled, read)) === JSON.stringify(dropPassedText(compiled, without))
    );
  };
  const decides = read.decision !== undefined || read.keepsGoing === true || read.endsTurn === true;
  const fields = [...Object.entries(given), ...Object.entries(readSpecificFields(given))];
  const found = fields.find(
    ([key, value]) =>
      ((!decides && isDecision(key, value)) ||
        (CONTENT_KEYS.includes(key) && typeof value !== 'boolean' && value !== '' && value !== null)) &&
      isUnread(key),
  );
  const isSilent = Object.keys(read).length === 0 && isGate(compiled.entry.event);
  return found?.[0] ?? (isSilent ? Object.keys(given).find((key) => REASON_KEYS.includes(key)) : undefined);
}

/** Whether an object holds what looks like a decision, in any format's words. */
export function hasDecision(text: string): boolean {
  return Object.entries(JSON.parse(text) as Fields).some(([key, value]) => isDecision(key, value));
}

/** Whether the shell fills in what an object decides. */
export function isFilledIn(text: string): boolean {
  const given = JSON.parse(text) as Fields;
  return [...Object.entries(given), ...Object.entries(readSpecificFields(given))].some(
    ([key, value]) =>
      /decision|action|behavior|hookEventName|continue/i.test(key) &&
      typeof value === 'string' &&
      (/[$`]|%s/.test(value) || value.includes(UNKNOWN)),
  );
}

const WORD_KEYS = ['decision', 'permissionDecision', 'permission', 'action', 'behavior', 'verdict'];
const FLAG_KEYS = ['allow', 'allowed', 'deny', 'denied', 'block', 'blocked', 'approve', 'approved'];
const CONTENT_KEYS: readonly string[] = ['additionalContext', 'updatedInput', 'permissionDecisionReason'];
const REASON_KEYS: readonly string[] = ['reason', 'message'];
const VERDICT = /^(?:allow|approve|ask|block|deny|permit|refuse|reject)(?:e?d)?$/i;

function isDecision(key: string, value: unknown): boolean {
  if (FLAG_KEYS.includes(key)) return typeof value === 'boolean' || typeof value === 'string';
  if (typeof value !== 'string' || !VERDICT.test(value)) return false;
  // To approve is to have no opinion, where an event has nothing to approve.
  if (WORD_KEYS.includes(key)) return !/^(?:allow|approve)$/.test(value) || !/decision/i.test(key);
  return nearest(key, WORD_KEYS.slice(0, 2)) !== undefined;
}

function readSpecificFields({ hookSpecificOutput: specific }: Fields): Fields {
  return typeof specific === 'object' && specific !== null ? (specific as Fields) : {};
}

function withoutKey(given: Fields, key: string): Fields {
  const { [key]: _own, hookSpecificOutput, ...more } = given;
  if (hookSpecificOutput === undefined) return more;
  const { [key]: _specific, ...specific } = readSpecificFields(given);
  return { ...more, hookSpecificOutput: specific };
}

type Answer = ReturnType<CompiledEntry['answer']>;

function answerTo(compiled: CompiledEntry, given: Fields, folder: string): Answer {
  const stdout = new TextEncoder().encode(`${JSON.stringify(given)}\n`);
  const said = { exitCode: 0, stdout, stderr: new Uint8Array() };
  return compiled.answer(said, sampleOccasion(compiled.entry, folder));
}

/** An answer without the text that an event passes on as it stands. */
function dropPassedText({ entry }: CompiledEntry, answer: Answer): Answer {
  const { context, ...more } = answer;
  return dialectTraits[entry.dialect].passesTextOn && context?.startsWith('{') ? more : answer;
}
