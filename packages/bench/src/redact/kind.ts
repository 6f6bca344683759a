import type { Context } from './contexts.ts';
import type { Random } from './random.ts';

/** A value as somebody would write it. */
export interface Sample {
  /** What must be gone from the text. */
  readonly value: string;
  /** What is written: the value, with the words beside it that say what it is. Default: the value alone. */
  readonly written?: string;
  /** Whose national numbers the redactor is told to know. Default: its own default. */
  readonly country?: string;
}

/** One row of the table: values of one kind, written one way. */
export interface Kind {
  readonly name: string;
  /** Makes a value from the format that its issuer publishes. */
  sample(random: Random): Sample;
  /** Whether the value has a check digit, a known prefix or a label beside it: then nearly all of them must be found. */
  readonly isPromised: boolean;
  /** Where its values stand in plain writing. Default: everywhere. */
  readonly contexts?: readonly Context[];
}

/** Writes a value behind a label, in one of the ways that people join them. */
export function labelled(random: Random, labels: readonly string[], value: string): Sample {
  const label = random.pick(labels);
  return {
    value,
    written: `${label}${random.pick([': ', ' ', ' is ', ' = ', ':', ' - ', ' no. '])}${value}`,
  };
}
