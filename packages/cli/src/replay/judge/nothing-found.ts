import { writeCount } from '../../table.ts';
import { KNOWN_SHAPES } from '../formats/shapes.ts';
import type { UnreadFolder } from './find-files.ts';
import type { UnreadFile } from './judge.ts';

const CLAUDE_CODE = 'Claude Code keeps its sessions in ~/.claude/projects';

/** The error for paths below which no file can hold a conversation. */
export function describeNoFile(paths: readonly string[], [first]: readonly UnreadFolder[]): string {
  const why = first === undefined ? '' : ` ${first.path}: ${first.problem}.`;
  return `No .jsonl or .json file is in ${paths.join(', ')} or the folders below.${why} replay reads recorded conversations there: ${KNOWN_SHAPES}. ${CLAUDE_CODE}.`;
}

/** The error for files in which no conversation was found. */
export function describeNoConversation(
  paths: readonly string[],
  { files, unread: [first] }: { readonly files: number; readonly unread: readonly UnreadFile[] },
): string {
  const none = `No conversation is in ${paths.join(', ')}, which has ${writeCount(files, '.jsonl or .json file')}.`;
  const line = first === undefined || first.line === 0 ? '' : `, line ${first.line}`;
  const why = first === undefined ? '' : ` ${first.file}${line}: ${first.problem}.`;
  return `${none}${why} Known shapes are ${KNOWN_SHAPES}. ${CLAUDE_CODE}.`;
}
