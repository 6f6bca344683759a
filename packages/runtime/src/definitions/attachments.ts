import { type AttachmentRef, isRecord } from '@spec/hooks';

/** A file of a user's message that is not stored: the model's provider fetches it. */
export interface LinkedFile {
  type: 'url';
  url: string;
  name: string;
  mimeType: string;
}

/** A file of a stored user message. */
export type MessageFile = AttachmentRef | LinkedFile;

/** Whether an attachment points to a file of the thread. */
export function isPointer(value: unknown): value is AttachmentRef {
  return isRecord(value) && value.type === 'file' && typeof value.path === 'string';
}

/** Whether an attachment is a link to what a provider can fetch. */
function isLinkedFile(value: unknown): value is LinkedFile {
  if (!isRecord(value) || value.type !== 'url' || typeof value.url !== 'string') return false;
  return /^https?:\/\//i.test(value.url) && URL.canParse(value.url) && isDescribed(value);
}

/** Whether an attachment can go to a model: a pointer or a link that says what it is. */
export function isMessageFile(value: unknown): value is MessageFile {
  return isLinkedFile(value) || (isPointer(value) && isDescribed(value));
}

/** The files of a message, which hooks and applications may have written: what is none is left out. */
export function listMessageFiles(message: object): MessageFile[] {
  const { attachments } = message as { attachments?: unknown };
  return Array.isArray(attachments) ? attachments.filter(isMessageFile) : [];
}

/** Whether a text has the form of a media type. */
export function isMediaType(value: unknown): value is string {
  return typeof value === 'string' && MEDIA_TYPE.test(value);
}

const MEDIA_TYPE = /^[a-z]+\/[a-z0-9.+*_-]+\s*(?:;.*)?$/i;

function isDescribed({ name, mimeType }: { readonly name?: unknown; readonly mimeType?: unknown }): boolean {
  return typeof name === 'string' && isMediaType(mimeType);
}
