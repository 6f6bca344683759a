import { isRecord } from '@spec/hooks';

/** What is known of a model call that failed. */
export interface Failure {
  /** In words that hold no data. */
  readonly how: string;
  /** Whether the same call may succeed a little later. */
  readonly mayPass: boolean;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number;
}

const PASSING = new Set([408, 409, 429]);
const SERVER_ERRORS = 500;

/** Reads what an AI SDK provider threw, or put into its stream. Never its text. */
export function readFailure(error: unknown): Failure {
  try {
    return describe(error);
  } catch {
    return { how: REPORTED, mayPass: false }; // Something that throws when it is read.
  }
}

const REPORTED = 'its provider reported an error';

function describe(error: unknown): Failure {
  if (!isRecord(error) && !(error instanceof Error)) return { how: REPORTED, mayPass: false };
  const { statusCode, isRetryable, responseHeaders } = error as Readonly<Record<string, unknown>>;
  if (typeof statusCode !== 'number') return { how: REPORTED, mayPass: isRetryable === true };
  const mayPass =
    typeof isRetryable === 'boolean' ? isRetryable : PASSING.has(statusCode) || statusCode >= SERVER_ERRORS;
  const retryAfterMs = readRetryAfter(responseHeaders);
  return { how: `HTTP ${statusCode}`, mayPass, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function readRetryAfter(headers: unknown): number | undefined {
  if (!isRecord(headers)) return undefined;
  const ms = Number.parseFloat(String(headers['retry-after-ms']));
  if (ms >= 0) return ms;
  const after = headers['retry-after'];
  if (typeof after !== 'string') return undefined;
  const seconds = Number(after);
  if (seconds >= 0) return seconds * 1_000;
  const wait = Date.parse(after) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
