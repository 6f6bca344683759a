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
  return joinAcrossBlanks(
    parts.map(({ added, removed, value }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value.join(''),
    })),
  );
}

/** A phrase that was replaced is one change, although the blanks in it are the same. */
function joinAcrossBlanks(parts: readonly TextPart[]): readonly TextPart[] {
  const joined: TextPart[] = [];
  let change = { removed: '', added: '' };
  const endChange = (): void => {
    joined.push(...writeChange(change));
    change = { removed: '', added: '' };
  };
  for (const [i, { kind, text }] of parts.entries()) {
    if (kind !== 'same') change[kind] += text;
    else if (isReplaced(change) && isBlank(text) && startsChange(parts[i + 1])) {
      change.removed += text;
      change.added += text;
    } else {
      endChange();
      joined.push({ kind, text });
    }
  }
  endChange();
  return joined;
}

/** The blanks at the end of both are the same: they part the change from what follows. */
function writeChange({ removed, added }: Change): readonly TextPart[] {
  const blanks = isReplaced({ removed, added }) ? findCommonBlanks(removed, added) : '';
  const parts: readonly TextPart[] = [
    { kind: 'removed', text: removed.slice(0, removed.length - blanks.length) },
    { kind: 'added', text: added.slice(0, added.length - blanks.length) },
    { kind: 'same', text: blanks },
  ];
  return parts.filter(({ text }) => text !== '');
}

function findCommonBlanks(one: string, other: string): string {
  let length = 0;
  while (/\s/.test(one.at(-1 - length) ?? '') && one.at(-1 - length) === other.at(-1 - length)) length++;
  return one.slice(one.length - length);
}

type Change = Readonly<Record<'removed' | 'added', string>>;

function isReplaced({ removed, added }: Change): boolean {
  return removed !== '' && added !== '';
}

/** Blanks within a line: what stands on different lines is read as different changes. */
function isBlank(text: string): boolean {
  return /^[^\S\n]+$/.test(text);
}

function startsChange(part: TextPart | undefined): boolean {
  return part !== undefined && part.kind !== 'same';
}

/** Words with the signs inside of them, such as an address; the signs that end a phrase; and blanks. */
function splitWords(text: string): string[] {
  return text.match(/\s+|\S+?(?=[.,;:!?)]{0,3}(?:\s|$))/g) ?? [];
}
