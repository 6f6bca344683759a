import type { LifecycleName } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { FullTrial } from '../../subject.ts';
import { scoped } from './index.ts';
import { type Behaviour, hookAt, type Place, type ValuePlace } from './places.ts';

/** What a hook that is meant to hang is given, in milliseconds. All others have the setup's default. */
export const BRIEF = 40;

/** What came of going to a place. */
export interface Reached {
  readonly trial: FullTrial;
  /** What the runtime's caller was told, where the place was not passed. */
  readonly refusal: unknown;
}

/** Opens a trial with hooks at a place, in this order, and goes there. */
export async function reach(
  { open }: TestBench,
  place: Place<LifecycleName>,
  behaviours: readonly Behaviour[],
): Promise<Reached> {
  const hooks = behaviours.map((behaviour) => hookAt(place, behaviour));
  const trial = await open(scoped(hooks, place.setup));
  const refusal = await place.reach(trial).then(
    () => undefined,
    (error: unknown) => error ?? new Error('rejected with nothing'),
  );
  return { trial, refusal };
}

/** As {@link reach}. Throws where the place was not passed. */
export async function pass(
  bench: TestBench,
  place: Place<LifecycleName>,
  behaviours: readonly Behaviour[],
): Promise<FullTrial> {
  const { trial, refusal } = await reach(bench, place, behaviours);
  if (refusal !== undefined) throw refusal;
  return trial;
}

/** A hook that adds `+id` to the text of its subject. */
export function adds(place: ValuePlace, id: string): Behaviour {
  return { id, run: (args) => place.edit(args, (text) => `${text}+${id}`) };
}

/** Goes to a place with hooks, and throws unless the text took this effect there. */
export async function takesEffect(
  bench: TestBench,
  place: ValuePlace,
  { hooks, text, what }: { hooks: readonly Behaviour[]; text: string; what: string },
): Promise<void> {
  const trial = await pass(bench, place, hooks);
  same(await place.effect(trial), text, what);
}

type Part = Pick<Case, 'section' | 'level' | 'says' | 'run'> & Partial<Case> & { readonly what: string };

/** A case about one place: `<hook>.<what>`. */
export function caseAt(place: Place<LifecycleName>, { what, ...part }: Part): Case {
  const { hook, needs = [] } = place;
  return { id: `${hook}.${what}`, hooks: [hook], needs, ...part };
}
