import type { ModelCall, ModelRequest } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { happened, never, on, returning, scoped, watch } from '../kit/index.ts';
import { contains, lacks, SHORT, storedAs } from '../kit/trials.ts';

const about = { level: 'ours', needs: ['control', 'model-calls'] } as const;
const before = { ...about, section: 'control before_model_call', hooks: ['before_model_call'] } as const;
const after = { ...about, section: 'control after_model_call', hooks: ['after_model_call'] } as const;

/** before_model_call and after_model_call: one attempt to have a model answer. */
export const modelCallCases: readonly Case[] = [
  {
    ...before,
    id: 'before_model_call.is_told_what_is_sent',
    says: 'Before a model is called the hook is told the step, the attempt, the model and the messages as they are sent.',
    async run({ open }) {
      const seen: ModelRequest[] = [];
      const look = watch('before_model_call', (_, request) => seen.push(structuredClone(request)));
      const trial = await open(scoped([look], { system: 'Be brief.' }));
      await trial.send('Go');
      const [{ step, attempt, messages } = {} as ModelRequest] = seen;
      same([seen.length, step, attempt], [1, 1, 1], 'requests, step and attempt');
      same(
        messages.map(({ role, content }) => `${role}: ${content}`),
        ['system: Be brief.', 'user: Go'],
        'the messages that are sent',
      );
    },
  },
  {
    ...before,
    id: 'before_model_call.deny_calls_no_model',
    says: 'A deny ends the turn with a row that has the reason, and no model is called.',
    async run({ open }) {
      const deny = on('before_model_call', async () => ({ decision: 'deny', reason: 'Out of budget.' }));
      const trial = await open(scoped([deny]));
      await trial.send('Go').catch(() => {});
      same(trial.sent().length, 0, 'how often the model was called');
      const [row] = await storedAs(trial, 'assistant');
      contains(row?.content, 'Out of budget.', 'the row at the end of the turn');
    },
  },
  {
    ...before,
    id: 'before_model_call.answers_in_the_models_place',
    says: 'A result is the answer, goes through before_create_message, and no model is called.',
    async run({ open }) {
      const answer = on('before_model_call', async () => ({ result: { content: 'A secret answer.' } }));
      const hide = on('before_create_message', async (_, message) => ({
        ...message,
        content: String(message.content).replace('secret', 'hidden'),
      }));
      const trial = await open(scoped([answer, hide]));
      const { text } = await trial.send('Go');
      same(text, 'A hidden answer.', 'the answer of the turn');
      same(trial.sent().length, 0, 'how often the model was called');
    },
  },
  {
    ...before,
    id: 'before_model_call.failure_calls_no_model',
    failing: ['before_model_call'],
    says: 'A hook that fails, hangs or answers nonsense denies the call.',
    async run({ open }) {
      const ways: Array<() => Promise<never>> = [
        () => Promise.reject(new Error('no luck')),
        () => never(),
        returning('yes'),
      ];
      for (const [i, way] of ways.entries()) {
        let runs = 0;
        const execute = (): Promise<never> => {
          runs += 1;
          return way();
        };
        const trial = await open(scoped([on('before_model_call', execute, { timeout: SHORT })]));
        await trial.send('Go').catch(() => {});
        happened(runs, `way ${i + 1}: a run of the hook`);
        same(trial.sent().length, 0, `way ${i + 1}: how often the model was called`);
      }
    },
  },
  {
    ...after,
    id: 'after_model_call.is_told_of_each_call',
    says: 'After a model has answered the hook is told of the call, under the id of its request.',
    async run({ open }) {
      const ids: string[] = [];
      const calls: ModelCall[] = [];
      const trial = await open(
        scoped([
          watch('before_model_call', (_, { callId }) => ids.push(callId)),
          watch('after_model_call', (_, call) => calls.push({ ...call })),
        ]),
      );
      await trial.send('Go');
      same(
        calls.map(({ callId, errorCode, cached }) => [callId, errorCode, cached]),
        ids.map((id) => [id, null, false]),
        'the calls that the hook was told of',
      );
      same(ids.length, 1, 'how many calls were made');
    },
  },
  {
    ...after,
    id: 'after_model_call.failure_changes_nothing',
    failing: ['after_model_call'],
    says: 'A hook that fails changes nothing: the answer is stored, and the error is not.',
    async run({ open }) {
      let runs = 0;
      const fails = on('after_model_call', async () => {
        runs += 1;
        throw new Error('no luck');
      });
      const trial = await open(scoped([fails], { script: [{ text: 'Fine.' }] }));
      const { text } = await trial.send('Go');
      happened(runs, 'a run of the hook');
      same(text, 'Fine.', 'the answer of the turn');
      lacks(JSON.stringify(await storedAs(trial, 'assistant')), 'no luck', 'what is stored');
    },
  },
];
