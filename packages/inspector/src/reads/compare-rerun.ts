import type { RerunOutcome } from '../api.ts';
import type { RerunResult, StoredEvent } from '../ports.ts';
import { compareTexts } from './compare-texts.ts';

/** What the hooks of today made of an event, beside what is stored of it. */
export function compareRerun(event: StoredEvent, again: RerunResult, showsContent: boolean): RerunOutcome {
  const { input: given } = event;
  const { decision, reason = null, runs, input, result } = again;
  const changes = showsContent ? listChanges(given, input ?? null, result ?? null) : [];
  const testCase = showsContent ? writeTestCase(event, again) : null;
  return { decision, reason: showsContent ? reason : null, runs, changes, testCase };
}

/** Of a call its arguments, of a result its text, of a message what it holds. */
function listChanges(given: StoredEvent['input'], input: unknown, result: unknown): RerunOutcome['changes'] {
  if (input !== null) return compareTexts(given.tool_input, input);
  if (result === null) return [];
  if (given.message !== undefined) return compareTexts(given.message, pick(result, given.message));
  const { result: text, error } = result as { readonly result?: unknown; readonly error?: unknown };
  return compareTexts(given.tool_response ?? '', text ?? error ?? '');
}

/** The fields that the event was made of: what is stored besides them did not go into it. */
function pick(result: unknown, given: unknown): unknown {
  const names = Object.keys(Object(given));
  return Object.fromEntries(Object.entries(Object(result)).filter(([name]) => names.includes(name)));
}

const decisions = ['deny', 'ask', 'allow'] as const;

/** What hooks made of an event, as a file for `spec-hooks test`: YAML, whose values are JSON. */
export function writeTestCase({ hook, input }: StoredEvent, { decision, reason, runs }: RerunResult): string {
  const decided = decisions.find((one) => one === decision);
  const by = runs.find(({ outcome }) => outcome === 'denied' || outcome === 'asked')?.id;
  const tool = typeof input.tool_name === 'string' ? ` of ${input.tool_name}` : '';
  const expected = {
    decision: decided ?? 'none',
    ...(by !== undefined && { by }),
    ...(decided !== undefined && isPlain(reason) && { reason }),
  };
  const fields = { name: `${hook}${tool}`, event: hook, input, expect: expected };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${writeValue(value)}`);
  return `cases:\n  - ${lines.join('\n    ')}\n`;
}

/** JSON is YAML, except for characters that YAML does not allow: those are written by their numbers. */
function writeValue(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What stands between slashes would be taken for a regular expression. */
function isPlain(reason: string | null | undefined): reason is string {
  return reason != null && reason !== '' && !/^\/.*\/$/s.test(reason);
}
