/** A duration: milliseconds as a number, or a string with a unit: `2_000`, `'500ms'`, `'2s'`, `'1m'`, `'12h'`, `'30d'`. */
export type Duration = number | `${number}${keyof typeof unitInMs}`;

const unitInMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The longest time that a timer can wait: about 24.8 days. A longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The duration in milliseconds, or `undefined` if it is not a duration between 1 ms and 24.8 days. */
export function durationInMs(duration: unknown): number | undefined {
  const ms = parseDuration(duration);
  return ms !== undefined && ms >= 1 && ms <= LONGEST_MS ? ms : undefined;
}

/** A duration of any length in milliseconds, or `undefined` if it is not a duration. */
export function parseDuration(duration: unknown): number | undefined {
  const ms = typeof duration === 'string' ? parseText(duration) : duration;
  return typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

function parseText(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(amount) * unitInMs[unit as keyof typeof unitInMs];
}
