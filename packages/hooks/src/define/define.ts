// Define: makes hooks, registers them and finds those in scope. Users and the executor call it; it never runs a hook.

import type { IsStringLiteral, SnakeCase } from 'type-fest';
import { type Duration, durationInMs } from '../duration.ts';
import { DefinitionError } from '../errors.ts';
import type { EventName, hooksOfEventNames } from '../lifecycle/event-names.ts';
import { type CompiledMatcher, compileMatcher, type Matcher } from '../match/matcher.ts';
import { ownOptions } from '../option-names.ts';
import type { StandardSchema } from '../standard-schema.ts';
import type { AuthorSignatures } from '../vocabulary/author.ts';
import type { ConcealDecision, RestoreToolCall } from '../vocabulary/control.ts';
import type {
  HookKind,
  LifecycleName,
  LifecycleSignatures,
  RecordHookName,
  ToolHookName,
} from '../vocabulary/lifecycle.ts';
import type { HookName, HookSignatures } from '../vocabulary/signatures.ts';
import { checkHook, optionNames } from './check.ts';

/** Options for defining a hook with explicit ID. {@link HookOptions} has what we add. */
export interface HookDefinitionOptions<K extends HookName> {
  /** The hook type (e.g., 'filter_messages', 'before_create_message') */
  hook: K;
  /** Unique identifier for this hook implementation (snake_case) */
  id: string;
  /** The hook implementation function (typed per hook type) */
  execute: HookSignatures[K];
}

/** Return type from defineHook. {@link Hook} has what we add. */
export interface HookDefinitionResult<K extends HookName> {
  /** Where the hook runs, such as `filter_messages`. */
  hook: K;
  /** The name by which prompts, agents and records call the hook. */
  id: string;
  /** The function to run. */
  execute: HookSignatures[K];
}

/** The failure policies that a kind of hook may choose: observers cannot block, and only decide hooks can ask. */
export type FailurePolicy<K extends LifecycleName> = {
  observe: 'continue';
  replace: 'block' | 'continue';
  transform: 'block' | 'continue';
  collect: 'block' | 'continue';
  decide: 'block' | 'continue' | 'ask';
}[HookKind<K>];

/** How much of the history a `filter_messages` hook looks at: the newest `last` messages. */
export interface Reads {
  readonly last: number;
}

interface HookCore<K extends LifecycleName, Id extends string> {
  /** Where the hook runs, such as `filter_messages`. */
  readonly hook: K;
  /** Unique among all hooks of a runtime, snake_case. */
  readonly id: Id;
  /**
   * What happens when the hook fails: `block` keeps back what it guards, `continue` goes on with what there was before it. The default
   * depends on `hook`: `block` where an unchecked value would be stored, sent or run.
   */
  readonly onError?: FailurePolicy<K>;
  /** What happens when the hook times out. Default: the same as `onError`. */
  readonly onTimeout?: FailurePolicy<K>;
  /** Hooks with a higher priority run first. Default 0. Hooks of equal priority run in the given order. */
  readonly priority?: number;
  /** Validates the subject before `execute`. A subject that does not pass is a failure, `invalid_input`. */
  readonly schema?: StandardSchema;
  /** The fields that the hook may change. A change to any other field is refused with `invalid_result`. */
  readonly changes?: K extends RecordHookName ? readonly string[] : never;
  /** Lets the runtime load no more of the history than this hook reads. */
  readonly reads?: K extends 'filter_messages' ? Reads : never;
  /**
   * Puts hidden values back into a call, for its tool and for those who decide on it. It has the same `match`, timeout
   * and failure policy as `execute`.
   */
  readonly restore?: K extends 'before_tool_call' ? RestoreToolCall : never;
  /** Removes from the answers of hooks the values that `restore` put back. A hook has both functions or neither. */
  readonly conceal?: K extends 'before_tool_call' ? ConcealDecision : never;
  /**
   * Lets an answer's text leave while the model writes, so many characters behind it: as many as the longest text that `stream` changes,
   * with what decides on it on both sides. A hook has both or neither.
   */
  readonly holdBack?: K extends 'before_create_message' ? number : never;
  /**
   * What `execute` would make of a text, as far as the text alone says: the text so far, or the end of it, with its changes. Text leaves
   * up to the first change, and the rest once `execute` has seen all of it. What the text may still become must count as changed: leave
   * it off. A pure function, called again and again while the text grows.
   */
  readonly stream?: K extends 'before_create_message' ? StreamText : never;
  /**
   * The names of the values that the hook keeps with a thread (`state.setValue`); one that ends with `*` stands for all that begin so. While
   * the hook is in effect, no tool may set them: a model that chooses the names in one could take from a guard what it remembers.
   */
  readonly keeps?: Keeps;
}

/** The names of values, or how they begin: `notes/*`. */
export type Keeps = string | readonly string[];

/** A text as a hook would change it. */
export type StreamText = (text: string) => string;

/** The options of {@link defineHook}. */
export interface HookOptions<K extends LifecycleName, Id extends string = string> extends HookCore<K, Id> {
  /** The function to run. It receives the thread state, then the arguments of the hook name. */
  readonly execute: AuthorSignatures[K];
  /** Milliseconds, or a number with its unit such as `'2s'`. Default: the runtime's, 5 s. */
  readonly timeout?: Duration;
  /** The tool calls that the hook runs for. Compiled once. Default: all calls. */
  readonly match?: K extends ToolHookName ? Matcher : never;
}

const defined: unique symbol = Symbol.for('@spec/hooks/defined');

/** A hook as {@link defineHook} returns it: checked, with its timeout in milliseconds and its matcher compiled. Frozen. */
export interface Hook<K extends LifecycleName = LifecycleName, Id extends string = string>
  extends HookCore<K, Id> {
  readonly keeps?: readonly string[];
  /** The function to run. It receives the thread state, then the arguments of the hook name. */
  readonly execute: LifecycleSignatures[K];
  /** In milliseconds. */
  readonly timeout?: number;
  /** The compiled `match`; without it, the hook runs for all calls. */
  readonly matcher?: CompiledMatcher;
  readonly [defined]: true;
}

/** A hook of any name. */
export type AnyHook = { [K in LifecycleName]: Hook<K> }[LifecycleName];

type LowerLetter =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z';
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

/** Whether a literal is one or more words of lower-case letters and digits, joined by single underscores. */
type IsSnakeCase<Text extends string, Before extends 'start' | 'word' | 'joint' = 'start'> = Text extends ''
  ? Before extends 'word'
    ? true
    : false
  : Text extends `${LowerLetter}${infer Rest}`
    ? IsSnakeCase<Rest, 'word'>
    : Text extends `${Digit}${infer Rest}`
      ? Before extends 'start'
        ? false
        : IsSnakeCase<Rest, 'word'>
      : Text extends `_${infer Rest}`
        ? Before extends 'word'
          ? IsSnakeCase<Rest, 'joint'>
          : false
        : false;

/** The options of any hook. The `hook` name in them gives the compiler the types of `execute`. */
type AnyHookOptions = { [K in LifecycleName]: HookOptions<K> }[LifecycleName];

/** `unknown`, or for an id that the compiler knows is not snake_case a type that no string fits, named after the rule. */
type SnakeCaseId<Id extends string> =
  IsStringLiteral<Id> extends false
    ? unknown
    : IsSnakeCase<Id> extends true
      ? unknown
      : {
          readonly id: { readonly [Rule in `a hook id must be snake_case, such as ${SnakeCase<Id>}`]: true };
        };

/** The hook of this name, else the one that an event of this name is, else any. */
type MeantHook<Name extends string> = Name extends LifecycleName
  ? Name
  : Name extends EventName
    ? (typeof hooksOfEventNames)[Name]
    : LifecycleName;

/** The hook type that the options define, or any hook if the compiler cannot tell. */
type DefinedHook<Options extends AnyHookOptions> = [Options] extends [never]
  ? Hook
  : Hook<Options['hook'], Options['id']>;

/** Makes unknown options a compile error. */
type NoOthers<Options> = {
  readonly [Name in Exclude<keyof Options, keyof HookOptions<LifecycleName>>]: never;
};

/**
 * Defines a hook.
 *
 * @example defineHook({ hook: 'filter_messages', id: 'no_system_messages', execute: async (state, messages) => messages.filter(({ role }) => role !== 'system') })
 * @throws {DefinitionError} `bad_hook` or `bad_matcher`, naming the id and the rule it breaks.
 */
export function defineHook<const Options extends AnyHookOptions>(
  options: Options & SnakeCaseId<Options['id']> & NoOthers<Options>,
): DefinedHook<Options>;
/** Defines a hook as the specification types it, also if the hook's name is a type parameter. */
export function defineHook<K extends HookName, const Id extends string = string>(
  options: HookDefinitionOptions<K> & { readonly id: Id } & SnakeCaseId<Id>,
): Hook<K, Id>;
/** Defines a hook whose name is a type argument. */
export function defineHook<K extends LifecycleName, const Id extends string = string>(
  options: HookOptions<K, Id> & SnakeCaseId<Id>,
): Hook<K, Id>;
/**
 * The same for a name as it is written. This overload comes last because the compiler explains a mismatch by the last one: of `PreToolUse`
 * it says that it is not `before_tool_call`.
 */
export function defineHook<const Name extends string, const Id extends string = string>(
  options: HookOptions<MeantHook<Name>, Id> & SnakeCaseId<Id>,
): Hook<MeantHook<Name>, Id>;
export function defineHook<K extends LifecycleName, const Id extends string = string>(
  options: HookOptions<K, Id>,
): Hook<K, Id> {
  checkHook(options);
  const { match, timeout, changes, reads, keeps, ...core } = ownOptions(options, optionNames);
  const hook = {
    ...core,
    ...(timeout === undefined ? {} : { timeout: durationInMs(timeout) as number }),
    ...(match === undefined ? {} : { matcher: compileFor(core.id, match) }),
    ...(changes === undefined ? {} : { changes: Object.freeze([...changes]) }),
    ...(reads === undefined ? {} : { reads: Object.freeze({ last: reads.last }) }),
    ...(keeps === undefined ? {} : { keeps: Object.freeze([keeps].flat()) }),
  };
  // Not enumerable: a spread copy with changed fields has not been checked, so it must not count as a hook.
  return Object.freeze(Object.defineProperty(hook, defined, { value: true })) as unknown as Hook<K, Id>;
}

/** Whether a value was made by {@link defineHook}, in this or in another copy of the package. */
export function isHook(value: unknown): value is AnyHook {
  return typeof value === 'object' && value !== null && (value as Partial<AnyHook>)[defined] === true;
}

function compileFor(id: string, match: Matcher): CompiledMatcher {
  try {
    return compileMatcher(match);
  } catch (error) {
    throw error instanceof DefinitionError
      ? new DefinitionError(error.code, `Hook "${id}": ${error.message}`)
      : error;
  }
}
