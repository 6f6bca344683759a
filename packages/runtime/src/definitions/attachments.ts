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

/** Whether an attachment is a link. */
export function isLinkedFile(value: unknown): value is LinkedFile {
  return isRecord(value) && value.type === 'url' && typeof value.url === 'string' && URL.canParse(value.url);
}

/** The files of a message, which hooks and applications may have written: what is none is left out. */
export function listMessageFiles(message: object): MessageFile[] {
  const { attachments } = message as { attachments?: unknown };
  if (!Array.isArray(attachments)) return [];
  return attachments.filter((value): value is MessageFile => isPointer(value) || isLinkedFile(value));
}
