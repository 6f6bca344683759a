import { type AnyHook, type HookName, specificationTable } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../case.ts';
import { forged, happened, lines, on, onUntyped, rejects, scoped } from './kit/index.ts';

const pass = async (_: unknown, message: Record<string, unknown>): Promise<Record<string, unknown>> =>
  message;

const valid = { hook: 'before_create_message', id: 'forged', execute: pass };

/** Throws unless a runtime refuses to start with these hooks, whether or not a prompt names them. */
async function refusesHooks({ open }: TestBench, hooks: readonly AnyHook[], what: string): Promise<void> {
  await rejects(open({ hooks }), `${what}, registered`);
  await rejects(open(scoped(hooks)), `${what}, registered and named`);
}

/** What a hook must be (specification §1.2). */
export const definitionCases: readonly Case[] = [
  {
    id: 'definition.hook_id_and_execute_are_enough',
    section: 'spec 1.2',
    level: 'MUST',
    says: 'A hook made by defineHook with hook, id and execute runs.',
    covers: ['1.2.define_hook'],
    async run({ open }) {
      const hook = on('before_create_message', async (_, message) => ({
        ...message,
        content: 'from a hook',
      }));
      const trial = await open(scoped([hook], { script: [{ text: 'hi' }] }));
      await trial.send('hello');
      same(await lines(trial), ['user: from a hook', 'assistant: from a hook'], 'the stored messages');
    },
  },
  {
    id: 'definition.what_define_hook_did_not_make_is_refused',
    section: 'spec 1.2',
    level: 'MUST',
    says: 'An object that defineHook did not make is no hook, though it has the three properties.',
    covers: ['1.2.define_hook'],
    run: (bench) => refusesHooks(bench, [forged(valid)], 'an object with the three properties'),
  },
  {
    id: 'definition.every_type_of_the_specification_is_a_type',
    section: 'spec 1.2',
    level: 'MUST',
    says: 'A hook of each of the twelve types can be registered and named.',
    covers: ['1.2.hook_type'],
    hooks: Object.keys(specificationTable) as HookName[],
    async run({ open }) {
      let runs = 0;
      const passing = (...args: unknown[]): unknown => {
        runs++;
        return args.at(-1);
      };
      const names = Object.keys(specificationTable) as HookName[];
      const hooks = names.map((hook) => onUntyped(hook, passing));
      const trial = await open(scoped(hooks, { system: 'Be brief.', script: [{ text: 'hi' }] }));
      await trial.send('hello');
      happened(runs, 'a run of the hooks');
      same(await lines(trial), ['user: hello', 'assistant: hi'], 'the stored messages');
    },
  },
  {
    id: 'definition.an_unknown_type_is_refused',
    section: 'spec 1.2',
    level: 'MUST',
    says: 'A hook of a type that does not exist is refused, not passed over.',
    covers: ['1.2.hook_type'],
    async run(bench) {
      for (const hook of ['before_everything', '', 'filterMessages', 'toString'])
        await refusesHooks(bench, [forged({ ...valid, hook })], `a hook of the type "${hook}"`);
    },
  },
  {
    id: 'definition.an_id_that_is_not_snake_case_is_refused',
    section: 'spec 1.2',
    level: 'MUST',
    says: 'A hook whose id is not snake_case is refused.',
    covers: ['1.2.id'],
    async run(bench) {
      for (const id of ['camelCase', 'kebab-case', 'Upper', 'two words', '', '_', '1st', 'a__b', 'ünicode'])
        await refusesHooks(bench, [forged({ ...valid, id })], `a hook with the id "${id}"`);
    },
  },
  {
    id: 'definition.an_execute_that_is_no_function_is_refused',
    section: 'spec 1.2',
    level: 'MUST',
    says: 'A hook without a function is refused.',
    covers: ['1.2.define_hook'],
    run: (bench) => refusesHooks(bench, [forged({ ...valid, execute: 'pass' })], 'a hook without a function'),
  },
  {
    id: 'definition.an_id_twice_is_refused',
    section: 'spec 1.2',
    level: 'MUST',
    says: 'Two hooks with one id are refused, also where they are of different types and nobody names them.',
    covers: ['1.2.id'],
    async run({ open }) {
      const first = on('before_create_message', pass, { id: 'same' });
      const second = on('before_create_message', pass, { id: 'same' });
      const other = on('filter_messages', async (_, messages) => messages, { id: 'same' });
      await rejects(open({ hooks: [first, second] }), 'two hooks of one type with one id');
      await rejects(open({ hooks: [first, other] }), 'two hooks of two types with one id');
      await rejects(
        open({ hooks: [first, other], promptHooks: ['same'] }),
        'naming an id that two hooks have',
      );
    },
  },
  {
    id: 'definition.an_id_of_a_policy_and_a_hook_is_refused',
    section: 'spec 1.2',
    level: 'MUST',
    says: 'An id is unique across all hooks: those that run everywhere too.',
    covers: ['1.2.id'],
    needs: ['policies'],
    async run({ open }) {
      const hook = on('before_create_message', pass, { id: 'same' });
      const policy = on('before_create_message', pass, { id: 'same' });
      await rejects(open({ hooks: [hook], policies: [policy] }), 'a hook and a policy with one id');
    },
  },
];
