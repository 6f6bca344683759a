import type { EntryHandler } from '../../entry-handler.ts';
import type { Fields } from '../nested/fields.ts';
import type { Report } from '../nested/report.ts';

/** The default timeout in seconds. */
const DEFAULT_SECONDS: Readonly<Record<EntryHandler['type'], number>> = {
  command: 600,
  http: 600,
  mcp_tool: 600,
  prompt: 30,
  agent: 60,
};

const PROMPT_EVENT_SECONDS = 30;
const SESSION_END_SECONDS = 1.5;
const SESSION_END_MOST = 60;

/** From this number of seconds on, a file probably means milliseconds: nobody lets a turn wait for a quarter of an hour. */
const SUSPICIOUS_SECONDS = 1_000;

/** What a timer can hold, 24 days. */
const MOST_SECONDS = 2_147_483;

/** The timeout of a handler in milliseconds. */
export function readTimeoutMs(
  fields: Fields,
  { eventName, type }: { readonly eventName: string; readonly type: EntryHandler['type'] },
  report: Report,
): number {
  const seconds = fields.time('timeout', 'seconds');
  if (seconds === undefined) return defaultSeconds(eventName, type) * 1_000;
  const path = [...fields.path, 'timeout'];
  if (seconds > MOST_SECONDS)
    fields.refuse('timeout', `A timeout has at most ${MOST_SECONDS} seconds (24 days).`);
  else if (seconds >= SUSPICIOUS_SECONDS) {
    const meant = `${seconds / 1_000} if ${seconds} milliseconds are meant`;
    report.warning(
      'suspicious_timeout',
      path,
      `Timeouts are in seconds: ${seconds} are ${spoken(seconds)}. Write ${meant}.`,
    );
  }
  if (eventName !== 'SessionEnd' || seconds <= SESSION_END_MOST) return Math.ceil(seconds * 1_000);
  report.note('timeout_cut', path, `At the end of a session a hook has at most ${SESSION_END_MOST} seconds.`);
  return SESSION_END_MOST * 1_000;
}

function defaultSeconds(eventName: string, type: EntryHandler['type']): number {
  if (eventName === 'SessionEnd') return SESSION_END_SECONDS;
  const seconds = DEFAULT_SECONDS[type];
  return eventName === 'UserPromptSubmit' ? Math.min(seconds, PROMPT_EVENT_SECONDS) : seconds;
}

function spoken(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
