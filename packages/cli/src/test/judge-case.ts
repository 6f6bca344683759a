import { isDeepStrictEqual } from 'node:util';
import { DefinitionError, isRecord } from '@spec/hooks';
import { findEvent } from '../event/event-of.ts';
import { fire } from '../event/fire.ts';
import type { Fired } from '../event/fired.ts';
import { parsePayload } from '../event/payload.ts';
import type { Project } from '../project/load-project.ts';
import { roundMs } from '../table.ts';
import { compilePattern, type Expectation, type HookCase } from './case-file.ts';

/** What did not come as expected. */
export interface Failure {
  readonly field: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** How a case came out. */
export interface JudgedCase extends Pick<HookCase, 'name' | 'file' | 'line' | 'event'> {
  readonly ok: boolean;
  readonly decision: Fired['decision'];
  /** Milliseconds. */
  readonly ms: number;
  readonly failures: readonly Failure[];
  /** Why it could not be run; `null`: it was. */
  readonly problem: string | null;
}

/** A case with the ids of what denied or asked in it. */
export interface CaseVerdict {
  readonly judged: JudgedCase;
  readonly refusedBy: readonly string[];
}

/** Runs a case and compares. */
export async function judgeCase(project: Project, one: HookCase): Promise<CaseVerdict> {
  const startedAt = performance.now();
  const elapsed = (): number => roundMs(performance.now() - startedAt);
  const { name, file, line, event: eventName, agent, input = {} } = one;
  const about = { name, file, line, event: eventName };
  const fail = (problem: string): CaseVerdict => ({
    judged: { ...about, ok: false, decision: null, ms: elapsed(), failures: [], problem },
    refusedBy: [],
  });
  const event = findEvent(eventName);
  if (typeof event === 'string') return fail(event);
  try {
    const position = `${file}:${line}`;
    const fired = await fire(project, {
      event,
      agent,
      payload: parsePayload(input, position),
      threadId: position,
    });
    if (fired.error !== undefined) return fail(fired.error.message);
    const refusedBy = fired.runs
      .filter(({ outcome }) => outcome === 'denied' || outcome === 'asked')
      .map(({ id }) => id);
    const failures = findFailures(one.expect, fired, refusedBy);
    const { decision } = fired;
    const ms = elapsed();
    return {
      judged: { ...about, ok: failures.length === 0, decision, ms, failures, problem: null },
      refusedBy,
    };
  } catch (error) {
    if (error instanceof DefinitionError) return fail(error.message);
    throw error;
  }
}

function findFailures(expected: Expectation, fired: Fired, refusedBy: readonly string[]): Failure[] {
  const { decision, by, reason, userMessage, context, output } = expected;
  const failures: Failure[] = [];
  const check = (field: keyof Expectation, actual: unknown, fits: boolean): void => {
    if (expected[field] !== undefined && !fits) failures.push({ field, expected: expected[field], actual });
  };
  const word = fired.decision ?? 'none';
  check('decision', word, word === (decision ?? 'none'));
  check('by', refusedBy, fired.by === by || refusedBy.includes(by ?? ''));
  check('reason', fired.reason, fitsText(reason, fired.reason));
  check('userMessage', fired.userMessage, fitsText(userMessage, fired.userMessage));
  check('context', fired.context, fitsContext(context, fired.context));
  check('output', fired.output, fitsOutput(output, fired.output));
  return failures;
}

/** A part of the text, or a regular expression between slashes. */
function fitsText(expected: string | null | undefined, actual: string | null): boolean {
  if (expected === null || expected === undefined || actual === null) return expected === actual;
  return compilePattern(expected)?.test(actual) ?? actual.includes(expected);
}

function fitsContext(expected: string | readonly string[] | undefined, actual: readonly string[]): boolean {
  const wanted = typeof expected === 'string' ? [expected] : (expected ?? []);
  if (wanted.length === 0) return actual.length === 0;
  return wanted.every((text) => actual.some((one) => fitsText(text, one)));
}

/** A tool's result may be expected as its text. */
function fitsOutput(expected: unknown, actual: unknown): boolean {
  if (typeof expected === 'string' && isRecord(actual))
    return expected === (actual.result ?? actual.error ?? actual.content);
  return fits(expected, actual);
}

function fits(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      expected.length === actual.length &&
      expected.every((one, i) => fits(one, actual[i]))
    );
  if (!isRecord(expected)) return isDeepStrictEqual(expected, actual);
  return isRecord(actual) && Object.entries(expected).every(([field, value]) => fits(value, actual[field]));
}
