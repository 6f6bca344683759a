import { type ClaudeLine, claudeLine, isClaudeLine } from './formats/claude-lines.ts';
import { claudeConversations } from './formats/claude-session.ts';
import { type Conversation, describeProblem } from './formats/conversation.ts';
import { parse } from './formats/parse-json.ts';
import { isMessageList, KNOWN_SHAPES, shaped } from './formats/shapes.ts';

/** One conversation of an input, or what is wrong in its place. */
export type Entry =
  | { readonly place: string; readonly conversation: Conversation }
  | { readonly place: string; readonly problem: string };

/** Reads the lines of one input; lines of sessions are gathered until all are there. */
export interface LineReader {
  readLineEntries(text: string, number: number): Iterable<Entry>;
  readDocumentEntries(text: string): Iterable<Entry>;
  /** The conversations in all lines of sessions, and in all messages, that were read. */
  sessions(): Iterable<Entry>;
}

/**
 * @param name the input's, for what is wrong with it
 * @param file how the ids of conversations begin that have none
 */
export function lineReader(name: string, file: string): LineReader {
  const session: ClaudeLine[] = [];
  /** One message a line: the file is one conversation. */
  const messages: { readonly number: number; readonly value: unknown }[] = [];
  let hasUnknown = false;

  function toEntry(place: string, value: unknown, id: string): Entry {
    const found = shaped(value, id);
    if ('conversation' in found) return { place, ...found };
    return { place, problem: found.problem === 'unknown' ? unknownShape() : found.problem };
  }

  function unknownShape(): string {
    const known = hasUnknown ? '' : `; known are ${KNOWN_SHAPES}`;
    hasUnknown = true;
    return `${name} has no shape here that is known${known}.`;
  }

  function* entriesOfValue(place: string, value: unknown, id: string): Generator<Entry> {
    if (isMessageList(value) || !Array.isArray(value)) yield toEntry(place, value, id);
    else for (const [i, item] of value.entries()) yield toEntry(`entry ${i + 1}`, item, `${id}:${i + 1}`);
  }

  return {
    *readLineEntries(text, number) {
      const place = `line ${number}`;
      const parsed = parse(text);
      if ('problem' in parsed) yield { place, problem: parsed.problem };
      else if (isClaudeLine(parsed.value)) {
        const line = claudeLine(parsed.value, number);
        if ('error' in line) yield { place, problem: describeProblem(line.error) };
        else session.push(line);
      } else if (isMessageList([parsed.value])) messages.push({ number, value: parsed.value });
      else yield* entriesOfValue(place, parsed.value, `${file}:${number}`);
    },
    *readDocumentEntries(text) {
      const place = 'the JSON document';
      const parsed = parse(text);
      if ('problem' in parsed) yield { place, problem: parsed.problem };
      else yield* entriesOfValue(place, parsed.value, file);
    },
    *sessions() {
      if (messages[0] !== undefined) {
        const values = messages.map(({ value }) => value);
        yield toEntry(`line ${messages[0].number}`, values, file);
      }
      yield* readSession(session, { name, file });
    },
  };
}

/** The conversations in the lines of a session file. */
function* readSession(
  lines: readonly ClaudeLine[],
  { name, file }: { readonly name: string; readonly file: string },
): Generator<Entry> {
  const conversations = claudeConversations(lines);
  for (const { id, line, ...recorded } of conversations)
    yield { place: `line ${line}`, conversation: { id: id || file, ...recorded } };
  const [first] = lines;
  if (first === undefined || conversations.length > 0) return;
  yield {
    place: `line ${first.number}`,
    problem: `${name} has lines of a Claude Code session, and none of them is a message.`,
  };
}
