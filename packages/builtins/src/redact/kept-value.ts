/**
 * Where a value was met: in what the person sent; in what the model, the application or the system message says; or in a tool's
 * result and what hooks and tools make of it, which anybody may have written.
 */
export type Origin = 'person' | 'conversation' | 'tool';

/** A value as a text had it, so that it can be put back. */
export interface Sighting {
  readonly origin: Origin;
  readonly text: string;
  /** Its normal forms, all of them where it can be read in several ways. */
  readonly values: readonly string[];
  /** Whether it stood there as a JSON number. */
  readonly isNumber: boolean;
}

/** A value that is kept, under the name and number of its placeholder. */
export interface KeptValue extends Omit<Sighting, 'origin'> {
  readonly label: string;
  readonly number: number;
  /** Whether a tool was given it. From then on it is known wherever it stands, also where no detector would find it. */
  readonly isOut: boolean;
  /** Whether it came from the conversation; else from a tool's result, or nobody knows any more. */
  readonly isSaid: boolean;
}
