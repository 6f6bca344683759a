import type { Hardening, SettingsSource } from '@spec/commands';
import type { AnyHook, ScopeOwner } from '@spec/hooks';

/** What `hooks.config.ts` says of a project: which hooks it has, and where they come from. Paths are relative to the file. */
export interface HooksConfig {
  /** Folders of hook modules, which prompts and agents name. */
  readonly hooks?: string | readonly string[];
  /** Folders of hook modules that run everywhere, or hooks themselves. */
  readonly policies?: string | readonly (string | AnyHook)[];
  /** Settings files with command hooks, of any dialect. */
  readonly settings?: readonly (string | SettingsSource)[];
  /** Rule files. */
  readonly rules?: string | readonly string[];
  /** JSON files of triggers. */
  readonly triggers?: string | readonly string[];
  /** The SQLite file with the threads and their ledger. */
  readonly store?: string;
  /** The names of the tools that agents have; `check` reports matchers that match none of them. */
  readonly tools?: readonly string[];
  /** Agents and prompts, as far as their hooks go; `check` reports ids that nobody registered. */
  readonly agents?: readonly ScopeOwner[];
  /** What failures of settings files' guards do at the least. What is decided here, `check` does not report. */
  readonly harden?: Hardening;
  /** Names of variables of the environment that commands of settings files may see, besides PATH, HOME and a few more. */
  readonly pass?: readonly string[];
  /** Hosts that `http` entries of settings files may ask, besides this machine. */
  readonly allowedHosts?: readonly string[];
  /** The file that keeps which settings files are trusted. Default: the person's own, as of `trustStore()`. */
  readonly trust?: string;
}
