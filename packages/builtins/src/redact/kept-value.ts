/**
 * Where a value was met: in the person's message; in the words of the model, the application or the system message; or in a tool's
 * result and in what hooks and tools make of it, which anybody may have written.
 */
export type Origin = 'person' | 'conversation' | 'tool';

/** A value as it stood in a text, so that it can be put back. */
export interface Sighting {
  readonly origin: Origin;
  readonly text: string;
  /** Its normal forms; several if it can be read in several ways. */
  readonly values: readonly string[];
  /** Whether it was a JSON number. */
  readonly isNumber: boolean;
}

/** A kept value with the label and number of its placeholder. */
export interface KeptValue extends Omit<Sighting, 'origin'> {
  readonly label: string;
  readonly number: number;
  /** Whether a tool was given the value. From then on it is found everywhere, even if no detector would find it. */
  readonly isOut: boolean;
  /** Whether it came from the conversation. Otherwise it came from a tool's result, or its origin is unknown. */
  readonly isSaid: boolean;
}
