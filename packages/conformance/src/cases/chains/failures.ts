import type { HookName, StandardSchema } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case, Level, TestBench } from '../../case.ts';
import { adds, BRIEF, reach } from '../kit/at-place.ts';
import { gate, happened, never, pause } from '../kit/index.ts';
import {
  type Args,
  type Behaviour,
  type ObservePlace,
  observePlaces,
  type ValuePlace,
  valuePlaces,
} from '../kit/places.ts';
import { storedAs, timeIsUp } from '../kit/trials.ts';

/** A way in which a hook does not succeed. */
interface Fault {
  readonly name: string;
  readonly does: string;
  readonly run: Behaviour['run'];
  readonly schema?: StandardSchema;
  /** In the place of `run`: answers when its time is over. */
  readonly late?: (args: Args) => unknown;
}

const thrown = (): Error => new Error('the fault of this test');

const throwing: readonly Fault[] = [
  {
    name: 'throws',
    does: 'throws at once',
    run() {
      throw thrown();
    },
  },
  {
    name: 'rejects',
    does: 'gives a promise that is rejected',
    async run() {
      await pause(1);
      throw thrown();
    },
  },
  { name: 'rejects_with_nothing', does: 'is rejected with undefined', run: () => Promise.reject(undefined) },
];

const hanging: Fault = { name: 'hangs', does: 'never answers', run: () => never() };

function answersLate(place: ValuePlace): Fault {
  return {
    name: 'answers_late',
    does: 'answers after its timeout',
    run: () => never(),
    late: (args) => place.edit(args, (text) => `${text}+late`),
  };
}

const refusesAll: StandardSchema = {
  '~standard': { version: 1, vendor: 'case', validate: () => ({ issues: [{ message: 'not this' }] }) },
};

/** A hook that is not to be called: if it is, its answer shows it. */
function wrongInput(place: ValuePlace): Fault {
  return {
    name: 'fails_its_schema',
    does: 'gets an input that its schema refuses, and so is not called',
    schema: refusesAll,
    run: adds(place, 'b').run,
  };
}

function wrongAnswers({ wrong, nullKeeps }: ValuePlace): readonly Fault[] {
  const shapes = Object.entries(wrong).map(([name, value]): Fault => {
    const words = name.replaceAll('_', ' ');
    return { name: `returns_${name}`, does: `returns ${words}`, run: () => structuredClone(value) };
  });
  if (nullKeeps) return shapes;
  return [
    ...shapes,
    { name: 'returns_nothing', does: 'returns undefined, as a hook without a return does', run: () => {} },
    { name: 'returns_null', does: 'returns null', run: () => null },
  ];
}

type Policy = 'default' | 'block' | 'continue';

const policyNames: Readonly<Record<Policy, string>> = {
  default: 'by_default',
  block: 'and_blocks',
  continue: 'and_continues',
};

type Meaning = 'continue' | ValuePlace['blocked'];

/** What a failure comes to. */
function findMeaning({ byDefault, blocked }: ValuePlace, policy: Policy): Meaning {
  return (policy === 'default' ? byDefault : policy) === 'continue' ? 'continue' : blocked;
}

const meaningInWords: Readonly<Record<Meaning, string>> = {
  continue: 'the value so far goes on to the next hook',
  refused: 'nothing takes effect, and the caller gets the error',
  withheld: 'an error takes the place of the raw result, and the turn goes on',
};

function whenTimeIsUp(answer: (args: Args) => unknown, over: Promise<void>): Behaviour['run'] {
  return async (args, state) => {
    await timeIsUp(state, over);
    return answer(args);
  };
}

/** Throws unless a failed hook came to what its policy says. */
async function judge(bench: TestBench, place: ValuePlace, [fault, policy]: [Fault, Policy]): Promise<void> {
  const [first, last] = [adds(place, 'a'), adds(place, 'c')];
  const over = gate();
  let begun = 0;
  let lastRan = false;
  const { trial, refusal } = await reach(bench, place, [
    {
      ...first,
      run(args, state) {
        begun++;
        return first.run(args, state);
      },
    },
    {
      id: 'b',
      run: fault.late === undefined ? fault.run : whenTimeIsUp(fault.late, over.opened),
      timeout: BRIEF,
      ...(fault.schema === undefined ? {} : { schema: fault.schema }),
      ...(policy === 'default' ? {} : { onError: policy }),
    },
    {
      ...last,
      async run(args, state) {
        lastRan = true;
        over.open();
        if (fault.late !== undefined) await pause(5); // The late answer comes while this hook runs.
        return last.run(args, state);
      },
    },
  ]);
  over.open();
  if (fault.late !== undefined) await pause(5);
  happened(begun, 'a run of the first hook');
  const text = await place.effect(trial);
  const meaning = findMeaning(place, policy);
  if (meaning === 'continue') {
    holds(refusal === undefined, `expected the chain to go on, was refused: ${String(refusal)}`);
    same(text, 'base+a+c', 'what took effect around the hook that failed');
    return;
  }
  same(text, null, 'what took effect');
  holds(!lastRan, 'expected the chain to end with the hook that failed; the next hook ran');
  if (meaning === 'refused') {
    holds(refusal !== undefined, 'expected the caller to get an error, got none');
    return;
  }
  holds(refusal === undefined, `expected the turn to go on, was refused: ${String(refusal)}`);
  happened((await storedAs(trial, 'tool')).length, 'the storing of an error in the place of the result');
}

/** Defaults that the specification names, by the id of its sentence. */
const specified: Partial<Record<HookName, string>> = {
  before_create_message: '4.1.failure',
  after_create_message: '4.2.failure',
  before_update_message: '4.3.failure',
  after_update_message: '4.4.failure',
  after_tool_call_failure: '5.3.graceful',
};

function findOrigin(
  hook: HookName,
  isDefault: boolean,
): { section?: string; level: Level; covers?: readonly string[] } {
  const sentence = isDefault ? specified[hook] : undefined;
  if (sentence === undefined) return { level: 'ours' };
  return { level: sentence === '5.3.graceful' ? 'MUST' : 'SHOULD', covers: [sentence] };
}

function failuresAt(place: ValuePlace): readonly Case[] {
  const wrong = wrongAnswers(place);
  const faults = [...throwing, hanging, answersLate(place), wrongInput(place), ...wrong];
  const policies: readonly Policy[] = ['default', 'block', 'continue'];
  return faults.flatMap((fault) =>
    policies.map((policy): Case => {
      const { hook, needs = [], section } = place;
      return {
        id: `${hook}.${fault.name}_${policyNames[policy]}`,
        section: wrong.includes(fault) ? 'C3' : policy === 'default' ? section : 'design 5',
        ...findOrigin(hook, policy === 'default' && throwing.includes(fault)),
        says: `A hook that ${fault.does}${policy === 'default' ? '' : `, with onError '${policy}'`}: ${meaningInWords[findMeaning(place, policy)]}.`,
        needs,
        hooks: [hook],
        failing: [hook],
        run: (bench) => judge(bench, place, [fault, policy]),
      };
    }),
  );
}

function observerFailuresAt(place: ObservePlace): readonly Case[] {
  const { hook, section, needs = [] } = place;
  return [...throwing, hanging].map(
    (fault): Case => ({
      id: `${hook}.${fault.name}_by_default`,
      section,
      ...findOrigin(hook, true),
      says: `A hook that ${fault.does} stops nothing: what it looks on stands, and the next hook runs.`,
      needs,
      hooks: [hook],
      failing: [hook],
      async run(bench) {
        const ran: string[] = [];
        const { trial, refusal } = await reach(bench, place, [
          { id: 'a', run: fault.run, timeout: BRIEF },
          { id: 'b', run: () => ran.push('b') },
        ]);
        holds(refusal === undefined, `expected the turn to go on, was refused: ${String(refusal)}`);
        same(ran, ['b'], 'the hooks that ran after the one that failed');
        await place.happened(trial);
      },
    }),
  );
}

/** Throw, hang, answer late and answer nonsense, in each of the twelve places, under each policy. */
export const failureCases: readonly Case[] = [
  ...valuePlaces.flatMap(failuresAt),
  ...observePlaces.flatMap(observerFailuresAt),
];
