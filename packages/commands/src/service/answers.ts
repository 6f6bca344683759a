import type { Verdict } from '@spec/hooks';
import type { Asked } from './runner.ts';

/** Passes on what a verdict has for the person. */
export function noteUserMessage({ userMessage }: Verdict, asked: Asked): void {
  if (userMessage !== undefined) asked.note('message', userMessage);
}

/** Texts for the model, in one; `undefined` where there is none. */
export function joinForModel(texts: readonly string[]): string | undefined {
  const said = texts.filter((text) => text !== '');
  return said.length === 0 ? undefined : said.join('\n\n');
}
