import { type AttachmentRef, isMediaType, isRecord, type LinkedFile } from '@spec/hooks';

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

function isDescribed({ name, mimeType }: { readonly name?: unknown; readonly mimeType?: unknown }): boolean {
  return typeof name === 'string' && isMediaType(mimeType);
}
