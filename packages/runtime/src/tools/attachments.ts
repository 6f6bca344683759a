import type { HookToolResult } from '@spec/hooks';
import type { StoredFile } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import { makeAttachments, NOWHERE, pointsNowhere } from '../writes/attached-files.ts';

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
export function attachFiles(
  core: ThreadCore,
  resultId: string,
  result: HookToolResult,
): AttachedFiles | Promise<AttachedFiles> {
  const { attachments } = result;
  return attachments === undefined
    ? { result, files: [] }
    : attach(core, resultId, { ...result, attachments });
}

async function attach(
  core: ThreadCore,
  resultId: string,
  result: HookToolResult & Required<Pick<HookToolResult, 'attachments'>>,
): Promise<AttachedFiles> {
  const made = await makeAttachments(core, resultId, result.attachments);
  if ('problem' in made) return { result: notStored(made.problem), files: [] };
  const { pointers, files } = made;
  return { result: { ...result, attachments: [...pointers] }, files };
}

function notStored(problem: string): HookToolResult {
  return { status: 'error', error: `The result of this tool call could not be stored: ${problem}.` };
}

/** The tool's result, or an error if it points to a missing file. */
export function withoutDeadPointers(
  core: ThreadCore,
  result: HookToolResult,
): HookToolResult | Promise<HookToolResult> {
  const { attachments } = result;
  if (attachments === undefined) return result;
  return pointsNowhere(core, attachments).then((isLost) => (isLost ? notStored(NOWHERE) : result));
}
