import { receiveMessage, reviewText, type TextVerdict } from './pass-messages.ts';
import { compareFiles, type FileChanges, type SentFile } from './sent-files.ts';
import type { HostTurn } from './turn.ts';

/** A message of the user, as a bridge has read it. */
export interface SaidMessage {
  readonly content: string | null;
  /** The id that the framework has for it. */
  readonly id?: string | undefined;
  /** Those that {@link readFiles} has found in it. Default: none. */
  readonly files?: readonly SentFile[] | undefined;
  /** Whether it is a new one. Else it is what the loop has made of one that is there, and nothing is stored. Default: it is. */
  readonly isStored?: boolean | undefined;
}

/** What hooks made of a message of the user. */
export type HeardMessage =
  | Extract<TextVerdict, { isDenied: true }>
  | (FileChanges & { readonly isDenied: false; readonly content: string | null });

/** Sends a message of the user through the hooks, with its files. What comes out is what the loop goes on with. */
export async function hearUser(
  turn: HostTurn,
  { content, id, files: sent = [], isStored = true }: SaidMessage,
): Promise<HeardMessage> {
  const files = sent.map(({ file }) => file);
  const verdict = isStored
    ? await receiveMessage(turn, { content, ...(id === undefined ? {} : { id }), files })
    : await reviewText(turn, content, files);
  if (verdict.isDenied) return verdict;
  return { isDenied: false, content: verdict.content, ...compareFiles(sent, verdict.attachments) };
}

/** Whether hooks have left the files of a message as they were sent. */
export function keepsFiles({ changed, added }: FileChanges): boolean {
  return changed.size + added.length === 0;
}

/** A hook, or the person it asked, does not let the user's message through. No model gets it. */
export class MessageDeniedError extends Error {
  override readonly name = 'MessageDeniedError';
  /** What hooks have for the person. */
  readonly userMessage: string | undefined;

  constructor(reason: string, userMessage: string | undefined) {
    super(reason);
    this.userMessage = userMessage;
  }
}
