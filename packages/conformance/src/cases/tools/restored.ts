import type { AnyHook, ConcealDecision, RestoreToolCall } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import type { Setup } from '../../subject.ts';
import { happened, lines, never, on, returning, scoped, watch } from '../kit/index.ts';
import { asks, lacks, makeCall, printed, results, SHORT, sentText, watchedTool } from '../kit/trials.ts';

const SECRET = 'marker-4111-1111';
const PLACEHOLDER = '<card 1>';

const about = {
  section: 'control before_tool_call',
  level: 'ours',
  needs: ['control'],
} as const;

const putBack: RestoreToolCall = async (_, call) => ({
  ...call,
  function: {
    ...call.function,
    arguments: call.function.arguments.replace(PLACEHOLDER, SECRET),
  },
});

const conceal: ConcealDecision = async (_, __, decision) =>
  JSON.parse(JSON.stringify(decision).replaceAll(SECRET, PLACEHOLDER));

/** A hook without an opinion that puts a value back into calls. */
function restoring(restore: RestoreToolCall): AnyHook {
  return on('before_tool_call', async () => null, { id: 'restoring', restore, conceal, timeout: SHORT });
}

const paying = (tool = watchedTool('pay', 'paid')): Setup => ({
  tools: [tool],
  script: [asks(makeCall('pay', { card: PLACEHOLDER }))],
});

/** What stands in a call for a value that only its tool may see. */
export const restoredCases: readonly Case[] = [
  {
    ...about,
    hooks: ['after_tool_call_success', 'before_store_tool_result'],
    id: 'tools.restored_value_reaches_the_tool_alone',
    says: 'What a hook’s restore puts into a call the tool gets; hooks on its result, messages and the model do not see it.',
    async run({ open }) {
      const tool = watchedTool('pay', 'paid');
      const seen: string[] = [];
      const hooks = [
        restoring(putBack),
        watch('after_tool_call_success', (_, call) => seen.push(call.function.arguments)),
        watch('before_store_tool_result', (_, call) => seen.push(JSON.stringify(call))),
      ];
      const trial = await open(scoped(hooks, paying(tool)));
      await trial.send('Go');
      same(tool.ran, [{ card: SECRET }], 'what the tool was run with');
      same(seen.length, 2, 'how many hooks saw the call');
      lacks(seen.join(' | '), SECRET, 'what the hooks saw');
      lacks(JSON.stringify(await trial.messages()), SECRET, 'what is stored');
      lacks(sentText(trial), SECRET, 'what the model was sent');
    },
  },
  {
    ...about,
    needs: ['control', 'ledger'],
    hooks: ['before_tool_call'],
    id: 'tools.restored_value_is_told_nowhere',
    says: 'What a hook’s restore puts into a call is in no error, no event and no record, also where the restore fails.',
    async run({ open }) {
      const failing: RestoreToolCall = () => Promise.reject(new Error(SECRET));
      for (const restore of [putBack, failing]) {
        let restored = 0;
        const counting: RestoreToolCall = (...args) => {
          restored++;
          return restore(...args);
        };
        const trial = await open(scoped([restoring(counting)], paying()));
        const errors: unknown[] = [];
        await trial.send('Go').catch((error: unknown) => void errors.push(error));
        happened(restored, 'a restore');
        happened((await results(trial)).length, 'the storing of a result');
        const reported = [...errors.map((error) => printed(error)), await trial.told()].join('\n');
        lacks(reported, SECRET, 'errors, events and ledger');
        lacks((await lines(trial)).join(' | '), SECRET, 'what is stored');
      }
    },
  },
  {
    ...about,
    hooks: ['before_tool_call'],
    id: 'tools.call_whose_restore_fails_does_not_run',
    says: 'Where a restore fails, hangs or returns what is no call, the tool does not run, and the call has an error result.',
    async run({ open }) {
      const ways: RestoreToolCall[] = [
        () => Promise.reject(new Error('no luck')),
        () => never(),
        returning('no call'),
      ];
      for (const [i, restore] of ways.entries()) {
        const tool = watchedTool('pay', 'paid');
        const trial = await open(scoped([restoring(restore)], paying(tool)));
        const { status } = await trial.send('Go');
        same(tool.ran, [], `way ${i + 1}: what the tool was run with`);
        same([status, (await results(trial)).length], ['completed', 1], `way ${i + 1}: status and results`);
      }
    },
  },
  {
    ...about,
    hooks: ['before_tool_call'],
    id: 'tools.restored_call_is_what_is_decided_on',
    says: 'Hooks decide on a call with the values that its tool will get, and a match sees them; what they say of them is kept without.',
    async run({ open }) {
      const tool = watchedTool('pay', 'paid');
      const deny = on(
        'before_tool_call',
        async (_, call) => ({ decision: 'deny', reason: `no ${call.function.arguments}` }),
        { id: 'deny', match: { input: { card: /^marker-4111/ } } },
      );
      const trial = await open(scoped([restoring(putBack), deny], paying(tool)));
      await trial.send('Go');
      same(tool.ran, [], 'what the tool was run with');
      const kept = JSON.stringify(await trial.messages());
      happened(Math.max(0, kept.split(PLACEHOLDER).length - 2), 'the storing of the reason');
      lacks(kept, SECRET, 'what is stored');
      lacks(sentText(trial), SECRET, 'what the model was sent');
    },
  },
];
