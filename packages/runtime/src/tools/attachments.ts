import type { AttachmentRef, HookToolResult, ToolAttachment } from '@spec/hooks';
import type { StoredFile } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import { statFile, toFileStat, toStoredFile } from '../writes/files.ts';

/** A tool's result whose files are pointed to, and the files that are yet to be stored. */
interface AttachedFiles {
  readonly result: HookToolResult;
  readonly files: readonly StoredFile[];
}

/**
 * Turns the new attachments of a result into files of the thread and pointers to them (specification §6.3); pointers
 * stay as they are. Files lie under the id of the result, for ids of calls repeat from turn to turn. Where an attachment is neither,
 * or points to a file that is not there, the result becomes an error that says so.
 */
export async function attachFiles(
  core: ThreadCore,
  resultId: string,
  result: HookToolResult,
): Promise<AttachedFiles> {
  const { attachments } = result;
  if (attachments === undefined) return { result, files: [] };
  if (await pointsNowhere(core, attachments)) return { result: missing, files: [] };
  const files: StoredFile[] = [];
  const pointers: AttachmentRef[] = [];
  for (const [at, attachment] of (attachments as readonly unknown[]).entries()) {
    if (isPointer(attachment)) {
      pointers.push(attachment);
      continue;
    }
    const file = toFile(attachment, `attachments/${asFolderName(resultId)}/${at + 1}-`);
    if (file === undefined) return { result: notAttached, files: [] };
    files.push(file);
    pointers.push(toFileStat(file));
  }
  return { result: { ...result, attachments: pointers }, files };
}

const notAttached: HookToolResult = {
  status: 'error',
  error:
    'The result of this tool call could not be stored: an attachment is neither a file with base64 data nor a pointer to one.',
};

/** The tool's result, or an error if it points to a missing file. */
export async function withoutDeadPointers(core: ThreadCore, result: HookToolResult): Promise<HookToolResult> {
  const { attachments } = result;
  return attachments !== undefined && (await pointsNowhere(core, attachments)) ? missing : result;
}

const missing: HookToolResult = {
  status: 'error',
  error:
    'The result of this tool call could not be stored: an attachment points to a file that the thread does not have.',
};

async function pointsNowhere(core: ThreadCore, attachments: readonly unknown[]): Promise<boolean> {
  const pointers = attachments.filter(isPointer);
  const found = await Promise.all(pointers.map(({ path }) => statFile(core, path)));
  return found.includes(null);
}

function isPointer(value: unknown): value is AttachmentRef {
  const pointer = value as Partial<AttachmentRef> | null;
  return typeof pointer === 'object' && pointer?.type === 'file' && typeof pointer.path === 'string';
}

/** Names repeat, so the position in the result is part of the path. */
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
