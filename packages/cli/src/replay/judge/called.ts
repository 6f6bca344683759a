import { textRedactor } from '@spec/builtins';
import { type HookToolCall, isRecord } from '@spec/hooks';
import { clip } from '../../table.ts';

/** A tool call as a report shows it. */
export interface ShownCall {
  readonly tool?: string;
  /** Its command, path or address, else all of its arguments: in one line, redacted. */
  readonly input?: string;
}

/** What a call is about, in the fields of the tools that agents have. */
const telling = ['command', 'file_path', 'notebook_path', 'path', 'url', 'query', 'pattern'];
const LONGEST = 200;

/** A call without what `redact` finds in it. */
export function describeCall(call: HookToolCall | undefined): ShownCall {
  if (call === undefined) return {};
  const { name, arguments: text } = call.function;
  return { tool: name, input: redacted(findTelling(text)) };
}

/** A text of a report in one line, without what `redact` finds in it. */
export function redacted(text: string): string {
  // Before it is cut: half a number would not be found.
  return clip(redact(text), LONGEST);
}

/** Replaces in a text what `redact` finds. */
export const redact: (text: string) => string = textRedactor({ defaultCountry: 'US' });

function findTelling(text: string): string {
  const input = parseRecord(text);
  const field = telling.find((name) => typeof input?.[name] === 'string');
  return field === undefined ? text : (input?.[field] as string);
}

function parseRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
