import type { OptionNames, StreamText } from '@spec/hooks';
import { type CountryCode, isSupportedCountry } from 'libphonenumber-js';
import { badOption } from './detect/bad-option.ts';
import { birthDates } from './detect/birth-date.ts';
import { cards } from './detect/card.ts';
import { type CustomPattern, customDetector } from './detect/custom.ts';
import type { DateOrder } from './detect/dates.ts';
import { emails } from './detect/email.ts';
import type { Detector } from './detect/finding.ts';
import { ibans } from './detect/iban.ts';
import { nationalIds } from './detect/national-id.ts';
import { phones } from './detect/phone.ts';
import { secrets } from './detect/secret.ts';
import type { RedactKind } from './kinds.ts';
import { defaultFormat, makePlaceholders, type PlaceholderFormat } from './placeholders.ts';
import type { Redactor } from './redactor.ts';
import { type CheckedRestore, checkedRestore, type ExactRestore, type Restore } from './restore-options.ts';
import { HOLD_BACK, makeStream, type StreamSource } from './stream.ts';

/** The options of `redact`. */
export interface RedactOptions<
  Id extends string = string,
  R extends Restore | undefined = Restore | undefined,
> {
  /**
   * Begins the ids of its hooks and names the value it keeps with a thread; default `redact`. Two instances in one scope
   * need different ones.
   */
  readonly id?: Id;
  /** The kinds that are on; default all. */
  readonly kinds?: readonly RedactKind[];
  /** The country, as ISO 3166 code, whose telephone numbers are known without `+`; default `US`. Elsewhere 04/05/1990 is read day first. */
  readonly defaultCountry?: CountryCode;
  /** Further kinds of your own. */
  readonly custom?: readonly CustomPattern[];
  /** What stays although it is found: exact texts, or patterns that match a part of the found text. */
  readonly allow?: readonly (string | RegExp)[];
  /**
   * A secret of yours. With it, keyed hashes (HMAC-SHA-256) of the found values are kept with the thread, so that a value keeps its
   * placeholder across restarts. Without it, a value that returns after a restart gets a new number.
   */
  readonly key?: string | Uint8Array;
  /** Writes a placeholder; default `[EMAIL_1]`. It must write the number once, between texts that depend only on the label. */
  readonly placeholder?: PlaceholderFormat;
  /** The most threads whose placeholders are remembered at once; default 1,000. */
  readonly maxThreads?: number;
  /** Restores the values of placeholders in arguments of tools: `'tools'`, or an object with more options. Default: none. */
  readonly restore?: R & ExactRestore<R>;
}

export const optionNames: OptionNames<RedactOptions> = {
  id: true,
  kinds: true,
  defaultCountry: true,
  custom: true,
  allow: true,
  key: true,
  placeholder: true,
  maxThreads: true,
  restore: true,
};

const dateOrder = (country: CountryCode): DateOrder => (country === 'US' ? 'month-first' : 'day-first');

/** The detector of each kind. What comes first is replaced first. */
const makeDetectors: Readonly<Record<RedactKind, (country: CountryCode) => Detector>> = {
  secret: () => secrets,
  card: () => cards,
  iban: () => ibans,
  email: () => emails,
  date_of_birth: (country) => birthDates(dateOrder(country)),
  phone: phones,
  national_id: () => nationalIds,
};

const redactKinds = Object.keys(makeDetectors) as readonly RedactKind[];

/** Checked options. */
export interface CheckedOptions {
  readonly redactor: Redactor;
  readonly key: string | Uint8Array | undefined;
  readonly maxThreads: number;
  readonly restore: CheckedRestore | undefined;
  /** How answers stream; nothing if only the whole text can be judged. */
  readonly streaming: Streaming | undefined;
}

interface Streaming {
  readonly holdBack: number;
  readonly stream: StreamText;
}

/** @throws {DefinitionError} `bad_option`, naming the option and what is wrong with it. */
export function checkedOptions(options: RedactOptions): CheckedOptions {
  const {
    kinds = redactKinds,
    custom = [],
    allow = [],
    defaultCountry = 'US',
    key,
    maxThreads = 1000,
  } = options;
  const unknown = Array.isArray(kinds) ? kinds.find((kind) => !redactKinds.includes(kind)) : kinds;
  if (unknown !== undefined || kinds.length + custom.length === 0) {
    const got =
      unknown === undefined
        ? 'nothing, so nothing would be redacted'
        : typeof unknown === 'string'
          ? `"${unknown}"`
          : `a value of type ${typeof unknown}`;
    throw badOption(
      `kinds must be a list of ${redactKinds.map((kind) => `'${kind}'`).join(', ')}; got ${got}.`,
    );
  }
  if (!isSupportedCountry(defaultCountry))
    throw badOption(`defaultCountry must be an ISO 3166 code of two capitals, such as 'US'.`);
  if (!Number.isSafeInteger(maxThreads) || maxThreads < 1)
    throw badOption('maxThreads must be a whole number of at least 1.');
  if (key !== undefined && ((typeof key !== 'string' && !(key instanceof Uint8Array)) || key.length < 16)) {
    throw badOption(
      'key must be a secret of at least 16 characters or bytes, such as the output of `openssl rand -hex 32`.',
    );
  }
  const own = custom.map((one): Detector => ({ ...customDetector(one), windows: 'whole' }));
  const detectors = [...own, ...builtIn(kinds, defaultCountry)];
  const labels = detectors.map(({ label }) => label);
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined)
    throw badOption(`two kinds have the label ${twice}. Give each custom pattern its own name.`);
  const placeholders = makePlaceholders(options.placeholder ?? defaultFormat, labels);
  const redactor = { detectors, placeholders, isAllowed: allowance(allow) };
  const restore = checkedRestore(options.restore, options.id);
  const order = dateOrder(defaultCountry);
  const streaming = restore === undefined ? makeStreaming({ redactor, kinds, order }, custom) : undefined;
  return { redactor, key, maxThreads, restore, streaming };
}

/** With `restore`, a value given to a tool is found anywhere, and a custom pattern of unknown length may begin anywhere: then nothing streams. */
function makeStreaming(source: StreamSource, custom: readonly CustomPattern[]): Streaming | undefined {
  const spans = custom.map(({ holdBack }) => holdBack);
  if (spans.includes(undefined)) return undefined;
  return {
    holdBack: Math.max(HOLD_BACK, ...spans.filter((span) => span !== undefined)),
    stream: makeStream(source),
  };
}

function builtIn(kinds: readonly RedactKind[], country: CountryCode): Detector[] {
  return redactKinds
    .filter((kind) => kinds.includes(kind))
    .map((kind) => ({ ...makeDetectors[kind](country), ...windowsOf[kind] }));
}

/** Windows for kinds with long values or slow detectors; the other kinds have the usual windows. */
const windowsOf: { readonly [Kind in RedactKind]?: Pick<Detector, 'windows'> } = {
  secret: { windows: { piece: 16_384, reach: 4608 } },
  phone: { windows: { piece: 512, reach: 160 } },
};

function allowance(allow: readonly (string | RegExp)[]): (text: string) => boolean {
  if (!Array.isArray(allow) || allow.some((one) => typeof one !== 'string' && !(one instanceof RegExp))) {
    throw badOption('allow must be a list of texts and regular expressions.');
  }
  const exact = new Set(allow.filter((one) => typeof one === 'string'));
  const patterns = allow
    .filter((one) => one instanceof RegExp)
    .map((one) => new RegExp(one.source, one.flags.replace(/[gy]/g, '')));
  return (text) => exact.has(text) || patterns.some((pattern) => pattern.test(text));
}
