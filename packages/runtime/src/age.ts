/** A time ago: `'90s'`, `'15m'`, `'12h'`, `'30d'`; a number is milliseconds. */
export type Age = number | `${number}${keyof typeof unitInMs}`;

const unitInMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The age in milliseconds, or `undefined` where it is none. */
export function ageInMs(age: unknown): number | undefined {
  const ms = typeof age === 'string' ? parseAge(age) : age;
  return typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

function parseAge(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(amount) * unitInMs[unit as keyof typeof unitInMs];
}

/** When that was, in microseconds since the epoch. */
export function microsAgo(ms: number): number {
  return (Date.now() - ms) * 1_000;
}
