/** The tag, also as a reader may see it: with blanks, other dashes and characters that are not shown. */
const TAG = tagAs('system', 'hook');

/** Matches the `<` before two words with a dash between them, with any number of characters that are not shown between their letters. */
function tagAs(first: string, second: string): RegExp {
  const unseen = String.raw`[\p{Cf}\p{DI}]*`;
  const spread = (word: string): string => word.split('').join(unseen);
  const words = String.raw`${spread(first)}${unseen}\p{Pd}${unseen}${spread(second)}`;
  return new RegExp(String.raw`<(?=[\s\p{Cc}\p{Cf}\p{DI}/]*${words})`, 'giu');
}

/**
 * Texts as blocks of one message (system hooks, "Output Format"). A text that contains the tag itself cannot end its block: the tag's `<`
 * becomes `&lt;`.
 */
export function formatSystemHooks(texts: readonly string[]): string {
  return texts.map(formatSystemHook).join('\n\n');
}

/** One text as a block. */
export function formatSystemHook(text: string): string {
  return `<system-hook>\n${text.replace(TAG, '&lt;')}\n</system-hook>`;
}
