import type { Records } from '@spec/hooks';

/** What the page is about, and what it may do. */
export interface InspectorOptions {
  /** Closed by whoever opened it, after the inspector. */
  readonly records: Records;
  /** The name of the store, as a person calls it. */
  readonly name: string;
  /** Whether texts of messages and arguments of calls are sent to the page. Default: they are. */
  readonly showsContent?: boolean;
}
