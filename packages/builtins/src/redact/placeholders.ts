import { badOption } from './detect/bad-option.ts';
import { COVERED } from './detect/finding.ts';
import type { Pieces } from './pieces.ts';
import { mapped, splicedInPieces } from './splice.ts';

/** Writes a placeholder: `placeholder('EMAIL', 1)` gives `[EMAIL_1]` by default. */
export type PlaceholderFormat = (label: string, number: number) => string;

export const defaultFormat: PlaceholderFormat = (label, number) => `[${label}_${number}]`;

/** A placeholder that is already in a text. */
export interface PlacedPlaceholder {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  readonly number: number;
}

/** Recognises placeholders of a format. */
export interface Placeholders {
  readonly format: PlaceholderFormat;
  /** The placeholders of a text, in order. */
  placed(text: string): Iterable<PlacedPlaceholder>;
}

const NUMBER = '[1-9]\\d{0,5}';
/** Placeholders of another instance, with its own labels. */
const FOREIGN = `\\[[A-Z]{2,20}(?:_[A-Z]{1,20}){0,4}_${NUMBER}\\]`;

/**
 * Learns from samples how a format writes placeholders.
 * @throws {DefinitionError} `bad_option` if it does not write the number exactly once, between fixed texts.
 */
export function makePlaceholders(format: PlaceholderFormat, labels: readonly string[]): Placeholders {
  const shapes = labels.map((label) => ({ label, ...findShape(format, label) }));
  const own = shapes.map(({ before, after }) => `${escaped(before)}(${NUMBER})${escaped(after)}`);
  const pattern = new RegExp([...own, FOREIGN].join('|'), 'g');
  const mayHave = [...new Set([...shapes.map(({ before, after }) => before || after), '['])];
  return {
    format,
    placed: (text) => {
      if (!mayHave.some((part) => text.includes(part))) return [];
      return mapped(text.matchAll(pattern), (match) => {
        const shape = match.findIndex((number, group) => group > 0 && number !== undefined);
        return {
          start: match.index,
          end: match.index + match[0].length,
          label: shapes[shape - 1]?.label ?? '',
          number: Number(match[shape]) || 0,
        };
      });
    },
  };
}

/** The text with its placeholders covered, so that no detector sees them. Its length stays the same. */
export function covered(text: string, placed: readonly PlacedPlaceholder[]): Pieces<string> {
  return splicedInPieces(text, placed, ({ start, end }) => COVERED.repeat(end - start));
}

const SAMPLES = [407_519, 8] as const;

function findShape(format: PlaceholderFormat, label: string): { before: string; after: string } {
  const written = SAMPLES.map((number) => format(label, number));
  const [first, second] = written;
  const parts = typeof first === 'string' ? first.split(String(SAMPLES[0])) : [];
  const [before = '', after = ''] = parts;
  if (
    parts.length !== 2 ||
    second !== `${before}${SAMPLES[1]}${after}` ||
    before + after === '' ||
    /\d$/.test(before) ||
    /^\d/.test(after)
  ) {
    throw badOption(
      `placeholder must write the number exactly once, with the same text around it every time, such as (label, number) => \`<\${label} \${number}>\`; it does not for the label ${label}.`,
    );
  }
  return { before, after };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
