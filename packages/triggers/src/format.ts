/** The blanks around the slash must not be able to match one another: a text may be nothing but blanks. */
const TAG = /<(?=\s*(?:\/\s*)?system-hook)/gi;

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
