import type { AttachmentRef } from '@spec/hooks';
import type { StoredFile } from '../stores/store.ts';
import { fromBase64 } from './base64.ts';
import { badLine } from './lines.ts';

/** A file of which not all bytes have come yet. */
export interface IncomingFile {
  readonly ref: AttachmentRef;
  readonly parts: Uint8Array[];
  missing: number;
}

export function incomingFile(ref: AttachmentRef): IncomingFile {
  return { ref, parts: [], missing: ref.size };
}

/** @throws RunError `invalid_input` where they are no bytes, or belong to no file. */
export function addBytes(file: IncomingFile | undefined, base64: string, number: number): void {
  const bytes = fromBase64(base64);
  if (bytes === null) throw badLine(number, 'its bytes are not base64');
  if (file === undefined || bytes.length > file.missing) throw badLine(number, 'its bytes belong to no file');
  file.parts.push(bytes);
  file.missing -= bytes.length;
}

export function isWhole({ missing }: IncomingFile): boolean {
  return missing === 0;
}

/** The file with all its bytes. */
export function storedFile({ ref, parts }: IncomingFile): StoredFile {
  const data = new Uint8Array(ref.size);
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  return { ...ref, data };
}
