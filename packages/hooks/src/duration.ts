import { describeSort } from './describe-given.ts';

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

const spelledUnits = {
  ms: ['ms', 'msec', 'msecs', 'milli', 'millis', 'millisecond', 'milliseconds'],
  s: ['s', 'sec', 'secs', 'second', 'seconds'],
  m: ['m', 'min', 'mins', 'minute', 'minutes'],
  h: ['h', 'hr', 'hrs', 'hour', 'hours'],
  d: ['d', 'day', 'days'],
} as const;

/** The milliseconds that a text such as `5 sec`, `1h30m` or `2 Minutes` probably means; `undefined` where it is no time with units. */
export function guessDurationMs(text: string): number | undefined {
  if (!/^(?:\s*\d{1,12}(?:\.\d{1,6})?\s*[a-z]{1,12}\.?)+\s*$/i.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, word = ''] of text.matchAll(/([\d.]+)\s*([a-z]+)/gi)) {
    const unit = findUnit(word.toLowerCase());
    if (unit === undefined) return undefined;
    sum += Number(amount) * unitInMs[unit];
  }
  return sum;
}

function findUnit(word: string): keyof typeof unitInMs | undefined {
  const units = Object.keys(spelledUnits) as (keyof typeof unitInMs)[];
  return units.find((unit) => (spelledUnits[unit] as readonly string[]).includes(word));
}

const SHOWN = 40;

/**
 * What is wrong with a value that is no duration, as a sentence with the form that fits: `timeout must be … Did you mean "5s"?`
 *
 * @param option what the value was given for
 * @param range the durations that fit, such as `of 0 or more`; without it those that a timer can wait
 */
export function describeWrongDuration(option: string, given: unknown, range?: string): string {
  const shown = typeof given === 'string' && given.length <= SHOWN ? `"${given}"` : describeSort(given);
  const meant = typeof given === 'string' ? suggestDuration(given, range === undefined) : undefined;
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${option} must be a duration ${range ?? 'between 1 ms and 24 days'}: a number of milliseconds, or a text with a unit (ms, s, m, h, d) such as "5s"; got ${shown}.${hint}`;
}

function suggestDuration(text: string, isForTimer: boolean): string | undefined {
  if (/^\s*\d{1,12}\s*$/.test(text)) return `${Number(text)} or "${Number(text)}s"`;
  const ms = guessDurationMs(text);
  if (ms === undefined || (isForTimer && durationInMs(ms) === undefined)) return undefined;
  const unit = (['d', 'h', 'm', 's'] as const).find((one) => ms % unitInMs[one] === 0) ?? 'ms';
  return `"${ms / unitInMs[unit]}${unit}"`;
}
