import type { AnyHook, Hook } from '../define/define.ts';
import { findWhyRuntimeOnly } from '../define/runtime-only.ts';
import type { ChainMember, Scope } from '../define/scope.ts';
import { DefinitionError } from '../errors.ts';
import { isLifecycleName, lifecycleTable } from '../lifecycle/table.ts';
import type { LifecycleName } from '../vocabulary/lifecycle.ts';
import type { ThreadStore } from './thread-store.ts';

/**
 * What a place can do for the hooks of one name. The texts say what is missing and why.
 * - `whole`: they run as documented.
 * - `stricter`: they run, and where the place cannot do what they answer, it denies. Nothing passes that would not pass elsewhere.
 * - `partly`: they run, and some of what they answer counts for nothing, or they are not told of everything.
 * - `no`: they never run.
 */
export type Honour =
  | 'whole'
  | { readonly stricter: string }
  | { readonly partly: string }
  | { readonly no: string };

/** What a place can do for the hooks of each name. A name that is not there never runs: nobody has looked at it in that place. */
export type Honours = { readonly [K in LifecycleName]?: Honour };

/** The names of the hooks that a place runs, wholly or partly. */
export type Honoured<Table extends Honours> = {
  [K in LifecycleName]: Table[K] extends { readonly no: string } ? never : K;
}[LifecycleName];

/** The hooks that a place runs: a hook that it would never run does not compile. */
export type HonouredHook<Table extends Honours> = { [K in Honoured<Table>]: Hook<K> }[Honoured<Table>];

/** A table whose type says which hooks never run, and which run in part. */
export type HonourTable<Never extends LifecycleName, Partly extends LifecycleName> = {
  readonly [K in Never]: Extract<Honour, { no: string }>;
} & { readonly [K in Partly]: Extract<Honour, { partly: string }> } & {
  readonly [K in Exclude<LifecycleName, Never | Partly>]: 'whole' | Extract<Honour, { stricter: string }>;
};

/** The hooks that a place runs as they are documented. */
export type WholeHook<Table extends Honours> = {
  [K in LifecycleName]: Table[K] extends { readonly no: string } | { readonly partly: string }
    ? never
    : Hook<K>;
}[LifecycleName];

/**
 * The hooks that a place is created with, by its tables without and with a store. A hook that it does not run whole does not compile, unless
 * `allowPartial` names those that may run in part, or never.
 */
export type AcceptedHooks<Table extends Honours, WithStore extends Honours = Table> =
  | (GivenHooks<WholeHook<Table>> & { readonly allowPartial?: undefined; readonly store?: undefined })
  | (GivenHooks<WholeHook<WithStore>> & { readonly allowPartial?: undefined; readonly store: ThreadStore })
  | (GivenHooks<AnyHook> & { readonly allowPartial: readonly string[]; readonly store?: ThreadStore });

interface GivenHooks<H> {
  /** Run in this order. */
  readonly hooks?: readonly H[];
  /** Run always, before the others. */
  readonly policies?: readonly H[];
}

/** The table of a place that runs the hooks of these names as they are documented, and no others. */
export function honourOnly<const Names extends LifecycleName>(
  names: readonly Names[],
  why: string,
): { readonly [K in LifecycleName]: K extends Names ? 'whole' : { readonly no: string } } {
  const known: readonly string[] = names;
  const rows = Object.keys(lifecycleTable).map((name) => [
    name,
    known.includes(name) ? 'whole' : { no: why },
  ]);
  return Object.fromEntries(rows);
}

/**
 * Refuses hooks that a place does not run as they are documented, unless `allowPartial` names them.
 *
 * @throws {DefinitionError} `bad_hook` with all of them and the reason of each; `unknown_id` where `allowPartial` names another
 */
export function checkHonoured(
  place: string,
  honours: Honours,
  { hooks, allowPartial }: { readonly hooks: readonly AnyHook[]; readonly allowPartial: readonly string[] },
): void {
  const ids = new Set(hooks.map(({ id }) => id));
  const unknown = allowPartial.find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw new DefinitionError(
      'unknown_id',
      `${place}: allowPartial names the hook "${unknown}", which is not among the hooks. There are: ${[...ids].join(', ') || 'none'}.`,
    );
  const refused = hooks.filter(
    (hook) => isShort(findHonourFor(honours, hook)) && !allowPartial.includes(hook.id),
  );
  if (refused.length === 0) return;
  const lines = refused.map(
    (hook) => `\n  ${hook.id} (${hook.hook}) ${describeHonour(findHonourFor(honours, hook))}`,
  );
  const them = refused.map(({ id }) => `"${id}"`).join(', ');
  throw new DefinitionError(
    'bad_hook',
    `${place} does not run ${refused.length === 1 ? 'this hook' : 'these hooks'} as documented:${lines.join('')}\nLeave them out, or accept it hook by hook: allowPartial: [${them}].`,
  );
}

/** A hook may say of itself that it is of no use in any such place. */
function findHonourFor(honours: Honours, hook: AnyHook): Honour {
  const why = findWhyRuntimeOnly(hook);
  return why === undefined ? findHonour(honours, hook.hook) : { no: why };
}

/** Whether a hook could rely on something that the place does not do. */
function isShort(honour: Honour): boolean {
  return honour !== 'whole' && !('stricter' in honour);
}

/** What a place does with the hooks of a name. */
export function findHonour(honours: Honours, name: LifecycleName): Honour {
  return honours[name] ?? { no: 'it is newer than what is known of this place.' };
}

/** What a place does with the hooks of a name, in words. */
export function describeHonour(honour: Honour): string {
  if (honour === 'whole') return 'runs.';
  if ('stricter' in honour) return `runs, and denies more: ${honour.stricter}`;
  return 'partly' in honour ? `runs in part: ${honour.partly}` : `never runs: ${honour.no}`;
}

/** The scope without the hooks that the place never calls, so that nothing takes them for hooks in effect. */
export function dropUnhonoured(scope: Scope, honours: Honours): Scope {
  const kept = Object.entries(scope).filter(([name]) => {
    const honour = isLifecycleName(name) ? findHonour(honours, name) : 'whole';
    return honour === 'whole' || !('no' in honour);
  });
  return Object.freeze(Object.fromEntries(kept)) as { readonly [K in keyof Scope]?: readonly ChainMember[] };
}
