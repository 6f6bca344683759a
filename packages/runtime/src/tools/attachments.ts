import type { HookToolResult } from '@spec/hooks';
import type { StoredFile } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import { makeAttachments, pointsNowhere } from '../writes/attached-files.ts';

/** A tool's result whose files are pointed to, and the files that are yet to be stored. */
interface AttachedFiles {
  readonly result: HookToolResult;
  readonly files: readonly StoredFile[];
}

/**
 * Turns the new attachments of a result into files of the thread and pointers to them; pointers stay as they are. Files lie under the id of
 * the result, for ids of calls repeat from turn to turn. Where an attachment is neither, or points to a file that is not there, the result
 * becomes an error that says so.
 */
export async function attachFiles(
  core: ThreadCore,
  resultId: string,
  result: HookToolResult,
): Promise<AttachedFiles> {
  if (result.attachments === undefined) return { result, files: [] };
  const made = await makeAttachments(core, resultId, result.attachments);
  if (made === 'missing') return { result: missing, files: [] };
  if (made === 'unreadable') return { result: notAttached, files: [] };
  const { pointers, files } = made;
  return { result: { ...result, attachments: [...pointers] }, files };
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
