import { COVERED, type Detector, type Finding, type Scope, type Windows } from './detect/finding.ts';
import { atCharacter, type Pieces } from './pieces.ts';

const USUAL: Windows = { piece: 2048, reach: 512 };
/** How far a window grows around a value without a visible end. A longer value goes on to the end of the text. */
const WIDEST = 256 * 1024;

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds values in a text piece by piece. For each piece, the detector sees a window that reaches further on both sides, so that
 * it sees values across a border whole, with the words that decide on them.
 *
 * W1 A finding that touches a window's end may go on. The window grows until it does not, or the finding takes the rest of the text.
 * W2 So may one that touches its beginning, up to a size at which the detector searches the whole text.
 * W3 Findings that touch the piece are kept. One across a border is found on both sides, and the two are merged.
 */
export function* findInWindows(detector: Detector, text: string, scope: Scope): Pieces<readonly Finding[]> {
  const { windows = USUAL } = detector;
  if (windows === 'whole' || isShort(text, detector)) return detector.find(text, scope);
  const found: Finding[] = [];
  for (let at = 0; at < text.length; ) {
    const piece = { start: at, end: Math.min(text.length, at + windows.piece) };
    const inPiece = findInPiece({ detector, text, scope, reach: windows.reach }, piece);
    if (inPiece === undefined) return detector.find(text, scope);
    for (const finding of inPiece) found.push(finding);
    at = inPiece.reduce((furthest, { end }) => Math.max(furthest, end), piece.end);
    yield;
  }
  return found;
}

/** Whether a text is only one piece. */
export function isShort(text: string, { windows = USUAL }: Detector): boolean {
  return windows !== 'whole' && text.length <= windows.piece;
}

interface Search {
  readonly detector: Detector;
  readonly text: string;
  readonly scope: Scope;
  readonly reach: number;
}

/** The findings that touch a piece; nothing if only a search of the whole text can tell. */
function findInPiece({ detector, text, scope, reach }: Search, piece: Range): Finding[] | undefined {
  let [before, behind] = [reach, reach];
  for (;;) {
    const from = atCharacter(text, Math.max(0, piece.start - before));
    const to = atCharacter(text, Math.min(text.length, piece.end + behind));
    const found = detector
      .find(text.slice(from, to), scope)
      .map((one) => ({ ...one, start: one.start + from, end: one.end + from }))
      .filter(({ start, end }) => start < piece.end && end > piece.start);
    const isCutBefore = from > 0 && found.some(({ start }) => start === from);
    const isCutBehind = to < text.length && found.some(({ end }) => end === to);
    if (!isCutBefore && !isCutBehind) return found;
    if (to - from > WIDEST) return isCutBefore ? undefined : endless(found, to, text);
    if (isCutBefore) before = (before + 1) * 4;
    if (isCutBehind) behind = (behind + 1) * 4;
  }
}

/** A value this long goes on to the end, unless a placeholder follows, which must stay. */
function endless(found: readonly Finding[], to: number, text: string): Finding[] | undefined {
  if (text.includes(COVERED, to)) return undefined;
  return found.map((one) =>
    one.end < to ? one : { start: one.start, end: text.length, values: [text.slice(one.start)] },
  );
}
