import { type Decision, type HookToolCall, RunError } from '@spec/hooks';
import { BIRTH_LABEL } from './detect/birth-date.ts';
import { type JsonToken, jsonTokens, unquoted } from './json-text.ts';
import type { ThreadMemory } from './memory.ts';
import { atOnce, type Pieces } from './pieces.ts';
import type { PlacedPlaceholder } from './placeholders.ts';
import type { Redactor } from './redactor.ts';
import { spliced } from './splice.ts';
import type { KeptValue } from './vault.ts';

/** With what placeholders become values again. */
export interface Restoring {
  readonly redactor: Redactor;
  readonly memory: ThreadMemory;
}

const MAX_NESTED_TEXTS = 10;

/** The value that a placeholder stands for; `undefined` leaves it as it is. */
type ValueFor = (placeholder: PlacedPlaceholder) => KeptValue | undefined;

/** Whether a call has placeholders at all: most have none, and cost no more than a look. */
export function hasPlaceholders(call: HookToolCall, redactor: Redactor): boolean {
  let has = false;
  replaced(call.function.arguments, redactor, () => {
    has = true;
    return undefined;
  });
  return has;
}

/**
 * A call with the values behind its placeholders, at any depth of its arguments, also inside texts and JSON texts. What looks like a
 * placeholder and was never given to a value stays as it is.
 *
 * @throws {RunError} `value_lost` for one whose value is not known any more
 */
export function* restoreCall(call: HookToolCall, { redactor, memory }: Restoring): Pieces<HookToolCall> {
  const next = replaced(call.function.arguments, redactor, ({ label, number }) => {
    if (!memory.isGiven(label, number)) return undefined;
    const value = memory.giveOut(label, number);
    if (value !== undefined) return value;
    throw new RunError('value_lost', 'A placeholder in the arguments of the call has lost its value.');
  });
  return { ...call, function: { ...call.function, arguments: next } };
}

/** Denies a call before a person is asked about it when it could not be run anyway: a placeholder in it has lost its value. */
export function* refuseLost(call: HookToolCall, { redactor, memory }: Restoring): Pieces<Decision | null> {
  const lost = new Set<string>();
  replaced(call.function.arguments, redactor, ({ label, number }) => {
    if (memory.isGiven(label, number) && memory.vault?.get(label, number) === undefined)
      lost.add(redactor.placeholders.format(label, number));
    return undefined;
  });
  if (lost.size === 0) return null;
  const names = [...lost].join(', ');
  return {
    decision: 'deny',
    reason: `What ${names} stands for is not known any more, so the tool cannot be given it. Ask for it again, and use the new placeholder that stands for the answer.`,
  };
}

/** JSON text with its placeholders replaced; what is no JSON text stays as it is. */
function replaced(json: string, redactor: Redactor, valueFor: ValueFor): string {
  const tokens = atOnce(jsonTokens(json));
  return tokens === undefined ? json : inJson(json, tokens, { redactor, valueFor, nestedTexts: 0 });
}

interface Walk {
  readonly redactor: Redactor;
  readonly valueFor: ValueFor;
  readonly nestedTexts: number;
}

function inJson(json: string, tokens: readonly JsonToken[], walk: Walk): string {
  return spliced(json, tokens, ({ kind, start, end }) =>
    kind === 'number' ? undefined : jsonOf(unquoted(json.slice(start, end)), kind, walk),
  );
}

/** What takes the place of a string or key in JSON text; nothing where it stays. A placeholder alone may have been a number. */
function jsonOf(text: string, kind: 'string' | 'key', walk: Walk): string | undefined {
  const [only] = walk.redactor.placeholders.placed(text);
  if (only?.start === 0 && only.end === text.length) {
    const value = only.label === '' ? undefined : walk.valueFor(only);
    if (value === undefined) return undefined;
    return value.isNumber && kind === 'string' ? value.text : JSON.stringify(alone(value));
  }
  const next = inText(text, walk);
  return next === text ? undefined : JSON.stringify(next);
}

/** A date is what tools can read where it is all there is: people say "April 5, 1990". What can be read in two ways stays as written. */
function alone({ label, text, values: [value, other] }: KeptValue): string {
  return label === BIRTH_LABEL && other === undefined && value !== undefined && ISO_DATE.test(value)
    ? value
    : text;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

function inText(text: string, walk: Walk): string {
  const { redactor, valueFor, nestedTexts } = walk;
  const placed = [...redactor.placeholders.placed(text)].filter(({ label }) => label !== '');
  if (placed.length === 0) return text;
  const tokens = nestedTexts < MAX_NESTED_TEXTS ? atOnce(jsonTokens(text)) : undefined;
  if (tokens !== undefined) return inJson(text, tokens, { ...walk, nestedTexts: nestedTexts + 1 });
  return spliced(text, placed, (placeholder) => valueFor(placeholder)?.text);
}
