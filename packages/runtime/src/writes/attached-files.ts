import {
  type AttachmentRef,
  isMediaType,
  isRecord,
  type NewMessage,
  RunError,
  type ToolAttachment,
} from '@spec/hooks';
import { fromBase64 } from '../base64.ts';
import { isMessageFile, isPointer } from '../definitions/attachments.ts';
import { copyMessage } from '../stores/message-fields.ts';
import type { StoredFile, StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { statFile, storeFile, toFileStat, toStoredFile } from './files.ts';

/** Attachments as they are stored, and the files that are yet to be stored. */
interface AttachedFiles {
  readonly pointers: readonly AttachmentRef[];
  readonly files: readonly StoredFile[];
}

/** Attachments that cannot be stored. */
export interface UnfitAttachment {
  /** Which one, and why, as the end of a sentence. */
  readonly problem: string;
}

/**
 * Turns new attachments into files of the thread and pointers to them (specification §6.3); pointers stay as they are. Files lie under the id
 * of the message that they belong to.
 *
 * @returns what is wrong with one of them, as the end of a sentence, where not all can be stored
 */
export async function makeAttachments(
  core: ThreadCore,
  messageId: string,
  attachments: readonly unknown[],
): Promise<AttachedFiles | UnfitAttachment> {
  if (await pointsNowhere(core, attachments)) return { problem: NOWHERE };
  const files: StoredFile[] = [];
  const pointers: AttachmentRef[] = [];
  for (const [at, attachment] of attachments.entries()) {
    if (isPointer(attachment)) {
      pointers.push(attachment);
      continue;
    }
    const file = toFile(attachment, `attachments/${asFolderName(messageId)}/${at + 1}-`);
    if (file === undefined) return { problem: describeNoFile(attachment, at + 1) };
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
    throw notAttached(view, id, NOWHERE);
}

/** Whether a message is of a user and has files, which become files of the thread. */
export function hasFiles({ role, attachments }: NewMessage): boolean {
  return role === 'user' && attachments !== undefined && attachments !== null;
}

/**
 * Stores the files of a user's message that has passed its chain. What is stored is the message with pointers to them; links, and pointers that
 * hooks have added, stay as they are.
 *
 * @throws {RunError} `invalid_message` where an attachment is none
 */
export async function storeAttachments(view: ThreadView, message: StoredMessage): Promise<StoredMessage> {
  if (message.attachments === undefined || message.attachments === null) return message;
  const { attachments, files } = await readAttachments(view, message);
  for (const file of files) await storeFile(view, file);
  return { ...message, attachments };
}

/**
 * Leaves the files of a user's message in it, for who stores it: here the thread may be another process's to write to.
 *
 * @throws {RunError} `invalid_message` where an attachment is none, or the message cannot be stored
 */
export async function keepFilesInside(view: ThreadView, message: StoredMessage): Promise<StoredMessage> {
  if (hasFiles(message)) await readAttachments(view, message);
  copyMessage(message, view.core.id); // The turn that takes it up could not refuse it to its writer.
  return message;
}

interface ReadAttachments {
  /** Links and pointers. */
  readonly attachments: readonly unknown[];
  /** What the new pointers point to. */
  readonly files: readonly StoredFile[];
}

/** Looks at the files of a user's message and stores nothing. @throws {RunError} `invalid_message` where an attachment is none */
async function readAttachments(
  view: ThreadView,
  { attachments, id }: StoredMessage,
): Promise<ReadAttachments> {
  if (!Array.isArray(attachments)) throw notAttached(view, id, 'they are no list');
  const decoded = attachments.map((one) => (isMessageFile(one) ? one : decodeFile(one)));
  const bad = decoded.indexOf(undefined);
  if (bad >= 0) throw notAttached(view, id, describeNoFile(attachments[bad], bad + 1));
  const unlinked = decoded.filter((one) => !isMessageFile(one));
  const made = await makeAttachments(view.core, id, unlinked);
  if ('problem' in made) throw notAttached(view, id, made.problem);
  const pointers = [...made.pointers];
  return {
    attachments: attachments.map((one) => (isMessageFile(one) ? one : pointers.shift())),
    files: made.files,
  };
}

/** The file with its bytes, which are many: they are decoded once. */
function decodeFile(value: unknown): ToolAttachment | undefined {
  if (!isRecord(value)) return undefined;
  const { name, mimeType } = value;
  if (typeof name !== 'string' || !isMediaType(mimeType)) return undefined;
  const data = decodeData(value.data);
  return data === undefined ? undefined : { name, mimeType, data };
}

/** Why an attachment cannot be stored that points to no file. */
export const NOWHERE = 'one points to a file that the thread does not have';

const FORMS =
  'give { name, mimeType: "image/png", data: base64 text or bytes }, or a pointer to a file of the thread';

/** Says what a value lacks to be a file. Names fields, never values. */
function describeNoFile(value: unknown, position: number): string {
  return `attachment ${position} ${findLack(value)}: ${FORMS}`;
}

function findLack(value: unknown): string {
  if (!isRecord(value)) return 'is no object';
  const { name, mimeType, data } = value;
  if (typeof name !== 'string') return 'has no name';
  if (typeof mimeType !== 'string') return 'has no mimeType';
  if (data === undefined) return 'has no data';
  if (decodeData(data) === undefined) return 'has data that is neither base64 text nor bytes';
  return 'has a mimeType that is no media type';
}

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
  return typeof data === 'string' ? (fromBase64(data) ?? undefined) : undefined;
}

/** The longest name of a file in its path: whoever names it, such as a server by an address, must not make a path that no store takes. */
const LONGEST_NAME = 100;

/** Makes a name that is exactly one part of a path. The pointer to the file keeps the name as it was given. */
function asFileName(name: string): string {
  const part = name.replaceAll(/[/\\]|\p{Cc}/gu, '_') || 'file';
  if (part.length <= LONGEST_NAME) return part;
  const ending = /\.\w{1,10}$/.exec(part)?.[0] ?? '';
  return `${part.slice(0, LONGEST_NAME - ending.length).replace(/[\ud800-\udbff]$/, '')}${ending}`;
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
