import type { ErrorCode, LifecycleSignatures, StandardSchema } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { counted, happened, never, on, rejects, returning, scoped } from '../kit/index.ts';
import { lacks, printed } from '../kit/trials.ts';

type Execute = LifecycleSignatures['before_create_message'];

const refusesAll: StandardSchema = {
  '~standard': { version: 1, vendor: 'case', validate: () => ({ issues: [{ message: 'not this' }] }) },
};

const ways: readonly (readonly [string, ErrorCode, Execute, StandardSchema?])[] = [
  ['throws', 'hook_failed', () => Promise.reject(new Error('no'))],
  ['hangs', 'hook_timed_out', () => never()],
  ['answers_nonsense', 'invalid_result', returning('nonsense')],
  ['fails_its_schema', 'invalid_input', async (_, message) => message, refusesAll],
];

/** The error that the caller gets says which hook did not succeed, and how (design §6). */
const codeCases = ways.map(
  ([name, code, execute, schema]): Case => ({
    id: `errors.of_a_hook_that_${name}_has_its_code`,
    section: 'design 6',
    level: 'ours',
    says: `The error of a hook that ${name.replaceAll('_', ' ')} has the code ${code}, and names the hook and its type.`,
    hooks: ['before_create_message'],
    async run({ open }) {
      const timeout = name === 'hangs' ? { timeout: 40 } : {};
      const options = { id: 'the_one', ...timeout, ...(schema === undefined ? {} : { schema }) };
      const trial = await open(scoped([on('before_create_message', execute, options)]));
      const error = (await rejects(trial.send('hello'), 'sending')) as Error & Record<string, unknown>;
      const reported = { code: error.code, hook: error.hook, id: error.id };
      same(
        reported,
        { code, hook: 'before_create_message', id: 'the_one' },
        'code, hook and id of the error',
      );
      holds(
        error.message.includes('the_one'),
        `expected the message to name the hook, got: ${error.message}`,
      );
    },
  }),
);

const secretCases: readonly Case[] = [
  {
    id: 'secrets.an_error_does_not_say_what_a_hook_threw',
    section: 'spec 1.2',
    level: 'MUST',
    says: 'The error that a failed hook comes to does not have the text, the fields or the cause of what the hook threw.',
    covers: ['1.2.no_secrets'],
    hooks: ['before_create_message'],
    async run({ open }) {
      const hook = on('before_create_message', async (_, message) => {
        throw Object.assign(new Error(`cannot store ${String(message.content)}`, { cause: 'secret-cause' }), {
          data: 'secret-field',
        });
      });
      const trial = await open(scoped([hook]));
      const error = await rejects(trial.send('secret-message'), 'sending');
      lacks(printed(error), 'secret-', 'the error, printed');
    },
  },
  {
    id: 'secrets.a_record_does_not_say_what_a_hook_threw',
    section: 'spec 1.2',
    level: 'MUST',
    says: 'Nothing that is logged, recorded or emitted has data of a hook, or the text of what it threw.',
    covers: ['1.2.no_secrets'],
    needs: ['ledger'],
    hooks: ['before_create_message', 'after_create_message'],
    async run({ open }) {
      const rewrites = counted('before_create_message', async (_, message) => ({
        ...message,
        content: 'harmless',
      }));
      const fails = counted('after_create_message', async () => {
        throw new Error('secret-error');
      });
      const trial = await open(scoped([rewrites.hook, fails.hook], { script: [{ text: 'hi' }] }));
      await trial.send('secret-message');
      happened(rewrites.runs, 'a run of the hook that is given a secret');
      happened(fails.runs, 'a run of the hook that throws one');
      const reported = await trial.told();
      holds(reported.length > 0, 'expected something to be told of the runs');
      lacks(reported, 'secret-', 'what was told');
    },
  },
];

/** What is said of a failure, and what is not (specification §1.2, design §6). */
export const errorCases: readonly Case[] = [...codeCases, ...secretCases];
