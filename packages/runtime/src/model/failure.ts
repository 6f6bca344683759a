import { isRecord } from '@spec/hooks';

/** What is known of a model call that failed. */
export interface Failure {
  /** In words that hold no data. */
  readonly how: string;
  /** Whether the same call may succeed a little later. */
  readonly mayPass: boolean;
  /** Whether the answer had begun: somebody may have to pay for it. */
  readonly hasBegun?: boolean;
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
  if (typeof statusCode !== 'number') return describeNetwork(error, isRetryable === true);
  const mayPass =
    typeof isRetryable === 'boolean' ? isRetryable : PASSING.has(statusCode) || statusCode >= SERVER_ERRORS;
  const retryAfterMs = readRetryAfter(responseHeaders);
  return {
    how: `HTTP ${statusCode}${hints[statusCode] ?? ''}`,
    mayPass,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

const hints: Readonly<Record<number, string>> = {
  401: ' (check the API key)',
  403: ' (check what the API key may do)',
  404: ' (check the base URL and the name of the model)',
};

/** What a network says of itself, which is no data, and whether the same call may succeed a little later. */
const mayPassBy: Readonly<Record<string, boolean>> = {
  ECONNREFUSED: true,
  ECONNRESET: true,
  EPIPE: true,
  ETIMEDOUT: true,
  EAI_AGAIN: true,
  EHOSTUNREACH: true,
  ENETUNREACH: true,
  UND_ERR_CONNECT_TIMEOUT: true,
  UND_ERR_HEADERS_TIMEOUT: true,
  UND_ERR_BODY_TIMEOUT: true,
  UND_ERR_SOCKET: true,
  ENOTFOUND: false,
  CERT_HAS_EXPIRED: false,
  DEPTH_ZERO_SELF_SIGNED_CERT: false,
  SELF_SIGNED_CERT_IN_CHAIN: false,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: false,
  ERR_TLS_CERT_ALTNAME_INVALID: false,
};

const MAX_CAUSES = 5;

function describeNetwork(error: unknown, isRetryable: boolean): Failure {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    const { code, cause: next } = cause as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && Object.hasOwn(mayPassBy, code))
      return { how: `it could not be reached (${code})`, mayPass: mayPassBy[code] as boolean };
    cause = next;
  }
  return { how: REPORTED, mayPass: isRetryable };
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
  const date = after.endsWith(' GMT') ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
