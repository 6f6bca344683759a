import type { Redactor } from './contenders.ts';
import { plainContexts } from './contexts.ts';
import { disguises } from './disguises.ts';
import type { Kind } from './kind.ts';
import { hashText, seededRandom } from './random.ts';

/** Detectors are worked on with one half of the texts; figures are of the other. */
export type Half = 'tuning' | 'held out';
export type Manner = 'plain' | 'disguised';

/** One text that holds a value which must not survive. */
export interface SampleText {
  readonly kind: string;
  readonly context: string;
  readonly text: string;
  /** The value as it stands in the text. */
  readonly written: string;
  readonly country: string | undefined;
}

const VALUES_PER_CONTEXT = 3;

/** The texts of a kind; which half a context is in differs from kind to kind. */
export function makeTexts(kind: Kind, manner: Manner, half: Half): readonly SampleText[] {
  const made = manner === 'plain' ? inPlainWriting(kind) : inDisguise(kind);
  return made.filter(({ context }) => chooseHalf(`${kind.name}/${context}`) === half);
}

const chooseHalf = (name: string): Half => (hashText(`half of ${name}`) % 2 === 0 ? 'tuning' : 'held out');

function inPlainWriting(kind: Kind): SampleText[] {
  return (kind.contexts ?? plainContexts).flatMap(({ name, write }) =>
    samples(kind, name, ({ value, written = value, country }) => ({
      kind: kind.name,
      context: name,
      text: write(written),
      written: value,
      country,
    })),
  );
}

function inDisguise(kind: Kind): SampleText[] {
  return disguises.flatMap(({ name, hide, place }) =>
    samples(kind, name, ({ value, written = value, country }, index) => {
      const hidden = hide(value);
      if (hidden === value) return undefined;
      const sentence = place ?? (HIDING_PLACES[index % HIDING_PLACES.length] as string);
      const text = sentence.replace('%', () => written.replace(value, () => hidden));
      return { kind: kind.name, context: name, text, written: hidden, country };
    }),
  );
}

const HIDING_PLACES = ['It is %, thanks.', 'value: % ', 'Please note %'];

function samples(
  kind: Kind,
  context: string,
  write: (sample: ReturnType<Kind['sample']>, index: number) => SampleText | undefined,
): SampleText[] {
  return Array.from({ length: VALUES_PER_CONTEXT }, (_, index) =>
    write(kind.sample(seededRandom(`${kind.name}/${context}/${index}`)), index),
  ).filter((text) => text !== undefined);
}

/** The texts in which a contender left half of the value or more. */
export async function findMisses(contender: Redactor, texts: readonly SampleText[]): Promise<SampleText[]> {
  const missed: SampleText[] = [];
  for (const text of texts) {
    if (survives(text, await contender.redact(text.text, text.country))) missed.push(text);
  }
  return missed;
}

/** Whether half of a value's characters still stand there in one piece that is nowhere else in the text. */
function survives({ written, text }: SampleText, redacted: string): boolean {
  const length = Math.ceil(written.length / 2);
  const around = text.replace(written, () => ' ');
  for (let start = 0; start + length <= written.length; start++) {
    const part = written.slice(start, start + length);
    if (/[\p{L}\p{N}]/u.test(part) && redacted.includes(part) && !around.includes(part)) return true;
  }
  return false;
}
