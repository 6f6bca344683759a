import { resolve } from 'node:path';
import type { HookToolCall } from '@spec/hooks';

/** What a patch does to one file, as a call of the tool that would do the same. */
interface PatchedFile {
  readonly tool: 'Write' | 'Edit';
  readonly input: Readonly<Record<string, string>>;
}

const HEAD = /^\*\*\* (Add|Update|Delete) File:(.*)$/s;
const MOVE = /^\*\*\* Move to:(.*)$/s;

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
  const lines = text.split(/\r?\n/);
  const heads = lines.flatMap((line, at) => {
    const [, sort, path = ''] = HEAD.exec(trimBlanks(line)) ?? [];
    return sort === undefined ? [] : [{ sort, path: trimBlanks(path), at }];
  });
  return heads.flatMap(({ sort, path, at }, index) => {
    const body = lines.slice(at + 1, heads[index + 1]?.at);
    return readFile(sort, resolve(folder, path), { body, folder });
  });
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
  const content = lines(' +');
  const edit: PatchedFile = {
    tool: 'Edit',
    input: { file_path: path, old_string: lines(' -'), new_string: content },
  };
  const targets = body.flatMap((line) => {
    const [, target] = MOVE.exec(trimBlanks(line)) ?? [];
    return target === undefined ? [] : [trimBlanks(target)];
  });
  // Of several the first or the last counts. The others are judged by their place alone, so that many stay cheap.
  const moves = targets.map((target, at) => {
    const isTaken = at === 0 || at === targets.length - 1;
    return makeWrite(resolve(folder, target), isTaken ? content : '');
  });
  return [edit, ...moves];
}

/** Whoever applies a patch takes U+0085 for a blank, too, and JavaScript does not. */
function trimBlanks(text: string): string {
  const plain = text.replaceAll('\u0085', ' ');
  return text.slice(plain.length - plain.trimStart().length, plain.trimEnd().length);
}

function makeWrite(path: string, content: string): PatchedFile {
  return { tool: 'Write', input: { file_path: path, content } };
}
