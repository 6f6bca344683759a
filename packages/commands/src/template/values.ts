import { RunError } from '@spec/hooks';
import type { Placeholder, VariableRoot } from './placeholders.ts';

/** What the variables of a template stand for. One that is absent is unknown for this event. */
export type TemplateValues = Readonly<Partial<Record<VariableRoot, unknown>>>;

/**
 * The text a placeholder stands for: strings as they are, all else as JSON.
 * @throws {RunError} `invalid_input`, naming the variable and never its value
 */
export function textOf(placeholder: Placeholder, values: TemplateValues): string {
  const text = asText(lookUp(placeholder, values), placeholder);
  if (text.includes('\0')) throw refused(placeholder, 'holds a NUL character, which no command can be given');
  if (!text.isWellFormed())
    throw refused(placeholder, 'holds half of a surrogate pair, which has no UTF-8 form');
  return text;
}

/** Follows a path over own properties only: `{{input.constructor}}` is no field of the input. */
function lookUp(placeholder: Placeholder, values: TemplateValues): unknown {
  let value: unknown = values;
  for (const field of [placeholder.root, ...placeholder.path]) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field))
      throw refused(placeholder, 'is not there for this call');
    value = (value as Readonly<Record<string, unknown>>)[field];
  }
  return value;
}

function asText(value: unknown, placeholder: Placeholder): string {
  if (typeof value === 'string') return value;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) throw refused(placeholder, 'is no value that JSON can write');
  return text;
}

function refused({ text }: Placeholder, why: string): RunError {
  return new RunError('invalid_input', `The command was not run: ${text} ${why}.`);
}
