import type { WrittenRules } from './check-rules.ts';

/** A rule that somebody else found in a file of theirs, such as `loadSettings` of `@spec/commands` in a `hub.json`. */
export interface PlacedRule {
  /** As it is written; it is checked when it is loaded. */
  readonly rule: unknown;
  readonly place: { readonly file: string; readonly line: number };
  /** The lines of its fields. */
  readonly lines?: Readonly<Record<string, number>>;
  /** Why it must not run, in sentences: what it guards is denied, and else it is passed over. */
  readonly refusal?: string;
}

export function isPlacedRule(value: unknown): value is PlacedRule {
  return typeof value === 'object' && value !== null && 'rule' in value && 'place' in value;
}

/** Rules with the places that came with them. */
export function writtenAtPlaces(placed: readonly PlacedRule[]): WrittenRules {
  return {
    name: 'rule',
    isFile: true,
    rules: placed.map(({ rule }) => rule),
    locateRule(index, field = '') {
      const { place, lines = {} } = placed[index] as PlacedRule;
      return `${place.file}:${Object.hasOwn(lines, field) ? lines[field] : place.line}`;
    },
    findRefusal: (index) => placed[index]?.refusal,
  };
}
