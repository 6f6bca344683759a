import type { Finding } from './finding.ts';

/** The lines around a key in PEM, PGP and SSH2; form data has `+` for a space. */
const LINE = /-{4,5} ?(BEGIN|END)[ +][A-Z0-9 +]{0,40}PRIVATE[ +]KEY(?:[ +]BLOCK)? ?-{4,5}/g;
const MAY_HAVE = /PRIVATE[ +]KEY/;

/** Text that a key has soon after its first line, unlike code that only names that line. */
const MATERIAL =
  /(?=[A-Za-z+/=]{0,23}\d)(?=[a-z\d+/=]{0,23}[A-Z])(?=[A-Z\d+/=]{0,23}[a-z])[A-Za-z\d+/=]{24}|MII[A-Za-z\d+/]{5}|b3BlbnNz/;
const MATERIAL_WITHIN = 600;
const SPACES = /\s|\\[nr]/g;

/** A line of a key without its first lines, and the text that may indent, quote or join it. */
const KEY_LINE = /^[\s"'`>|]{0,40}[A-Za-z\d+/=]{16,100}[\s"'`\\nr+,]{0,10}$/;
const LONGEST_LINE = 160;

const PUTTY =
  /Private-Lines: \d{1,4}\s(?:(?!Private-)[A-Za-z\d+/=\s\\]){16,40000}(?:Private-(?:MAC|Hash): [a-f\d]{40,64})?/g;

/** Private keys of every armoured kind and PuTTY's, complete or with a missing start or end. */
export function privateKeys(text: string): Finding[] {
  const found = MAY_HAVE.test(text) ? armoured(text) : [];
  if (!text.includes('Private-Lines: ')) return found;
  for (const match of text.matchAll(PUTTY))
    found.push(keyAt(text, match.index, match.index + match[0].length));
  return found;
}

/** A key without an end goes on to the end of the text, so that no part of it stays. */
function armoured(text: string): Finding[] {
  const found: Finding[] = [];
  let begin: RegExpMatchArray | undefined;
  for (const line of text.matchAll(LINE)) {
    const { index } = line;
    if (line[1] === 'BEGIN') {
      if (begin === undefined || !holdsKey(text, behind(begin), index)) begin = line;
      continue;
    }
    const start = begin === undefined ? findStartOfCutOff(text, index) : (begin.index as number);
    if (begin === undefined ? start < index : holdsKey(text, behind(begin), index))
      found.push(keyAt(text, start, behind(line)));
    begin = undefined;
  }
  if (begin !== undefined && holdsKey(text, behind(begin)))
    found.push(keyAt(text, begin.index as number, text.length));
  return found;
}

const behind = ({ index = 0, 0: line }: RegExpMatchArray): number => index + line.length;

const keyAt = (text: string, start: number, end: number): Finding => ({
  start,
  end,
  values: [text.slice(start, end)],
});

function holdsKey(text: string, from: number, to = text.length): boolean {
  return MATERIAL.test(text.slice(from, Math.min(to, from + MATERIAL_WITHIN)).replace(SPACES, ''));
}

/** The start of a key's lines before its last line. */
function findStartOfCutOff(text: string, end: number): number {
  let start = end;
  while (start > 0) {
    const before = text.slice(Math.max(0, start - LONGEST_LINE), start);
    const line = before.lastIndexOf('\n', before.length - 2) + 1;
    if (!KEY_LINE.test(before.slice(line))) break;
    start -= before.length - line;
  }
  return start;
}
