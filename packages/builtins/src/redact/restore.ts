import { type Decision, type HookToolCall, RunError } from '@spec/hooks';
import { type JsonToken, jsonTokens, unquoted } from './json-text.ts';
import type { KeptValue } from './kept-value.ts';
import type { ThreadMemory } from './memory.ts';
import { atOnce, type Pieces } from './pieces.ts';
import type { PlacedPlaceholder } from './placeholders.ts';
import type { Redactor } from './redactor.ts';
import type { RestoreRule } from './restore-options.ts';
import { spellingAlone } from './spelling.ts';
import { spliced } from './splice.ts';
import { findValuesOfCall, type ValueFinder } from './value-finder.ts';

/** What is needed to turn placeholders back into values. */
export interface Restoring {
  readonly redactor: Redactor;
  readonly memory: ThreadMemory;
  readonly rule: RestoreRule;
}

const MAX_NESTED_TEXTS = 10;

/** The value of a placeholder; `undefined` keeps the placeholder. `field` is the tool's argument that contains it. */
type ValueFor = (placeholder: PlacedPlaceholder, field: string) => KeptValue | undefined;

/** Whether a call has any placeholders. Most have none, and cost no more than this check. */
export function hasPlaceholders(call: HookToolCall, redactor: Redactor): boolean {
  let has = false;
  replaced(call.function.arguments, redactor, () => {
    has = true;
    return undefined;
  });
  return has;
}

/** Finds the values of the placeholders in a call, whatever is around them. */
export function findGivenTo(
  { function: called }: Pick<HookToolCall, 'function'>,
  { redactor, memory }: Pick<Restoring, 'redactor' | 'memory'>,
): ValueFinder | undefined {
  const values = new Set<KeptValue>();
  replaced(called.arguments, redactor, ({ label, number }) => {
    const value = memory.isGiven(label, number) ? memory.vault?.get(label, number) : undefined;
    if (value !== undefined) values.add(value);
    return undefined;
  });
  return findValuesOfCall([...values]);
}

/**
 * Restores the values of a call's placeholders, at any depth of its arguments, also inside texts and JSON texts. A text that looks like
 * a placeholder but never belonged to a value stays as it is.
 *
 * @throws {RunError} `value_lost` if a value is no longer known, `value_withheld` if the tool must not get it
 */
// oxlint-disable-next-line require-yield -- work like all that is done with the memory, and short enough for one piece
export function* restoreCall(
  call: HookToolCall,
  { redactor, memory, rule }: Restoring,
): Pieces<HookToolCall> {
  const { name, arguments: json } = call.function;
  const next = replaced(json, redactor, ({ label, number }, field) => {
    if (!memory.isGiven(label, number)) return undefined;
    const value = memory.giveOut(label, number);
    if (value === undefined)
      throw new RunError('value_lost', 'A placeholder in the arguments of the call has lost its value.');
    if (rule.mayGive(value, { tool: name, field })) return value;
    throw new RunError('value_withheld', `A value in the arguments of the call ${FROM_TOOLS}`);
  });
  return { ...call, function: { ...call.function, arguments: next } };
}

const FROM_TOOLS = "came from a tool's result, or its origin is unknown: this tool may not get it.";

/** Denies a call that could not run anyway, with a reason that helps the model to go on. */
// oxlint-disable-next-line require-yield -- work like all that is done with the memory, and short enough for one piece
export function* refuseUnrestorable(
  call: HookToolCall,
  { redactor, memory, rule }: Restoring,
): Pieces<Decision | null> {
  const { name, arguments: json } = call.function;
  const lost = new Set<string>();
  const withheld = new Set<string>();
  replaced(json, redactor, (placeholder, field) => {
    const { label, number } = placeholder;
    if (!memory.isGiven(label, number)) return undefined;
    const value = memory.vault?.get(label, number);
    const reasons = value === undefined ? lost : withheld;
    if (value === undefined || !rule.mayGive(value, { tool: name, field }))
      reasons.add(redactor.placeholders.format(label, number));
    return undefined;
  });
  const sentences = [
    ...(lost.size === 0
      ? []
      : [
          `What ${[...lost].join(', ')} stands for is no longer known, so the tool cannot get it. Ask for it again, and use the new placeholder in the answer.`,
        ]),
    ...(withheld.size === 0
      ? []
      : [`What ${[...withheld].join(', ')} stands for ${FROM_TOOLS} Ask the person to write it themselves.`]),
  ];
  return sentences.length === 0 ? null : { decision: 'deny', reason: sentences.join(' ') };
}

/** JSON text with its placeholders replaced. Other text stays as it is. */
function replaced(json: string, redactor: Redactor, valueFor: ValueFor): string {
  const tokens = atOnce(jsonTokens(json));
  return tokens === undefined ? json : inJson(json, tokens, { redactor, valueFor, nestedTexts: 0 });
}

const isOutermost = ({ nestedTexts }: Walk): boolean => nestedTexts === 0;

interface Walk {
  readonly redactor: Redactor;
  readonly valueFor: ValueFor;
  /** The argument of the tool, when reading inside one. */
  readonly field?: string;
  readonly nestedTexts: number;
}

function inJson(json: string, tokens: readonly JsonToken[], walk: Walk): string {
  return spliced(json, tokens, ({ kind, start, end, path: [first = ''] }) => {
    if (kind === 'number') return undefined;
    const within = isOutermost(walk) ? { ...walk, field: String(first) } : walk;
    return writeJson(unquoted(json.slice(start, end)), kind, within);
  });
}

/** What replaces a string or key in JSON text; nothing if it stays. A placeholder on its own may have been a number. */
function writeJson(text: string, kind: 'string' | 'key', walk: Walk): string | undefined {
  const [only] = walk.redactor.placeholders.placed(text);
  if (only?.start === 0 && only.end === text.length) {
    const value = only.label === '' ? undefined : walk.valueFor(only, walk.field ?? '');
    if (value === undefined) return undefined;
    return value.isNumber && kind === 'string' ? value.text : JSON.stringify(spellingAlone(value));
  }
  const next = inText(text, walk);
  return next === text ? undefined : JSON.stringify(next);
}

function inText(text: string, walk: Walk): string {
  const { redactor, valueFor, nestedTexts, field = '' } = walk;
  const placed = [...redactor.placeholders.placed(text)].filter(({ label }) => label !== '');
  if (placed.length === 0) return text;
  const tokens = nestedTexts < MAX_NESTED_TEXTS ? atOnce(jsonTokens(text)) : undefined;
  if (tokens !== undefined) return inJson(text, tokens, { ...walk, nestedTexts: nestedTexts + 1 });
  return spliced(text, placed, (placeholder) => valueFor(placeholder, field)?.text);
}
