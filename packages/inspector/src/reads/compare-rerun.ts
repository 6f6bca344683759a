import type { RerunOutcome } from '../api.ts';
import type { RerunResult, StoredEvent } from '../ports.ts';
import { compareTexts } from './compare-texts.ts';
import { writeTestCase } from './write-test-case.ts';

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
