import type { ThreadView } from '../thread/core.ts';
import { passCreateChain } from './messages.ts';

/**
 * What the runtime keeps of what hooks say (contexts, reasons, what a person is to read) is data like any message: it passes
 * `before_create_message` before it is written anywhere, so that what hooks take out of messages is nowhere else (design §7.4).
 */

/** Where a text belongs to. */
export interface TextPlace {
  /** Its place in the step; the hooks see a message with the id of this place. */
  readonly name: string;
  /** Further fields of that message. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Passes a text through the hooks. @throws {RunError} if one of them fails and blocks */
async function textToKeep(view: ThreadView, text: string, { name, fields }: TextPlace): Promise<string> {
  if (view.core.scope.before_create_message === undefined) return text;
  const { content } = await passCreateChain(
    view.ofHooks(),
    { ...fields, role: 'user', content: text },
    view.flow.idOf(name),
  );
  return content ?? '';
}

/** The same, one after another. */
export async function textsToKeep(
  view: ThreadView,
  texts: readonly string[],
  place: TextPlace,
): Promise<string[]> {
  const kept: string[] = [];
  for (const text of texts) kept.push(await textToKeep(view, text, place));
  return kept;
}

/** Passes a text through the hooks; nothing if one of them fails, which the ledger records. */
export function textToKeepIfAllowed(
  view: ThreadView,
  text: string | undefined,
  place: TextPlace,
): Promise<string | undefined> {
  if (text === undefined) return Promise.resolve(undefined);
  return textToKeep(view, text, place).catch(() => undefined);
}
