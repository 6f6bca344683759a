import type { Fields } from '../nested/fields.ts';
import type { Report } from '../nested/report.ts';
import type { HandlerType, Timeouts } from './variant.ts';

/** What programs give a hook of a type that they do not name. */
const DEFAULT_SECONDS = 60;

/** From this number of seconds on, a file probably means milliseconds: nobody lets a turn wait for a quarter of an hour. */
const SUSPICIOUS_SECONDS = 1_000;

/** What a timer can hold, 24 days. */
const MOST_SECONDS = 2_147_483;

const MOST_MILLISECONDS = 'A timeout has at most 2147483000 milliseconds (24 days).';

/** What a timeout is asked for. */
export interface Timed {
  readonly eventName: string;
  readonly type: HandlerType;
  readonly timeouts: Timeouts;
}

/** The timeout of a handler in milliseconds. */
export function readTimeoutMs(fields: Fields, timed: Timed, report: Report): number {
  const { eventName, type, timeouts } = timed;
  if (timeouts.unit !== undefined) return readMilliseconds(fields, timed, report);
  const written = fields.time('timeout', 'seconds');
  if (written === undefined) return defaultSeconds(timed) * 1_000;
  const seconds = Math.max(written, timeouts.least ?? 0);
  const path = [...fields.path, 'timeout'];
  const { millisecondsFrom, limit = {} } = timeouts;
  if (type === 'command' && millisecondsFrom !== undefined && seconds >= millisecondsFrom) {
    if (seconds > MOST_SECONDS * 1_000) fields.refuse('timeout', MOST_MILLISECONDS);
    const message = `From ${millisecondsFrom} on a timeout is in milliseconds. Write ${seconds / 1_000} to say it in seconds.`;
    report.note('suspicious_timeout', path, message);
    return Math.ceil(seconds);
  }
  checkSeconds(seconds, fields, report);
  const most = limit[eventName];
  if (most === undefined || seconds <= most) return Math.ceil(seconds * 1_000);
  report.note('timeout_cut', path, `${atEvent(eventName)} a hook has at most ${most} seconds.`);
  return most * 1_000;
}

/** No command of an agent ends sooner: seconds were meant. */
const SUSPICIOUS_MS = 1_000;

function readMilliseconds(fields: Fields, timed: Timed, report: Report): number {
  const ms = fields.time('timeout', 'milliseconds');
  if (ms === undefined) return defaultSeconds(timed) * 1_000;
  if (ms > MOST_SECONDS * 1_000) fields.refuse('timeout', MOST_MILLISECONDS);
  else if (ms < SUSPICIOUS_MS) {
    const message = `Timeouts are in milliseconds: ${ms} ms are over before most commands end. Write ${ms * 1_000} if seconds are meant.`;
    report.warning('suspicious_timeout', [...fields.path, 'timeout'], message);
  }
  return Math.ceil(ms);
}

const atEvent = (eventName: string): string =>
  eventName === 'SessionEnd' ? 'At the end of a session' : `On ${eventName}`;

function checkSeconds(seconds: number, fields: Fields, report: Report): void {
  if (seconds > MOST_SECONDS)
    fields.refuse('timeout', `A timeout has at most ${MOST_SECONDS} seconds (24 days).`);
  else if (seconds >= SUSPICIOUS_SECONDS) {
    const meant = `${seconds / 1_000} if ${seconds} milliseconds are meant`;
    report.warning(
      'suspicious_timeout',
      [...fields.path, 'timeout'],
      `Timeouts are in seconds: ${seconds} are ${spoken(seconds)}. Write ${meant}.`,
    );
  }
}

/** The seconds of a hook that names none. */
export function defaultSeconds({ eventName, type, timeouts }: Timed): number {
  const { seconds, most = {} } = timeouts;
  return Math.min(seconds[type] ?? DEFAULT_SECONDS, most[eventName] ?? MOST_SECONDS);
}

function spoken(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
