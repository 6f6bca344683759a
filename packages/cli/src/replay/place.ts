/** Where something stands in the input. */
export interface InputPosition {
  /** The name of the file, where there are several. */
  readonly input?: string;
  /** Such as `line 12`. */
  readonly place: string;
}

/** A place as a person reads it, such as `b.jsonl, line 12`. */
export function placeText({ input, place }: InputPosition): string {
  return input === undefined ? place : `${input}, ${place}`;
}
