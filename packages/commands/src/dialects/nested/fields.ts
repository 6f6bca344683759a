import { guessDurationMs, nearest } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import { isObject } from '../../json-object.ts';
import type { Path, Report } from './report.ts';

/**
 * Reads the keys of one object of a settings file. A value of the wrong kind is an error finding and counts as absent. Keys that
 * were read are known; `finish` reports all others.
 */
export interface Fields {
  readonly path: Path;
  /** A value of this object, or one inside it, was refused. */
  readonly isBroken: boolean;
  has(key: string): boolean;
  /** The value as written. */
  value(key: string): JsonValue | undefined;
  text(key: string): string | undefined;
  flag(key: string): boolean | undefined;
  /** More than 0. */
  number(key: string): number | undefined;
  /** The same of a time, which settings files write as a number without its unit. */
  time(key: string, unit: 'milliseconds' | 'seconds'): number | undefined;
  texts(key: string): readonly string[] | undefined;
  object(key: string): JsonObject | undefined;
  word<Word extends string>(key: string, words: readonly Word[]): Word | undefined;
  /** Refuses a value for a reason of its own. */
  refuse(key: string, message: string, code?: string): void;
  /** Reports the keys that were not read. */
  finish(): void;
}

/** Keys that people use for comments in JSON. */
export const COMMENT: RegExp = /^(?:\$schema|_.*|\/\/.*|\$?comment|description)$/;

export function readFields(object: JsonObject, path: Path, report: Report): Fields {
  const reader = makeReader(object, path, report);
  const { read } = reader;
  return {
    path,
    get isBroken() {
      return reader.isBroken;
    },
    has: (key) => Object.hasOwn(object, key),
    value: reader.own,
    text: (key) => read(key, 'a text that is not empty', isFilled),
    flag: (key) => read(key, 'true or false', (value) => typeof value === 'boolean'),
    number: (key) => read(key, 'a number above 0', isPositive),
    time(key, unit) {
      const written = reader.own(key);
      const expected = `a number of ${unit} above 0`;
      if (typeof written !== 'string') return read(key, expected, isPositive);
      reader.refuse(key, `${key} must be ${expected}, and is a text.${suggestTime(written, unit)}`);
      return undefined;
    },
    texts: (key) => read(key, 'a list of texts', isTexts),
    object: (key) => read(key, 'an object', isObject),
    word: (key, words) =>
      read(key, `one of ${words.join(', ')}`, (value): value is (typeof words)[number] =>
        words.some((word) => word === value),
      ),
    refuse: reader.refuse,
    finish() {
      for (const key of Object.keys(object)) if (!COMMENT.test(key)) reader.reportUnasked(key);
    },
  };
}

/** The state that all readers of an object share. */
interface Reader {
  readonly isBroken: boolean;
  readonly refuse: Fields['refuse'];
  readonly own: Fields['value'];
  read<T extends JsonValue>(
    key: string,
    expected: string,
    fits: (value: JsonValue) => value is T,
  ): T | undefined;
  reportUnasked(key: string): void;
}

function makeReader(object: JsonObject, path: Path, report: Report): Reader {
  const asked = new Set<string>();
  let isBroken = false;
  const reader: Reader = {
    get isBroken() {
      return isBroken;
    },
    refuse(key, message, code = 'bad_value') {
      isBroken = true;
      report.error(code, [...path, key], message);
    },
    own(key) {
      asked.add(key);
      return Object.hasOwn(object, key) ? object[key] : undefined;
    },
    read(key, expected, fits) {
      const value = reader.own(key);
      if (value === undefined || fits(value)) return value;
      reader.refuse(
        key,
        `${key} must be ${expected}, and is ${typeof value === 'number' ? value : nameSort(value)}.`,
      );
      return undefined;
    },
    reportUnasked(key) {
      if (asked.has(key)) return;
      const meant = nearest(key, asked);
      const hint =
        meant === undefined ? `Known here are ${[...asked].join(', ')}.` : `Did you mean "${meant}"?`;
      const message = `There is no key "${key}" here; it does nothing. ${hint}`;
      report.warning('unknown_key', [...path, key], message);
    },
  };
  return reader;
}

/** The number that a text with a unit means, as a sentence. */
function suggestTime(text: string, unit: 'milliseconds' | 'seconds'): string {
  const ms = guessDurationMs(text) ?? Number(text) * (unit === 'seconds' ? 1_000 : 1);
  const time = unit === 'seconds' ? ms / 1_000 : ms;
  return time > 0 ? ` Write ${time}.` : '';
}

const isFilled = (value: JsonValue): value is string => typeof value === 'string' && value.trim() !== '';
const isPositive = (value: JsonValue): value is number => typeof value === 'number' && value > 0;
const isTexts = (value: JsonValue): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Names the kind of a value for messages; never the value. */
export function nameSort(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value === '') return 'empty';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
