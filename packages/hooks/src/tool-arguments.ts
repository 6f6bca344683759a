import { parseOrUndefined } from './json.ts';
import { isRecord } from './values.ts';
import type { HookToolCall } from './vocabulary/messages.ts';

/** The arguments of a call as an object; `undefined` where they are none. No text at all means no arguments. */
export function parseArguments({
  function: { arguments: json },
}: Pick<HookToolCall, 'function'>): Record<string, unknown> | undefined {
  const input = json.trim() === '' ? {} : parseOrUndefined(json);
  return isRecord(input) ? input : undefined;
}
