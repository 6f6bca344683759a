import { WORD_LETTERS } from './word-bounds.ts';

const LONGEST_LABEL = 48;
/** The text allowed between a label and its value. */
const JOINTS =
  '(?:[\\s_.:=#*"\'`()\\[<|\\-–]|number|nummer|num|numéro|número|numero|numer|code|card|is|was|ist|est|es|è|jest|at|no|nr|nº|n°|は|是|는|은|为|：){0,10}';

/**
 * Whether one of the labels is right before an offset of a text, with at most `:`, "is" or "number" between them.
 *
 * @param labels Regular expressions of words. Only letters of scripts that separate words must not adjoin them.
 */
export function labelBefore(labels: readonly string[]): (text: string, offset: number) => boolean {
  const pattern = new RegExp(`(?<![${WORD_LETTERS}])(?:${labels.join('|')})${JOINTS}$`, 'iu');
  return (text, offset) => pattern.test(text.slice(Math.max(0, offset - LONGEST_LABEL), offset));
}
