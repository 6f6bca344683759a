import { diffArrays } from 'diff';
import type { TextChange, TextPart } from '../api.ts';

/** Texts with more words that differ are told as wholes: comparing them takes time that grows with the number. */
const mostEdits = 2_000;
const mostDepth = 8;

/** The texts in two values that differ, with the words that do. */
export function compareTexts(before: unknown, after: unknown): readonly TextChange[] {
  const old = new Map(listTexts(before, '', 0));
  const now = new Map(listTexts(after, '', 0));
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter(
    (path) => old.get(path) !== now.get(path),
  );
  return paths.map((path) => ({ path, parts: compareWords(old.get(path) ?? '', now.get(path) ?? '') }));
}

function* listTexts(value: unknown, path: string, depth: number): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'number' || typeof value === 'boolean') yield [path, String(value)];
  else if (typeof value === 'object' && value !== null && depth < mostDepth)
    for (const [key, inner] of Object.entries(value))
      yield* listTexts(inner, joinPath(path, key, Array.isArray(value)), depth + 1);
}

function joinPath(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function compareWords(before: string, after: string): readonly TextPart[] {
  const parts = diffArrays(splitWords(before), splitWords(after), { maxEditLength: mostEdits });
  if (parts === undefined)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  return parts.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}

/** Words with the signs inside of them, such as an address; the signs that end a phrase; and blanks. */
function splitWords(text: string): string[] {
  return text.match(/\s+|\S+?(?=[.,;:!?)]{0,3}(?:\s|$))/g) ?? [];
}
