import { resolve } from 'node:path';
import type { HookToolCall } from '@spec/hooks';

/** What a patch does to one file, as a call of the tool that would do the same. */
interface PatchedFile {
  readonly tool: 'Write' | 'Edit';
  readonly input: Readonly<Record<string, string>>;
}

const HEAD = /^\s*\*\*\* (Add|Update|Delete) File: ?(.*?)\s*$/;
const MOVE = /^\s*\*\*\* Move to: ?(.*?)\s*$/;

/** The calls that a call with a patch makes. @param folder absolute; paths of the patch are relative to it */
export function listPatched({ id }: HookToolCall, text: string, folder: string): readonly HookToolCall[] {
  return readPatch(text, folder).map(({ tool, input }, at) => ({
    ...{ id: `${id}_${at + 1}`, type: 'function' },
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
}

/**
 * Reads the files that a patch in the form of `apply_patch` touches, wherever the patch stands in a text. An added or deleted file
 * counts as written, a deleted one with no content. A moved file counts as written at its new place.
 *
 * @param folder absolute; paths of the patch are relative to it
 */
function readPatch(text: string, folder: string): readonly PatchedFile[] {
  const files: PatchedFile[] = [];
  let rest = text.split('\n');
  for (let at = rest.findIndex(isHead); at >= 0; at = rest.findIndex(isHead)) {
    const [, sort = '', path = ''] = HEAD.exec(rest[at] ?? '') ?? [];
    rest = rest.slice(at + 1);
    const end = rest.findIndex((line) => isHead(line));
    files.push(
      ...readFile(sort, resolve(folder, path), { body: end < 0 ? rest : rest.slice(0, end), folder }),
    );
  }
  return files;
}

function isHead(line: string): boolean {
  return HEAD.test(line);
}

function readFile(
  sort: string,
  path: string,
  { body, folder }: { readonly body: readonly string[]; readonly folder: string },
): PatchedFile[] {
  const lines = (marks: string): string =>
    body
      .filter((line) => marks.includes(line.charAt(0)) && line !== '')
      .map((line) => line.slice(1))
      .join('\n');
  if (sort !== 'Update') return [makeWrite(path, sort === 'Add' ? lines('+') : '')];
  const edit: PatchedFile = {
    tool: 'Edit',
    input: { file_path: path, old_string: lines(' -'), new_string: lines(' +') },
  };
  const target = body.map((line) => MOVE.exec(line)?.[1]).find((one) => one !== undefined);
  return target === undefined ? [edit] : [edit, makeWrite(resolve(folder, target), lines(' +'))];
}

function makeWrite(path: string, content: string): PatchedFile {
  return { tool: 'Write', input: { file_path: path, content } };
}
