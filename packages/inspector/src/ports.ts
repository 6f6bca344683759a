import type { Records } from '@spec/hooks';
import type { KnownHookCard } from './api.ts';

/** What the page is about, and what it may do. */
export interface InspectorOptions {
  /** Closed by whoever opened it, after the inspector. */
  readonly records: Records;
  /** The name of the store, as a person calls it. */
  readonly name: string;
  /** Whether texts of messages and arguments of calls are sent to the page. Default: they are. */
  readonly showsContent?: boolean;
  /** The hooks of today; without them the page knows those of the ledger. */
  readonly project?: HookProject;
}

/** The hooks of a project, looked at anew for each question. Nothing here runs a hook. */
export interface HookProject {
  list(): Promise<ProjectHooks>;
}

/** The hooks of a project, each list in the order in which it runs. */
export interface ProjectHooks {
  readonly hooks: readonly KnownHookCard[];
  /** What could not be loaded, a sentence each. */
  readonly problems: readonly string[];
}
