import { RunError } from '../errors.ts';
import type { HookMessage, HookToolCall, UserFile } from '../vocabulary/messages.ts';
import type { NewMessage } from '../vocabulary/state.ts';
import { answerOpen, answerStopped } from './answer-stopped.ts';
import { readToolCalls } from './exchanges.ts';
import type { CallOutcome } from './run-call.ts';
import type { HostTurn, MessageVerdict } from './turn.ts';

// What bridges do with the three kinds of messages that a foreign loop makes: each goes through its chain, and what comes out is what the loop goes on with.

/** What a model said: its text and its calls. */
export interface Said {
  readonly text: string | null;
  readonly calls: readonly HookToolCall[];
}

export type TextVerdict =
  | Extract<MessageVerdict, { isDenied: true }>
  | {
      readonly isDenied: false;
      readonly content: string | null;
      /** The files as hooks have left them; nothing where there were none. */
      readonly attachments?: unknown;
    };

/** What a user says, and sends along. */
export interface SaidByUser {
  readonly content: string | null;
  readonly id?: string;
  readonly files: readonly UserFile[];
}

/** The files of a message, as a field of it. */
function asField(attachments: readonly UserFile[]): { readonly attachments?: readonly UserFile[] } {
  return attachments.length === 0 ? {} : { attachments };
}

/** Sends what a user says through `before_user_message` and the chains of a message. */
export function receiveText(
  turn: HostTurn,
  content: string | null,
  id: string = crypto.randomUUID(),
): Promise<TextVerdict> {
  return receiveMessage(turn, { content, id, files: [] });
}

/** The same for a text with files, which hooks see and may change; no store gets them. What hooks attach to a text without any is a field like others. */
export async function receiveMessage(
  turn: HostTurn,
  { content, id = crypto.randomUUID(), files }: SaidByUser,
): Promise<TextVerdict> {
  const verdict = await turn.receive({ role: 'user', content, ...asField(files) });
  if (verdict.isDenied) return verdict;
  const { message } = verdict;
  if (!turn.takesMessages) return readReceived(message, message.attachments);
  let attachments: unknown;
  const stored = await turn.store(stampRow({ ...message, id }), (row) => {
    const { attachments: given, ...others } = row;
    attachments = given;
    return files.length === 0 ? row : (others as NewMessage);
  });
  return readReceived(stored, attachments);
}

function readReceived({ content }: NewMessage, attachments: unknown): TextVerdict {
  return { isDenied: false, content, ...(attachments === undefined ? {} : { attachments }) };
}

/**
 * Sends a text of the user through the same hooks, and stores nothing: what is there already, and was rewritten by the loop for its model.
 */
export async function reviewText(
  turn: HostTurn,
  content: string | null,
  files: readonly UserFile[] = [],
): Promise<TextVerdict> {
  const verdict = await turn.receive({ role: 'user', content, ...asField(files) });
  if (verdict.isDenied) return verdict;
  const row = await passRow(turn, verdict.message, { isStored: false });
  return readReceived(row, row.attachments);
}

/**
 * Sends a message that neither the user, nor a model or tool of this turn has made, through the chains of a message.
 *
 * @param isStored whether it is a new one; else only `before_create_message` sees it
 */
export async function passRow(
  turn: HostTurn,
  message: NewMessage,
  { isStored }: { readonly isStored: boolean },
): Promise<NewMessage> {
  if (!turn.takesMessages) return message;
  const row = { id: crypto.randomUUID(), ...message };
  if (isStored) return storeRow(turn, row);
  return (await turn.run('before_create_message', stampRow(row))) as unknown as NewMessage;
}

/**
 * Sends calls that no answer has through the hooks on messages, such as one that the application has repaired. They are not stored.
 *
 * @returns the same list where hooks leave it alone
 */
export async function passCalls(
  turn: HostTurn,
  calls: readonly HookToolCall[],
): Promise<readonly HookToolCall[]> {
  const tool_calls = JSON.stringify(calls);
  const row = await passRow(turn, { role: 'assistant', content: null, tool_calls }, { isStored: false });
  const passed = row as Pick<HookMessage, 'tool_calls'>;
  return passed.tool_calls === tool_calls ? calls : readToolCalls(passed);
}

/**
 * What hooks have for the conversation since the last call, when it has passed the chains of a message.
 *
 * @param more what else belongs to it, in words for the model
 * @returns nothing where there is nothing to say
 */
export function passContexts(
  turn: HostTurn,
  ...more: readonly string[]
): Promise<string | undefined> | string | undefined {
  const texts = [...turn.takeContexts(), ...more];
  if (texts.length === 0) return undefined;
  const content = texts.join('\n\n');
  return turn.takesMessages ? storeContexts(turn, content) : content;
}

async function storeContexts(turn: HostTurn, content: string): Promise<string | undefined> {
  const row = stampRow({ id: crypto.randomUUID(), role: 'user', content });
  const stored = await turn.storeOfHooks(row, (checked) => checked);
  return stored.content ?? undefined;
}

/** Sends an answer through the chains of a message. @returns the same object where nothing has changed */
export async function passAnswer(
  turn: HostTurn,
  said: Said,
  id: string = crypto.randomUUID(),
): Promise<Said> {
  if (!turn.takesMessages) return said;
  const { text, calls } = said;
  const tool_calls = calls.length === 0 ? {} : { tool_calls: JSON.stringify(calls) };
  const row = { id, role: 'assistant', content: text, ...tool_calls } as const;
  const stored = await storeRow(turn, row, (checked) => turn.called.begin(readCalls(checked))).catch(
    (error) => rejectStopped(turn, error),
  );
  await answerOpen(turn);
  const passed: Said = { text: stored.content, calls: readCalls(stored) };
  return JSON.stringify(passed) === JSON.stringify({ text, calls }) ? said : passed;
}

function readCalls({ tool_calls }: NewMessage): readonly HookToolCall[] {
  return readToolCalls({ tool_calls: (tool_calls ?? null) as string | null });
}

async function rejectStopped(turn: HostTurn, error: unknown): Promise<never> {
  await answerStopped(turn, error);
  throw error;
}

/** The row of a tool's result, when it has passed its chain. */
export interface PassedRow {
  readonly content: string;
  /** What the tool returned may be given on as it is: no hook has changed it. */
  readonly isSame: boolean;
}

/** Sends the row of a tool's result through the chains of a message. */
export async function passResultRow(
  turn: HostTurn,
  { call, result, returned }: CallOutcome,
): Promise<PassedRow> {
  const text = (result.status === 'error' ? result.error : result.result) ?? '';
  if (!turn.takesMessages) return { content: text, isSame: returned !== undefined };
  const { id, function: called } = call;
  const row = { role: 'tool', content: text, tool_call_id: id, name: called.name } as const;
  const { content } = await storeRow(turn, { id: crypto.randomUUID(), ...row }, () => takeRow(turn, id));
  return { content: content ?? '', isSame: returned !== undefined && content === text };
}

/** A call that was stopped may have been answered by then, by a row that says so. */
function takeRow({ called, state }: HostTurn, callId: string): void {
  if (called.takeRow(callId) || !state.execution.abortSignal.aborted) return;
  throw new RunError('aborted', 'The turn was stopped while a result was stored.', { toolCallId: callId });
}

function storeRow(
  turn: HostTurn,
  message: NewMessage,
  onInsert: (checked: NewMessage) => void = () => {},
): Promise<NewMessage> {
  return turn.store(stampRow(message), (checked) => {
    onInsert(checked);
    return checked;
  });
}

function stampRow(message: NewMessage): NewMessage {
  return { created_at: Date.now() * 1000, ...message };
}
