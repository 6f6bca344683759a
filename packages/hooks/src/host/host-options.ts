import type { AnyHook } from '../define/define.ts';
import type { ScopeOwner, ScopeRequest } from '../define/registry.ts';
import { describeSort } from '../describe-given.ts';
import type { Duration } from '../duration.ts';
import { DefinitionError } from '../errors.ts';
import type { Clock } from '../executor/clock.ts';
import type { ExecutorOptions } from '../executor/executor.ts';
import type { MatchEnvironment } from '../match/matcher.ts';
import type { OptionNames } from '../option-names.ts';
import { isRecord, isThenable } from '../values.ts';
import type { Honours } from './honours.ts';
import type { AskPerson } from './person.ts';
import type { ThreadStore } from './thread-store.ts';

export interface HostOptions {
  /** What the place is called in messages and records, such as `@spec/ai-sdk`. */
  readonly name: string;
  /** What the place can do for the hooks of each name. */
  readonly honours: Honours;
  /** Those that the list of `prompt`, else of `agent`, names; all of them, in this order, where neither has a list. */
  readonly hooks?: readonly AnyHook[];
  /** Run always, before the others. */
  readonly policies?: readonly AnyHook[];
  readonly prompt?: ScopeOwner;
  readonly agent?: ScopeOwner;
  /** The ids of hooks that may run in part, or never. Any other hook that the place does not run whole is refused. */
  readonly allowPartial?: readonly string[];
  /** For hooks that name none. Default 5 s. */
  readonly timeout?: Duration;
  /** Told of every run of a hook: for a ledger, a log or spans. Must not throw. */
  readonly onRun?: NonNullable<ExecutorOptions['onRun']>;
  /** Told of every write by a hook that had ended. Must not throw. */
  readonly onLateWrite?: NonNullable<ExecutorOptions['onLateWrite']>;
  /** Keeps the messages of the place's threads, as their chains made them, what hooks keep with them, and their runs. Whoever gives it closes it. */
  readonly store?: ThreadStore;
  /** Asks a person. Without it, what hooks ask about is denied. */
  readonly onAsk?: AskPerson;
  /** How matchers resolve paths. */
  readonly environment?: MatchEnvironment;
  readonly clock?: Clock;
}

/** What a bridge hands on to the host as it was given. `AcceptedHooks` has the types of the hooks. */
export type BridgeOptions = Omit<
  HostOptions,
  'name' | 'honours' | 'hooks' | 'policies' | 'allowPartial' | 'store'
>;

/** The names of all options that a bridge hands on to the host, hooks and store with them. */
export const bridgeOptionNames: OptionNames<Omit<HostOptions, 'name' | 'honours'>> = {
  ...{ hooks: true, policies: true, prompt: true, agent: true, allowPartial: true, timeout: true },
  ...{ onRun: true, onLateWrite: true, store: true, onAsk: true, environment: true, clock: true },
};

/**
 * Refuses what would be taken for none at all, such as a guard in something that is no list, and what would fail in the middle of a turn.
 *
 * @throws {DefinitionError} `bad_option`, naming the option
 */
export function checkHostOptions(options: HostOptions): void {
  const given = options as { readonly [Name in keyof HostOptions]?: unknown };
  if (typeof given.name !== 'string' || given.name === '')
    throw new DefinitionError('bad_option', 'createHost: name must say what the place is called.');
  const place = given.name; // Whoever uses a bridge has never called createHost.
  const bad = (problem: string): DefinitionError => new DefinitionError('bad_option', `${place}: ${problem}`);
  for (const name of ['hooks', 'policies'] as const)
    if (given[name] !== undefined && !Array.isArray(given[name]))
      throw bad(
        `${name} must be a list, such as [defineHook({ hook, id, execute })]; got ${describeSort(given[name])}.`,
      );
  if (given.allowPartial !== undefined) checkNames(place, { allowPartial: given.allowPartial });
  for (const name of ['onAsk', 'onRun', 'onLateWrite'] as const)
    if (given[name] !== undefined && typeof given[name] !== 'function')
      throw bad(`${name} must be a function; got ${describeSort(given[name])}.`);
  for (const name of ['prompt', 'agent'] as const)
    if (given[name] !== undefined && !(isRecord(given[name]) && typeof given[name].name === 'string'))
      throw bad(`${name} must be an object with a name; got ${describeSort(given[name])}.`);
  if (given.environment !== undefined && !isRecord(given.environment))
    throw bad(`environment must be an object; got ${describeSort(given.environment)}.`);
  const { store } = given;
  if (isThenable(store)) throw bad('store must be a store, and is a promise: await it first.');
  if (store !== undefined && typeof (store as { append?: unknown } | null)?.append !== 'function')
    throw bad('store must be a store, such as memoryStore() or sqliteStore({ path }) of @spec/runtime.');
}

/**
 * Refuses names that are no list of texts: a text has every part of it "in" it.
 *
 * @param where the function that was called, such as `createHooks`
 * @throws {DefinitionError} `bad_option`, naming the option
 */
export function checkNames(where: string, lists: Readonly<Record<string, unknown>>): void {
  for (const [option, given] of Object.entries(lists)) {
    if (Array.isArray(given) && given.every((name) => typeof name === 'string')) continue;
    throw new DefinitionError(
      'bad_option',
      `${where}: ${option} must be a list of names, such as ["search"]; got ${describeSort(given)}.`,
    );
  }
}

/** Whose hooks run: those of the list that the prompt or the agent has; all of them where neither has one. */
export function chooseOwners({
  name,
  hooks = [],
  prompt,
  agent,
}: Pick<HostOptions, 'name' | 'hooks' | 'prompt' | 'agent'>): ScopeRequest {
  if ((prompt?.hooks ?? agent?.hooks ?? undefined) !== undefined) return { prompt, agent };
  const everything: ScopeOwner = { name: agent?.name ?? name, hooks: hooks.map(({ id }: AnyHook) => id) };
  return { agent: everything };
}
