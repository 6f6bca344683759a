import { createHash } from 'node:crypto';
import { findHidden, type HiddenText, writeOut } from './hidden-characters.ts';

/** What a server tells of itself that a model reads: a tool by its name, or what it says about its use. */
export interface Told {
  /** `tool NAME`, or `instructions`. */
  readonly key: string;
  readonly definition: unknown;
}

/** Something that is held back from clients. */
export interface Held extends Told {
  readonly why: 'new' | 'changed' | 'hidden';
  /** Where it hides characters. */
  readonly hidden: readonly HiddenText[];
}

/** What a person, or the first look, has trusted of a server: fingerprints by key. */
export type Pins = ReadonlyMap<string, string>;

/** Keeps what is trusted of servers. */
export interface PinStore {
  /** `undefined`: nobody has ever looked at this server. */
  read(server: string): Pins | undefined;
  /** Trusts all of this, the first time that a server is seen. */
  trust(server: string, all: readonly Told[]): void;
  /** Notes what is held back, for a person who looks. Called with every listing. */
  hold(server: string, held: readonly Held[]): void;
}

/** Keeps nothing beyond this process. */
export function memoryPins(): PinStore {
  const pins = new Map<string, Map<string, string>>();
  return {
    read: (server) => pins.get(server),
    trust: (server, all) =>
      void pins.set(server, new Map(all.map(({ key, definition }) => [key, makeFingerprint(definition)]))),
    hold: () => {},
  };
}

/** Whether what a server tells is trusted when it is seen for the first time, or held back until a person has looked. */
export type FirstUse = 'trust' | 'hold';

/** Sorts what a server tells into what clients may see and what is held back. */
export function judgeTold(
  server: string,
  all: readonly Told[],
  { pins, firstUse }: { readonly pins: PinStore; readonly firstUse: FirstUse },
): readonly Held[] {
  const hidden = all.flatMap((told) => holdHidden(told));
  const hiding = new Set(hidden.map(({ key }) => key));
  const open = all.filter(({ key }) => !hiding.has(key));
  const known = pins.read(server);
  if (known === undefined && firstUse === 'trust') {
    if (open.length > 0) pins.trust(server, open); // Of a server that tells nothing yet nothing is known.
    pins.hold(server, hidden);
    return hidden;
  }
  const held = [...hidden, ...open.flatMap((told) => compare(told, known ?? new Map()))];
  pins.hold(server, held);
  return held;
}

function holdHidden(told: Told): Held[] {
  const hidden = [...findHidden(told.definition), ...findLines(told.key)];
  return hidden.length === 0 ? [] : [{ ...told, why: 'hidden', hidden }];
}

/** A dot in a pattern of a hook stops at the end of a line, and no tool needs one in its name. */
function findLines(key: string): HiddenText[] {
  const shown = key.replace(/[\n\r\t\u2028\u2029]/g, writeOut);
  return shown === key ? [] : [{ at: 'name', shown }];
}

function compare(told: Told, known: Pins): Held[] {
  const trusted = known.get(told.key);
  if (trusted === makeFingerprint(told.definition)) return [];
  return [{ ...told, why: trusted === undefined ? 'new' : 'changed', hidden: [] }];
}

/** The same for the same definition, whatever the order of its fields. */
export function makeFingerprint(definition: unknown): string {
  return createHash('sha256').update(writeSorted(definition)).digest('hex');
}

function writeSorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${writeSorted(inner)}`).join(',')}}`;
}
