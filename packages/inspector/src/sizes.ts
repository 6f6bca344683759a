// Sizes: what the sizes of a run count. The page and the exports call it; it knows no store.

/** Hooks that get a list; at all others characters are counted. */
const counted: ReadonlyMap<string, string> = new Map([
  ['filter_messages', 'message'],
  ['prefilter_llm_history', 'message'],
  ['after_tool_batch', 'result'],
]);

/** What is recorded of the sizes of a run. */
interface Sized {
  readonly hook: string;
  readonly changed: boolean;
  readonly sizeBefore: number;
  readonly sizeAfter: number;
}

/** How much a hook got and gave, such as `83 → 75 characters`, or `5 messages` where it changed nothing. */
export function writeSizes({ hook, changed, sizeBefore, sizeAfter }: Sized): string {
  const from = changed ? `${sizeBefore.toLocaleString('en')} → ` : '';
  const unit = `${counted.get(hook) ?? 'character'}${sizeAfter === 1 ? '' : 's'}`;
  return `${from}${sizeAfter.toLocaleString('en')} ${unit}`;
}
