/**
 * A text of somebody else's: what would turn, hide or break it is shown, such as `\u{202e}`. Line ends and tabs stay, and so do the joiners
 * that scripts and emoji need.
 */
export function showControls(text: string): string {
  return text.replace(
    /(?!\n|\t|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}]/gu,
    (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** The time of the day; with the day where it is not today's. */
export function formatTime(micros: number): string {
  const date = new Date(micros / 1_000);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`;
}

/** ISO 8601, for machines and for those who point at a time. */
export function formatExactTime(micros: number): string {
  return new Date(micros / 1_000).toISOString();
}

export function formatDuration(ms: number): string {
  if (ms < 0.05) return '< 0.1 ms';
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** Such as `1 run` and `2 runs`. */
export function countWords(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
