import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { adds, caseAt, pass, takesEffect } from '../kit/at-place.ts';
import { gate, happened } from '../kit/index.ts';
import type { Behaviour, ValuePlace } from '../kit/places.ts';

function mutatedInPlace(place: ValuePlace): Case {
  return caseAt(place, {
    what: 'a_subject_changed_in_place_and_returned_counts',
    section: place.section,
    level: place.hook === 'prefilter_llm_history' ? 'MUST' : 'ours',
    says: 'A hook may change its subject in place and return it, as the example of §3.2 does.',
    async run(bench) {
      const mutates: Behaviour = {
        id: 'a',
        run(args) {
          place.mutate(args);
          return args.at(-1);
        },
      };
      const trial = await pass(bench, place, [mutates, adds(place, 'b')]);
      const text = await place.effect(trial);
      holds(
        text !== 'base+b' && text?.endsWith('+b') === true,
        `expected the change in place and "+b" to take effect, got ${JSON.stringify(text)}`,
      );
    },
  });
}

function mutatedAndThrown(place: ValuePlace): Case {
  return caseAt(place, {
    what: 'a_subject_changed_in_place_by_a_hook_that_fails_stays',
    section: 'C2',
    level: 'ours',
    says: 'What a hook changes in place before it fails nobody sees.',
    run: (bench) =>
      takesEffect(bench, place, {
        hooks: [
          {
            id: 'a',
            onError: 'continue',
            run(args) {
              place.mutate(args);
              throw new Error('after the change');
            },
          },
          adds(place, 'b'),
        ],
        text: 'base+b',
        what: 'what the next hook made of the subject',
      }),
  });
}

function mutatedLater(place: ValuePlace): Case {
  return caseAt(place, {
    what: 'a_value_changed_after_it_was_returned_stays',
    section: 'C2',
    level: 'ours',
    says: 'What a hook does later to the value that it returned, nobody sees: not the hook behind one that failed meanwhile.',
    run(bench) {
      const [next, changed] = [gate(), gate()];
      return takesEffect(bench, place, {
        hooks: [
          {
            id: 'a',
            run(args) {
              const returned = place.edit(args, (text) => `${text}+a`);
              void next.opened.then(() => {
                place.mutate([returned]);
                changed.open();
              });
              return returned;
            },
          },
          {
            id: 'b',
            onError: 'continue',
            async run() {
              next.open();
              await changed.opened;
              throw new Error('while the value was changed');
            },
          },
          adds(place, 'c'),
        ],
        text: 'base+a+c',
        what: 'what the last hook made of the value',
      });
    },
  });
}

function mutatedAndNull(place: ValuePlace): Case {
  return caseAt(place, {
    what: 'null_keeps_the_value_that_was_changed_in_place',
    section: 'C2',
    level: 'ours',
    says: 'A hook that changes its subject in place and returns null has changed nothing.',
    async run(bench) {
      let runs = 0;
      const mutates: Behaviour = {
        id: 'a',
        run(args) {
          runs++;
          place.mutate(args);
          return null;
        },
      };
      const what = 'the value after a hook that returned null';
      await takesEffect(bench, place, { hooks: [mutates], text: 'base', what });
      happened(runs, 'a run of the hook');
    },
  });
}

function rewritesAnArgument(place: ValuePlace): Case {
  return caseAt(place, {
    what: 'other_arguments_are_copies',
    section: 'C2',
    level: 'ours',
    says: 'What a hook does to the tool call that it is told, the next hook does not see.',
    async run(bench) {
      const seen: unknown[] = [];
      const watches = (id: string): Behaviour => ({
        id,
        run(args) {
          const call = args[0] as { function: { name: string } };
          seen.push(call.function.name);
          call.function.name = 'changed';
          return args.at(-1);
        },
      });
      await pass(bench, place, [watches('a'), watches('b')]);
      same(seen, ['act', 'act'], 'the name of the tool as each hook saw it');
    },
  });
}

/** What hooks change in place, and who sees it. A text cannot be changed in place. */
export function copyCasesAt(place: ValuePlace): readonly Case[] {
  if (place.hook === 'after_system_message') return [];
  const isOfTool = place.blocked === 'withheld';
  return [
    mutatedInPlace(place),
    mutatedAndThrown(place),
    mutatedLater(place),
    ...(place.nullKeeps ? [mutatedAndNull(place)] : []),
    ...(isOfTool ? [rewritesAnArgument(place)] : []),
  ];
}
