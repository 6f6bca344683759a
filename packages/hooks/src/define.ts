import type { IsStringLiteral } from 'type-fest';
import { type Duration, durationInMs } from './duration.ts';
import { DefinitionError } from './errors.ts';
import type { HookKind, LifecycleName, LifecycleSignatures, RecordHookName, ToolHookName } from './lifecycle.ts';
import { type CompiledMatcher, compileMatcher, type Matcher } from './match/matcher.ts';
import { nearest } from './nearest.ts';
import type { HookName, HookSignatures } from './signatures.ts';
import type { StandardSchema } from './standard-schema.ts';
import { isLifecycleName, lifecycleTable, rowOf } from './table.ts';

/** Options for defining a hook with explicit ID (specification §7). {@link HookOptions} has what we add. */
export interface HookDefinitionOptions<K extends HookName> {
  /** The hook type (e.g., 'filter_messages', 'before_create_message') */
  hook: K;
  /** Unique identifier for this hook implementation (snake_case) */
  id: string;
  /** The hook implementation function (typed per hook type) */
  execute: HookSignatures[K];
}

/** Return type from defineHook (specification §7). {@link Hook} has what we add. */
export interface HookDefinitionResult<K extends HookName> {
  hook: K;
  id: string;
  execute: HookSignatures[K];
}

/** What a failure may do, by the hook's kind: an observer cannot block, and only a decision can become a question. */
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
  readonly hook: K;
  /** Unique among all hooks of a runtime, snake_case. */
  readonly id: Id;
  readonly execute: LifecycleSignatures[K];
  /** Default: as the hook's row in the lifecycle table says. */
  readonly onError?: FailurePolicy<K>;
  /** Default: as `onError`. */
  readonly onTimeout?: FailurePolicy<K>;
  /** Higher runs first; default 0. Equal ones run as they are given. */
  readonly priority?: number;
  /** Checked on the subject before `execute`; a subject that does not pass counts as a failure, `invalid_input`. */
  readonly schema?: StandardSchema;
  /** The fields it may change; any other change is refused as `invalid_result`. */
  readonly changes?: K extends RecordHookName ? readonly string[] : never;
  /** Lets the runtime load no more of the history than this hook reads. */
  readonly reads?: K extends 'filter_messages' ? Reads : never;
}

/** What {@link defineHook} takes (design §5). */
export interface HookOptions<K extends LifecycleName, Id extends string = string> extends HookCore<K, Id> {
  /** Milliseconds, or a number with its unit such as `'2s'`. Default: the runtime's, 5 s. */
  readonly timeout?: Duration;
  /** Which tool calls it is for (design §8.2). Compiled once. */
  readonly match?: K extends ToolHookName ? Matcher : never;
}

const defined: unique symbol = Symbol.for('@spec/hooks/defined') as never;

/** A hook as {@link defineHook} returns it: checked, with its timeout in milliseconds and its matcher compiled. Frozen. */
export interface Hook<K extends LifecycleName = LifecycleName, Id extends string = string> extends HookCore<K, Id> {
  /** Milliseconds. */
  readonly timeout?: number;
  readonly matcher?: CompiledMatcher;
  readonly [defined]: true;
}

/** A hook of any name. */
export type AnyHook = { [K in LifecycleName]: Hook<K> }[LifecycleName];

/** `unknown` for an id that is snake_case as far as the compiler can see, else a message that no string fits. */
type SnakeCaseId<Id extends string> =
  IsStringLiteral<Id> extends false
    ? unknown
    : Id extends Lowercase<Id>
      ? Id extends `${string}${'-' | ' ' | '.'}${string}`
        ? { id: `a hook id must be snake_case: ${Id}` }
        : unknown
      : { id: `a hook id must be snake_case: ${Id}` };

/**
 * Defines a hook (specification §1.2, design §5).
 *
 * @example defineHook({ hook: 'filter_messages', id: 'last_20', execute: async (state, messages) => messages.slice(-20) })
 * @throws {DefinitionError} `bad_hook` or `bad_matcher`, naming the id and the rule it breaks.
 */
export function defineHook<K extends LifecycleName, const Id extends string = string>(
  options: HookOptions<K, Id> & SnakeCaseId<Id>,
): Hook<K, Id> {
  refuseUnless(typeof options === 'object' && options !== null, 'A hook is defined by an object { hook, id, execute }.');
  const { match, timeout, ...core } = options as HookOptions<K, Id>;
  checkCore(core);
  checkPolicies(core);
  checkReach({ ...core, match });
  return Object.freeze({
    ...core,
    ...(timeout === undefined ? {} : { timeout: timeoutInMs(core.id, timeout) }),
    ...(match === undefined ? {} : { matcher: matcherOf(core.id, match) }),
    [defined]: true as const,
  });
}

/** Whether a value came from {@link defineHook}, of this or another copy of this package. */
export function isHook(value: unknown): value is AnyHook {
  return typeof value === 'object' && value !== null && (value as Partial<AnyHook>)[defined] === true;
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

type LooseCore = Partial<Record<keyof HookCore<LifecycleName, string> | 'match', unknown>>;

function checkCore({ hook, id, execute }: LooseCore): void {
  refuseUnless(typeof id === 'string', `The id of a hook must be a string in snake_case, such as "limit_messages"; got ${typeof id}.`);
  refuseUnless(SNAKE_CASE.test(id as string), `Hook id must be snake_case, such as "limit_to_20_messages": "${id}".`);
  if (!isLifecycleName(hook)) {
    const hint = nearest(String(hook), Object.keys(lifecycleTable));
    throw badHook(id, `there is no hook named "${String(hook)}".${hint === undefined ? '' : ` Did you mean "${hint}"?`}`);
  }
  if (typeof execute !== 'function') throw badHook(id, `execute must be a function, got ${typeof execute}.`);
}

const failureWords: Record<string, readonly unknown[]> = {
  observe: ['continue'],
  replace: ['block', 'continue'],
  transform: ['block', 'continue'],
  collect: ['block', 'continue'],
  decide: ['block', 'continue', 'ask'],
};

function checkPolicies(core: LooseCore): void {
  const { kind } = rowOf(core.hook as LifecycleName);
  const words = failureWords[kind] as readonly unknown[];
  for (const option of ['onError', 'onTimeout'] as const) {
    const policy = core[option];
    if (policy === undefined || words.includes(policy)) continue;
    throw badHook(core.id, `${option} must be ${orList(words)} on ${core.hook}, a hook of kind ${kind}; got "${String(policy)}".`);
  }
  if (core.priority !== undefined && !Number.isFinite(core.priority)) {
    throw badHook(core.id, 'priority must be a finite number; hooks with a higher one run first.');
  }
  const schema = core.schema as StandardSchema | undefined;
  if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function') {
    throw badHook(core.id, 'schema must be a Standard Schema, such as a Zod, Valibot or ArkType schema.');
  }
}

function checkReach({ hook, id, changes, reads, match }: LooseCore): void {
  const row = rowOf(hook as LifecycleName);
  if (match !== undefined && row.toolCall === undefined) {
    throw badHook(id, `match is for hooks on tool calls, and ${hook} is none. Test the argument inside execute instead.`);
  }
  if (changes !== undefined && (!isListOfStrings(changes) || !returnsRecord(hook as LifecycleName))) {
    throw badHook(id, `changes must be a list of field names, on a hook that returns a record; ${hook} got something else or returns none.`);
  }
  const last = (reads as Reads | undefined)?.last;
  if (reads !== undefined && (hook !== 'filter_messages' || !Number.isSafeInteger(last) || (last as number) < 1)) {
    throw badHook(id, 'reads must be { last: n } with a whole number n of at least 1, on filter_messages.');
  }
}

function returnsRecord(hook: LifecycleName): boolean {
  const { kind, args } = rowOf(hook);
  return (kind === 'transform' || kind === 'replace') && args.at(-1)?.fields === true;
}

function timeoutInMs(id: string, timeout: unknown): number {
  const ms = durationInMs(timeout);
  if (ms !== undefined) return ms;
  throw badHook(id, `timeout must be between 1 ms and 24 days, in milliseconds or with a unit such as "2s"; got ${String(timeout)}.`);
}

function matcherOf(id: string, match: Matcher): CompiledMatcher {
  try {
    return compileMatcher(match);
  } catch (error) {
    throw error instanceof DefinitionError ? new DefinitionError(error.code, `Hook "${id}": ${error.message}`) : error;
  }
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function orList(words: readonly unknown[]): string {
  return words.map((word) => `"${word}"`).join(' or ');
}

function badHook(id: unknown, rule: string): DefinitionError {
  return new DefinitionError('bad_hook', `Hook "${String(id)}": ${rule}`);
}

function refuseUnless(holds: boolean, message: string): asserts holds {
  if (!holds) throw new DefinitionError('bad_hook', message);
}
