import { type AttachmentRef, type NewMessage, RunError, type ToolAttachment } from '@spec/hooks';
import { isMessageFile, isPointer } from '../definitions/attachments.ts';
import type { StoredFile, StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { statFile, storeFile, toFileStat, toStoredFile } from './files.ts';

/** Attachments as they are stored, and the files that are yet to be stored. */
interface AttachedFiles {
  readonly pointers: readonly AttachmentRef[];
  readonly files: readonly StoredFile[];
}

/**
 * Turns new attachments into files of the thread and pointers to them (specification §6.3); pointers stay as they are. Files lie under the id
 * of the message that they belong to.
 *
 * @returns `missing` where one points to a file that is not there, `unreadable` where one is neither a file nor a pointer
 */
export async function makeAttachments(
  core: ThreadCore,
  messageId: string,
  attachments: readonly unknown[],
): Promise<AttachedFiles | 'missing' | 'unreadable'> {
  if (await pointsNowhere(core, attachments)) return 'missing';
  const files: StoredFile[] = [];
  const pointers: AttachmentRef[] = [];
  for (const [at, attachment] of attachments.entries()) {
    if (isPointer(attachment)) {
      pointers.push(attachment);
      continue;
    }
    const file = toFile(attachment, `attachments/${asFolderName(messageId)}/${at + 1}-`);
    if (file === undefined) return 'unreadable';
    files.push(file);
    pointers.push(toFileStat(file));
  }
  return { pointers, files };
}

/** @throws {RunError} `invalid_message` where a message that is sent points to a file that the thread does not have */
export async function refuseLostFiles(
  view: ThreadView,
  { attachments }: NewMessage,
  id: string,
): Promise<void> {
  if (Array.isArray(attachments) && (await pointsNowhere(view.core, attachments)))
    throw notAttached(view, id, 'one points to a file that the thread does not have');
}

/**
 * Stores the files of a user's message that has passed its chain. What is stored is the message with pointers to them; links, and pointers that
 * hooks have added, stay as they are.
 *
 * @throws {RunError} `invalid_message` where an attachment is none
 */
export async function storeAttachments(view: ThreadView, message: StoredMessage): Promise<StoredMessage> {
  const { attachments, id } = message;
  if (attachments === undefined || attachments === null) return message;
  if (!Array.isArray(attachments)) throw notAttached(view, id, 'they are no list');
  const kept = attachments.map((attachment) => (isMessageFile(attachment) ? attachment : undefined));
  const unlinked = attachments.filter((_, at) => kept[at] === undefined);
  const made = await makeAttachments(view.core, id, unlinked);
  if (made === 'missing' || made === 'unreadable' || !made.pointers.every(isMessageFile))
    throw notAttached(view, id, NO_FILE);
  for (const file of made.files) await storeFile(view, file);
  const pointers = [...made.pointers];
  return { ...message, attachments: kept.map((link) => link ?? pointers.shift()) };
}

const NO_FILE =
  'each must be a file with base64 data, a pointer to one, or an https: link, with a name and a media type such as "image/png"';

function notAttached({ core }: ThreadView, messageId: string, why: string): RunError {
  const message = `The attachments of message ${messageId} cannot be stored: ${why}.`;
  return new RunError('invalid_message', message, { threadId: core.id });
}

/** Whether one of the attachments points to a file that the thread does not have. */
export async function pointsNowhere(core: ThreadCore, attachments: readonly unknown[]): Promise<boolean> {
  const pointers = attachments.filter(isPointer);
  const found = await Promise.all(pointers.map(({ path }) => statFile(core, path)));
  return found.includes(null);
}

/** Names repeat, so the position in the message is part of the path. */
function toFile(value: unknown, pathStart: string): StoredFile | undefined {
  const { name, mimeType, data } = (value ?? {}) as Partial<ToolAttachment>;
  if (typeof name !== 'string' || typeof mimeType !== 'string') return undefined;
  const bytes = decodeData(data);
  if (bytes === undefined) return undefined;
  return { ...toStoredFile(`${pathStart}${asFileName(name)}`, { data: bytes, mimeType }), name };
}

function decodeData(data: unknown): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data;
  if (typeof data !== 'string') return undefined;
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Makes a name that is exactly one part of a path. */
function asFileName(name: string): string {
  return name.replaceAll(/[/\\]|\p{Cc}/gu, '_') || 'file';
}

/** What a folder's name cannot hold, and a `%` that would read as one of them escaped. */
const ESCAPED = /[/\\]|\p{Cc}|%(?=(?:25)*(?:2F|5C|[0189][0-9A-F]|7F))/gu;

/** An id as one part of a path; no two ids have the same one. */
function asFolderName(id: string): string {
  return id.replaceAll(
    ESCAPED,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
