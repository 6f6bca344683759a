import type { Finding } from './finding.ts';
import { cloudShapes, codeShapes, serviceShapes, type VendorShape } from './vendor-shapes.ts';

/** Every form of a key that is known by how it begins. */
export const vendorShapes: readonly VendorShape[] = [...cloudShapes, ...codeShapes, ...serviceShapes];

const escaped = (text: string): string => text.replace(/[$.*+?^{}()|[\]\\/]/g, '\\$&');

/**
 * A key begins behind a sign that could be no part of it; `sk-` may be the end of a word with hyphens. All rests are of bounded
 * length and what was found is not looked at again, so that time grows with the text's length only.
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
/** One pass over the text finds all beginnings: it takes less time than a search for each. */
const HEADS = new RegExp(`(?<![A-Za-z0-9])(?:${heads.map(escaped).join('|')})`, 'g');
/** Where a beginning stands, those that it begins with stand too: `sk_live_` and `sk_`. */
const byHead = new Map(
  heads.map((head) => [head, candidates.filter((candidate) => head.startsWith(candidate.head))]),
);

/** Keys that are known by how they begin. */
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
