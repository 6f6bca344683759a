import type { HookName } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { adds, caseAt, pass, takesEffect } from '../kit/at-place.ts';
import { pause } from '../kit/index.ts';
import { type Behaviour, observePlaces, type Place, type ValuePlace, valuePlaces } from '../kit/places.ts';
import { copyCasesAt } from './copies.ts';

function threadsTwo(place: ValuePlace): Case {
  return caseAt(place, {
    what: 'two_hooks_pass_their_value_on',
    section: 'spec 1.2',
    level: 'MAY',
    says: 'Of two hooks, the second gets what the first returned; what the last returned takes effect.',
    covers: ['1.2.several'],
    run: (bench) =>
      takesEffect(bench, place, {
        hooks: [adds(place, 'a'), adds(place, 'b')],
        text: 'base+a+b',
        what: 'what two hooks made of "base"',
      }),
  });
}

function threadsThree(place: ValuePlace): Case {
  return caseAt(place, {
    what: 'three_hooks_run_in_the_order_of_the_list',
    section: 'C1',
    level: 'ours',
    says: 'Three hooks run in the order in which the prompt names them, not in that of their registration or their speed.',
    async run(bench) {
      const slow = adds(place, 'z');
      const slowly: Behaviour = {
        ...slow,
        async run(args, state) {
          await pause(10);
          return slow.run(args, state);
        },
      };
      await takesEffect(bench, place, {
        hooks: [slowly, adds(place, 'm'), adds(place, 'a')],
        text: 'base+z+m+a',
        what: 'what three hooks made of "base"',
      });
    },
  });
}

function oneAtATime(place: Place): Case {
  return caseAt(place, {
    what: 'hooks_run_one_at_a_time',
    section: 'C1',
    level: 'ours',
    says: 'A hook begins when the one before it has ended.',
    async run(bench) {
      const steps: string[] = [];
      const waits = (id: string): Behaviour => ({
        id,
        async run(args) {
          steps.push(`${id} begins`);
          await pause(5);
          steps.push(`${id} ends`);
          return args.at(-1);
        },
      });
      await pass(bench, place, [waits('a'), waits('b'), waits('c')]);
      const expected = ['a', 'b', 'c'].flatMap((id) => [`${id} begins`, `${id} ends`]);
      same(steps, expected, 'the order in which the hooks began and ended');
    },
  });
}

/** Which sentence says that `null` keeps the value: the signature, where no chapter does. */
const keepingSentences: Partial<Record<HookName, string>> = {
  after_system_message: '7.system_message',
  after_tool_call_success: '5.2.null',
  after_tool_call_failure: '5.3.null',
};

function emptyAnswer(place: ValuePlace, answer: null | undefined): Case {
  const isSpecified = answer === null || place.hook === 'after_system_message';
  const sentence = keepingSentences[place.hook];
  return caseAt(place, {
    what: `${answer === null ? 'null' : 'nothing'}_keeps_the_value_so_far`,
    section: place.section,
    level: isSpecified ? 'MUST' : 'ours',
    ...(isSpecified && sentence !== undefined ? { covers: [sentence] } : {}),
    says: `A hook that returns ${answer} keeps the value: the one of the hook before it, where there is one.`,
    run: (bench) =>
      takesEffect(bench, place, {
        hooks: [adds(place, 'a'), { id: 'b', run: () => answer }, adds(place, 'c')],
        text: 'base+a+c',
        what: `the value around a hook that returns ${answer}`,
      }),
  });
}

function observesAll(place: Place): Case {
  return caseAt(place, {
    what: 'three_hooks_all_run',
    section: 'spec 1.2',
    level: 'MAY',
    says: 'Of three hooks, each runs once, in the order in which the prompt names them.',
    covers: ['1.2.several'],
    async run(bench) {
      const ran: string[] = [];
      const notes = (id: string): Behaviour => ({ id, run: () => ran.push(id) });
      await pass(bench, place, [notes('z'), notes('m'), notes('a')]);
      same(ran, ['z', 'm', 'a'], 'the hooks that ran');
    },
  });
}

function cannotChange(place: Place): Case {
  return caseAt(place, {
    what: 'what_it_returns_and_changes_is_ignored',
    section: place.section,
    level: place.section === 'spec 4.2' ? 'MUST' : 'ours',
    says: 'What the hook returns, and what it changes in place, changes nothing that is stored and nothing that the next hook sees.',
    ...(place.section === 'spec 4.2' ? { covers: ['4.2.no_change'] } : {}),
    async run(bench) {
      const observed = observePlaces.find(({ hook }) => hook === place.hook);
      const seen: unknown[] = [];
      const changes = (id: string): Behaviour => ({
        id,
        run(args) {
          const subject = args.at(-1) as { content?: string } | undefined;
          seen.push(subject?.content);
          try {
            if (subject?.content !== undefined) subject.content = 'changed in place';
          } catch {} // A frozen subject is as good.
          return { role: 'user', content: 'returned' };
        },
      });
      const trial = await pass(bench, place, [changes('a'), changes('b')]);
      same(seen.length, 2, 'how many hooks ran');
      same(seen[1], seen[0], 'the subject as the second hook saw it');
      await observed?.happened(trial);
    },
  });
}

function chainsAt(place: ValuePlace): readonly Case[] {
  return [
    threadsTwo(place),
    threadsThree(place),
    oneAtATime(place),
    ...(place.nullKeeps ? [emptyAnswer(place, null), emptyAnswer(place, undefined)] : []),
    ...copyCasesAt(place),
  ];
}

/** Chains of two and three hooks in each of the twelve places: their order, what they pass on, what they cannot do. */
export const chainCases: readonly Case[] = [
  ...valuePlaces.flatMap(chainsAt),
  ...observePlaces.flatMap((place) => [observesAll(place), oneAtATime(place), cannotChange(place)]),
];
