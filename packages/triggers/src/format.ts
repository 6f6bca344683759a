/** The tag, also as a reader may see it: with blanks, other dashes and characters that are not shown. */
const TAG =
  /<(?=[\s\p{Cc}\p{Cf}/]*s\p{Cf}*y\p{Cf}*s\p{Cf}*t\p{Cf}*e\p{Cf}*m\p{Cf}*\p{Pd}\p{Cf}*h\p{Cf}*o\p{Cf}*o\p{Cf}*k)/giu;

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
