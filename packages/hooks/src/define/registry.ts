import { DefinitionError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { checkOptionNames } from '../option-names.ts';
import { nameSortOfValue } from '../shapes/record.ts';
import { type AnyHook, isHook } from './define.ts';
import { findHookPlace } from './places.ts';
import { type ChainMember, emptyScope, type Scope, scopeOf } from './scope.ts';

/** The part of a prompt or an agent that decides which hooks apply. */
export interface ScopeOwner {
  readonly name: string;
  /** Ids of hooks. An empty list means no hooks; no list means no opinion. */
  readonly hooks?: readonly string[];
}

export interface ScopeRequest {
  readonly prompt?: ScopeOwner | undefined;
  readonly agent?: ScopeOwner | undefined;
}

export interface RegistryOptions<H extends readonly AnyHook[] = readonly AnyHook[]> {
  /** Hooks that run where a prompt or an agent names them. */
  readonly hooks?: H;
  /** Hooks that run everywhere, before the scoped ones. No prompt can turn them off. */
  readonly policies?: readonly AnyHook[];
}

export interface Registry {
  /** Every hook that a prompt or an agent can name, by id. */
  readonly hooks: ReadonlyMap<string, AnyHook>;
  readonly policies: readonly AnyHook[];
  /**
   * The chains for a prompt and an agent: `prompt.hooks ?? agent.hooks ?? []`, behind the policies.
   *
   * @throws {DefinitionError} `unknown_id` if the list names an unregistered hook; `duplicate_id` if it names one twice;
   * `bad_definition` if it is not a list of ids.
   */
  scope(request?: ScopeRequest): Scope;
  /**
   * Replaces all hooks, or none if the new set has an error. Chains that are already running keep their hooks.
   *
   * @throws {DefinitionError} as {@link createRegistry}.
   */
  swap(options: RegistryOptions): void;
}

/**
 * Creates a registry: finds hooks by id and tells which of them apply to a prompt and an agent.
 *
 * @throws {DefinitionError} `bad_hook` for a value that `defineHook` did not make, `duplicate_id` for two hooks with one id.
 */
export function createRegistry(options: RegistryOptions = {}): Registry {
  let current = indexHooks(options);
  return {
    get hooks() {
      return current.hooks;
    },
    get policies() {
      return current.policies;
    },
    scope: (request = {}) => resolveScope(current, request),
    swap(next) {
      current = indexHooks({ ...current.given, ...next });
    },
  };
}

interface Index {
  readonly given: RegistryOptions;
  readonly hooks: ReadonlyMap<string, AnyHook>;
  readonly policies: readonly AnyHook[];
  readonly scopes: Map<string, Scope>;
}

function nameHook(hook: AnyHook): string {
  const place = findHookPlace(hook);
  return place === undefined ? hook.hook : `${hook.hook} at ${place}`;
}

function indexHooks(given: RegistryOptions): Index {
  checkOptionNames('createRegistry', given, { hooks: true, policies: true });
  const { hooks = [], policies = [] } = given;
  const byId = new Map<string, AnyHook>();
  for (const hook of new Set([...hooks, ...policies])) {
    if (!isHook(hook)) {
      throw new DefinitionError(
        'bad_hook',
        `A registered hook must be made by defineHook; got ${describe(hook)}. ${Array.isArray(hook) ? 'Spread a list of hooks: "...redact()".' : 'Write defineHook({ hook, id, execute }).'}`,
      );
    }
    const twin = byId.get(hook.id);
    if (twin !== undefined) {
      throw new DefinitionError(
        'duplicate_id',
        `Two hooks have the id "${hook.id}" (${nameHook(twin)} and ${nameHook(hook)}). Ids are unique among all hooks: rename one.`,
      );
    }
    byId.set(hook.id, hook);
  }
  return {
    given: { hooks: [...hooks], policies: [...policies] },
    hooks: byId,
    policies: [...new Set(policies)],
    scopes: new Map(),
  };
}

function resolveScope(index: Index, request: ScopeRequest): Scope {
  const named = namedIds(request);
  if (named === undefined && index.policies.length === 0) return emptyScope;
  const key = JSON.stringify(named ?? null);
  const known = index.scopes.get(key);
  if (known !== undefined) return known;
  const policies = index.policies.map((hook) => makeMember(hook, 'policy'));
  const scope = scopeOf(policies, named === undefined ? [] : namedMembers(index, named));
  index.scopes.set(key, scope);
  return scope;
}

/** The hooks that a prompt or an agent names. */
interface NamedIds {
  readonly source: string;
  readonly ids: readonly string[];
}

/** `prompt.hooks ?? agent.hooks` (specification §1.3): an empty list counts, an absent one does not. */
function namedIds({ prompt, agent }: ScopeRequest): NamedIds | undefined {
  const ids = prompt?.hooks ?? agent?.hooks;
  if (ids === undefined || ids === null) return undefined;
  const source = ids === prompt?.hooks ? `prompt:${prompt.name}` : `agent:${agent?.name}`;
  if (Array.isArray(ids) && ids.every((id) => typeof id === 'string')) return { source, ids };
  throw new DefinitionError(
    'bad_definition',
    `The hooks of ${source} must be a list of ids, such as ["redact_cards"].`,
  );
}

/** A hook with the policy, prompt or agent that named it, and with its place in the source if known. */
function makeMember(hook: AnyHook, source: string): ChainMember {
  const position = findHookPlace(hook);
  return { hook, source: position === undefined ? source : `${source} (${position})` };
}

/** A policy that a prompt or an agent also names runs only once, as the policy. */
function namedMembers(index: Index, { source, ids }: NamedIds): ChainMember[] {
  const members = ids.map((id) => makeMember(hookById(index, id, source), source));
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined)
    throw new DefinitionError('duplicate_id', `${source} names the hook "${twice}" twice: name it once.`);
  return members.filter(({ hook }) => !index.policies.includes(hook));
}

function hookById({ hooks }: Index, id: string, source: string): AnyHook {
  const hook = hooks.get(id);
  if (hook !== undefined) return hook;
  const meant = nearest(id, hooks.keys());
  const hint =
    meant === undefined
      ? `Registered are: ${[...hooks.keys()].join(', ') || 'none'}.`
      : `Did you mean "${meant}"?`;
  throw new DefinitionError(
    'unknown_id',
    `${source} names the hook "${id}", which nobody registered. ${hint}`,
  );
}

function describe(value: unknown): string {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined;
  return typeof id === 'string' ? `an object with the id "${id}"` : nameSortOfValue(value);
}
