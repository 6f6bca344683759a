import { parseOrUndefined } from './json.ts';
import { isRecord } from './values.ts';
import type { HookToolCall } from './vocabulary/messages.ts';

/** Gives a hook's own copy of a call the field `input`, which no copy, comparison or JSON of the call has. */
export function showInput(call: HookToolCall): void {
  if (!Object.hasOwn(call, 'input')) Object.defineProperty(call, 'input', inputField);
}

const inputField: PropertyDescriptor & ThisType<HookToolCall> = {
  configurable: true,
  get() {
    const value = Object.freeze((isCall(this) && parseArguments(this)) || {});
    Object.defineProperty(this, 'input', { configurable: true, value });
    return value;
  },
};

/** What is stored with a call may be any record. */
function isCall(call: { function?: unknown }): boolean {
  return isRecord(call.function) && typeof call.function.arguments === 'string';
}

/** Parses the arguments of a call; `undefined` if the text is not a JSON object. An empty text means no arguments. */
export function parseArguments({
  function: { arguments: json },
}: Pick<HookToolCall, 'function'>): Record<string, unknown> | undefined {
  const input = json.trim() === '' ? {} : parseOrUndefined(json);
  return isRecord(input) ? input : undefined;
}
