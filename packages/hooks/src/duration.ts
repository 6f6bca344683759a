/** Milliseconds as a number, or a number with its unit: `2_000`, `'500ms'`, `'2s'`, `'1m'`. */
export type Duration = number | `${number}ms` | `${number}s` | `${number}m`;

const unitInMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000 };

/** The longest time that a timer can wait: about 24.8 days. A longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The duration in milliseconds, or `undefined` where it is none or not between 1 ms and 24.8 days. */
export function durationInMs(duration: unknown): number | undefined {
  const ms = typeof duration === 'string' ? parseDuration(duration) : duration;
  return typeof ms === 'number' && ms >= 1 && ms <= LONGEST_MS ? ms : undefined;
}

function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? undefined : Number(amount) * (unitInMs[unit] as number);
}
