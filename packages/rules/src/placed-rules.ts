import type { WrittenRules } from './check-rules.ts';

/** A rule that somebody else found in a file of theirs, such as `loadSettings` of `@spec/commands` in a `hub.json`. */
export interface PlacedRule {
  /** As it is written; it is checked when it is loaded. */
  readonly rule: unknown;
  readonly position: { readonly file: string; readonly line: number };
  /** The lines of its fields. */
  readonly lines?: Readonly<Record<string, number>>;
  /** Why it must not run, in sentences: what it guards is denied, and else it is passed over. */
  readonly refusal?: string;
}

export function isPlacedRule(value: unknown): value is PlacedRule {
  return typeof value === 'object' && value !== null && 'rule' in value && 'position' in value;
}

/** Rules with the positions that came with them. */
export function takePositions(placed: readonly PlacedRule[]): WrittenRules {
  return {
    name: 'rule',
    isFile: true,
    rules: placed.map(({ rule }) => rule),
    locateRule(index, field = '') {
      const { position, lines = {} } = placed[index] as PlacedRule;
      return `${position.file}:${Object.hasOwn(lines, field) ? lines[field] : position.line}`;
    },
    findRefusal: (index) => placed[index]?.refusal,
  };
}
