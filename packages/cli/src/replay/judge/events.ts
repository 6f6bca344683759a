import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { type HookToolCall, isRecord } from '@spec/hooks';
import { claudeLine, isClaudeLine } from '../formats/claude-lines.ts';
import { readSaidOfClaude } from '../formats/claude-said.ts';
import { type Conversation, describeProblem } from '../formats/conversation.ts';
import { parse } from '../formats/parse-json.ts';
import { makeRecorded } from '../formats/said.ts';
import { isMessageList, shaped } from '../formats/shapes.ts';
import type { FoundFile } from './find-files.ts';
import { type Line, readLines } from './lines.ts';

/** Where and when something happened. */
export interface Moment {
  /** The id of its session or conversation. */
  readonly session: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The folder in which the agent worked, where that is known. */
  readonly cwd?: string;
}

/** What happened in a recording, one after another. */
export type RecordedEvent = Moment &
  (
    | { readonly kind: 'call'; readonly call: HookToolCall }
    | { readonly kind: 'result'; readonly callId: string; readonly text: string; readonly isError: boolean }
    | { readonly kind: 'message'; readonly role: string; readonly text: string }
  );

/** What cannot be read: its line, 0 for the whole file, and why, without what it says. */
export interface Unread {
  readonly line: number;
  readonly problem: string;
}

/** A JSON document is read as a whole, up to so many bytes. */
const LARGEST_DOCUMENT = 67_108_864;

/** What happened in a file, in its order: one line is held at a time, of a `.json` file the whole. */
export async function* readEvents(
  file: FoundFile,
  onBytes: (count: number) => void,
): AsyncGenerator<RecordedEvent | Unread> {
  const { path, size } = file;
  if (extname(path) !== '.json') {
    const stream = createReadStream(path) as AsyncIterable<Buffer>;
    for await (const line of readLines(stream, { onBytes })) yield* ofLine(line, file);
    return;
  }
  onBytes(size);
  if (size > LARGEST_DOCUMENT) yield { line: 0, problem: 'it is a JSON document of more than 64 MB' };
  else yield* ofDocument(await readFile(path, 'utf8'), file);
}

function* ofLine({ number, text }: Line, file: FoundFile): Generator<RecordedEvent | Unread> {
  if (text === undefined) yield { line: number, problem: 'it is longer than 32 MB' };
  else if (text.trim() !== '') {
    const parsed = parse(number === 1 ? text.replace(/^\uFEFF/, '') : text);
    if ('problem' in parsed) yield { line: number, problem: parsed.problem };
    else yield* ofValue(parsed.value, number, file);
  }
}

function* ofDocument(text: string, file: FoundFile): Generator<RecordedEvent | Unread> {
  const parsed = parse(text.replace(/^\uFEFF/, ''));
  if ('problem' in parsed) yield { line: 0, problem: parsed.problem };
  else yield* ofValue(parsed.value, 0, file);
}

function* ofValue(value: unknown, line: number, file: FoundFile): Generator<RecordedEvent | Unread> {
  if (isClaudeLine(value)) yield* ofClaudeLine(value, line, file);
  else if (Array.isArray(value) && !isMessageList(value))
    for (const item of value) yield* ofValue(item, line, file);
  else {
    // One message a line is one conversation a file.
    const isMessage = isRecord(value) && typeof value.role === 'string';
    const found = shaped(isMessage ? [value] : value, basename(file.path));
    if ('conversation' in found) yield* ofConversation(found.conversation, { at: file.writtenAt });
    else if (found.problem !== 'unknown') yield { line, problem: found.problem };
  }
}

function* ofClaudeLine(value: object, line: number, file: FoundFile): Generator<RecordedEvent | Unread> {
  const read = claudeLine(value, line);
  if ('error' in read) {
    yield { line, problem: describeProblem(read.error) };
    return;
  }
  const { timestamp, cwd } = value as { readonly timestamp?: unknown; readonly cwd?: unknown };
  const { sessionId = basename(file.path, '.jsonl'), agentId } = read;
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  const recorded = makeRecorded(readSaidOfClaude([read]));
  const id = read.isSidechain === true && agentId !== undefined ? `${sessionId}/${agentId}` : sessionId;
  yield* ofConversation(
    { id, ...recorded },
    {
      at: Number.isNaN(at) ? file.writtenAt : at,
      ...(typeof cwd === 'string' && { cwd }),
    },
  );
}

function* ofConversation(
  { id, messages, failedCalls }: Conversation,
  when: Omit<Moment, 'session'>,
): Generator<RecordedEvent> {
  for (const { role, content, tool_calls, tool_call_id: callId = '', created_at } of messages) {
    const at = typeof created_at === 'number' ? created_at / 1_000 : when.at;
    const moment: Moment = { ...when, at, session: id };
    if (role === 'tool') {
      const isError = failedCalls?.has(callId) === true;
      yield { ...moment, kind: 'result', callId, text: content ?? '', isError };
    } else if (content !== null && content !== '') yield { ...moment, kind: 'message', role, text: content };
    for (const call of tool_calls ?? []) yield { ...moment, kind: 'call', call };
  }
}
