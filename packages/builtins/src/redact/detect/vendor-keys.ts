import type { Finding } from './finding.ts';
import { cloudShapes, codeShapes, serviceShapes, type VendorShape } from './vendor-shapes.ts';

/** All forms of keys with a known beginning. */
export const vendorShapes: readonly VendorShape[] = [...cloudShapes, ...codeShapes, ...serviceShapes];

const escaped = (text: string): string => text.replace(/[$.*+?^{}()|[\]\\/]/g, '\\$&');

/**
 * A key begins after a character that could not be part of it; `sk-` may end a word with hyphens. All rests have a limited
 * length, and found text is not searched again, so the time only grows with the text's length.
 */
function makePattern(head: string, rest: string): RegExp {
  const mayEndWord = head.length <= 4 && /[-.]$/.test(head);
  return new RegExp(`(?<![A-Za-z0-9${mayEndWord ? '_.-' : ''}])${escaped(head)}${rest}`, 'y');
}

interface Candidate {
  readonly head: string;
  readonly pattern: RegExp;
}

const candidates: readonly Candidate[] = vendorShapes.flatMap(([, heads, rest]) =>
  heads.split(' ').map((head) => ({
    head,
    pattern: makePattern(head, rest),
  })),
);

const heads = [...new Set(candidates.map(({ head }) => head))].sort((a, b) => b.length - a.length);
/** One pass over the text finds all beginnings, which is faster than a search for each. */
const HEADS = new RegExp(`(?<![A-Za-z0-9])(?:${heads.map(escaped).join('|')})`, 'g');
/** A beginning also contains the beginnings that it starts with: `sk_live_` and `sk_`. */
const byHead = new Map(
  heads.map((head) => [head, candidates.filter((candidate) => head.startsWith(candidate.head))]),
);

/** Keys with a known beginning. */
export function vendorKeys(text: string): Finding[] {
  const found: Finding[] = [];
  HEADS.lastIndex = 0;
  for (let match = HEADS.exec(text); match !== null; match = HEADS.exec(text)) {
    const start = match.index;
    const end = longestEnd(text, start, byHead.get(match[0]) as readonly Candidate[]);
    if (end === undefined) {
      HEADS.lastIndex = start + 1;
      continue;
    }
    found.push({ start, end, values: [text.slice(start, end)] });
    HEADS.lastIndex = end;
  }
  return found;
}

function longestEnd(text: string, start: number, shapes: readonly Candidate[]): number | undefined {
  let longest: number | undefined;
  for (const { pattern } of shapes) {
    pattern.lastIndex = start;
    if (pattern.test(text)) longest = Math.max(longest ?? 0, pattern.lastIndex);
  }
  return longest;
}
