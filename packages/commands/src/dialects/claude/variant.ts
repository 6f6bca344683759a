import type { JsonObject } from 'type-fest';
import type { DialectName } from '../../dialect-traits.ts';
import type { EntryHandler } from '../../entry-handler.ts';
import type { EntryAnswer, HandlerAnswer, Occasion } from '../../normal-form.ts';
import type { GivenVariables } from '../nested/foreign-variables.ts';
import type { ClaudeEvent } from './events.ts';

/** The type of a hook. */
export type HandlerType = EntryHandler['type'];

/** A key that not every program of this form reads. */
export type OwnKey =
  | 'if'
  | 'args'
  | 'env'
  | 'name'
  | 'async'
  | 'asyncRewake'
  | 'once'
  | 'statusMessage'
  | 'onFailure'
  | 'sequential'
  | 'commandWindows'
  | 'command_windows'
  | 'additionalContextLimit';

/** The seconds that hooks have. */
export interface Timeouts {
  /** By type; 60 where there is none. */
  readonly seconds: Readonly<Partial<Record<HandlerType, number>>>;
  /** By event: the most that a default has there. */
  readonly most?: Readonly<Record<string, number>>;
  /** By event: the most that a file can ask for. */
  readonly limit?: Readonly<Record<string, number>>;
  /** Less counts as so many. */
  readonly least?: number;
  /** The unit of files. Default: seconds. */
  readonly unit?: 'milliseconds';
  /** A command with so many is given milliseconds. */
  readonly millisecondsFrom?: number;
}

/** Why an answer is void. */
export interface Fault {
  readonly why: string;
  /** It is a refusal all the same. */
  readonly refuses?: true;
}

/** What the keys of a file switch off. */
export interface Switches {
  /** The key that switches all hooks off, with its value, and where it stands. */
  readonly allBy?: { readonly words: string; readonly path: readonly string[] } | undefined;
  /** Whether a hook is off, by its name and its command. */
  isOff?(names: readonly (string | undefined)[]): boolean;
}

/** What tells the programs apart whose settings files have this form. To add one, write its row and its traits. */
export interface ClaudeVariant {
  readonly name: DialectName;
  readonly events: Readonly<Record<string, ClaudeEvent>>;
  /** Events without a place in the lifecycle: what they would have done, as the end of a sentence. */
  readonly unsupported: Readonly<Record<string, string>>;
  readonly types: readonly HandlerType[];
  readonly keys: readonly OwnKey[];
  /** A file may be the map of events itself. */
  readonly takesBareEvents?: true;
  readonly timeouts: Timeouts;
  /** A matcher that is no exact name is an expression even where it looks like a list of names. */
  readonly searchesNames?: boolean;
  /** The matchers that are lists of exact names. Default: letters, digits, `_`, `-` and blanks, between `|` and `,`. */
  readonly list?: { readonly isList: RegExp; readonly isName: RegExp; readonly separator: string };
  /** On events without a tool a matcher is one word, and never an expression. */
  readonly comparesWords?: boolean;
  /** All names of a tool, with its own. Default: its own alone. */
  listNames?(toolName: string): readonly string[];
  /** The words of `decision` at the top of an answer. */
  readonly decisions: readonly [string, ...string[]];
  /** Picks the output that is the answer. Default: standard output. */
  pickOutput?(given: HandlerAnswer): HandlerAnswer;
  /** Reads an answer in a way of its own; then nothing of what is said of answers here counts. */
  readAnswer?(given: HandlerAnswer, event: ClaudeEvent, eventName: string): EntryAnswer;
  /** Why the program takes a whole answer in JSON for none. */
  findFault?(
    eventName: string,
    value: Readonly<Record<string, unknown>>,
    occasion: Occasion,
  ): Fault | undefined;
  /** The first line of its output can send a command into the background. */
  readonly sendsAway?: boolean;
  /** Exit code 2 without a word on standard error blocks nothing. */
  readonly blocksWithWords?: true;
  /** What the program tells otherwise than Claude Code. */
  writePayload?(payload: JsonObject, occasion: Occasion): JsonObject;
  /** The variables that a command has here. Default: those of Claude Code, which are reported one by one. */
  readonly given?: GivenVariables;
  /** The program puts its variables into the text of a command, wherever they stand in it, before a shell sees it. */
  readonly fillsVariables?: true;
  /** Variables besides those that hold folders. */
  listVariables?(occasion: Occasion): Readonly<Record<string, string>>;
  /** Why a file's hooks are off, and which of them. */
  readSwitches?(content: JsonObject): Switches;
  /** Keys between the events that are none. */
  readonly keysInHooks?: readonly string[];
}

/** Whether files of this program may have a key. */
export function hasKey({ keys }: ClaudeVariant, key: OwnKey): boolean {
  return keys.includes(key);
}
