import {
  checkOptionNames,
  DefinitionError,
  type Duration,
  describeWrongDuration,
  durationInMs,
  type OptionNames,
} from '@spec/hooks';

/** How much a server may send, and how long it may take. */
export interface GatewayLimits {
  /** For a server to start. Default 60 s. */
  readonly start?: Duration;
  /** How long a client waits for servers when it connects. Those that are not there by then come later. Default 8 s. */
  readonly firstAnswer?: Duration;
  /** For a call without an answer or progress. Default 2 minutes. */
  readonly call?: Duration;
  /** For a call in all. Default 1 hour. */
  readonly total?: Duration;
  /** For a person to answer what hooks or servers ask. Default 10 minutes. */
  readonly person?: Duration;
  /** The characters of a result, as JSON. Longer ones are refused, never cut. Default 10 million. */
  readonly resultCharacters?: number;
  /** The calls of a client that are under way at once. Default 256. */
  readonly calls?: number;
}

/** The limits, in milliseconds and counts. */
export type Limits = Readonly<Record<keyof GatewayLimits, number>>;

const defaults: Limits = {
  ...{ start: 60_000, firstAnswer: 8_000, call: 120_000, total: 3_600_000, person: 600_000 },
  ...{ resultCharacters: 10_000_000, calls: 256 },
};

const names: OptionNames<GatewayLimits> = {
  ...{ start: true, firstAnswer: true, call: true, total: true, person: true },
  ...{ resultCharacters: true, calls: true },
};

const counts: ReadonlySet<string> = new Set(['resultCharacters', 'calls']);

/** @throws {DefinitionError} `bad_option` for a name or a value that is no limit */
export function readLimits(given: GatewayLimits): Limits {
  checkOptionNames('limits', given, names);
  const read = Object.entries(given).map(([name, value]) => [name, readLimit(name, value)]);
  return { ...defaults, ...Object.fromEntries(read) };
}

function readLimit(name: string, value: unknown): number {
  if (!counts.has(name)) {
    const ms = durationInMs(value);
    if (ms === undefined)
      throw new DefinitionError('bad_option', `limits: ${describeWrongDuration(name, value)}.`);
    return ms;
  }
  if (Number.isSafeInteger(value) && Number(value) > 0) return Number(value);
  throw new DefinitionError('bad_option', `limits: ${name} must be a whole number above 0.`);
}
