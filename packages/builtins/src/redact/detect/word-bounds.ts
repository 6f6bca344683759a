/**
 * Letters of scripts that separate words: next to one, a value is part of a word. Chinese, Japanese, Korean, Thai, Arabic,
 * Hebrew and others write a value and the words around it without a space.
 */
export const WORD_LETTERS = '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}';

const WORD_LETTER = new RegExp(`[${WORD_LETTERS}_]`, 'u');

/** Whether a character, if any, is a letter of a script that separates words. */
export const isWordLetter = (char: string | undefined): boolean => WORD_LETTER.test(char ?? '');

/** Whether a word continues to the left of `start` or to the right of `end`. */
export function isInsideWord(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  return isWordLetter(text[start - 1]) || isWordLetter(text[end]);
}
