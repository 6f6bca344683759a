import type { AnyHook, Decision, StoredToolResult } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import type { FullTrial, Setup } from '../../subject.ts';
import { counted, gate, happened, lines, on, pause, rejects, scoped, watch } from '../kit/index.ts';
import { asks, contains, lacks, makeCall, results, soon, userSays, watchedTool } from '../kit/trials.ts';

const about = { level: 'ours', needs: ['control'] } as const;
const oneCall = (tool = watchedTool()): Setup => ({
  tools: [tool],
  script: [asks(makeCall('act', { n: 1 }))],
});

const oneAtATime: readonly Case[] = [
  {
    ...about,
    section: 'C1',
    hooks: ['before_tool_call', 'after_tool_batch', 'before_stop', 'before_user_message'],
    id: 'invariants.hooks_that_decide_or_collect_run_one_at_a_time',
    says: 'Hooks that decide or collect begin when the one before them has ended, in order.',
    async run({ open }) {
      const steps: string[] = [];
      const slow = (
        name: 'before_tool_call' | 'after_tool_batch' | 'before_stop' | 'before_user_message',
        id: string,
      ) =>
        on(
          name,
          async () => {
            steps.push(`${name} ${id} begins`);
            await pause(5);
            steps.push(`${name} ${id} ends`);
            return null;
          },
          { id: `${name}_${id}` },
        );
      const names = ['before_user_message', 'before_tool_call', 'after_tool_batch', 'before_stop'] as const;
      const hooks = names.flatMap((name) => ['b', 'a'].map((id) => slow(name, id)));
      const trial = await open(scoped(hooks, oneCall()));
      await trial.send('Go');
      const expected = names.flatMap((name) =>
        ['b', 'a'].flatMap((id) => [`${name} ${id} begins`, `${name} ${id} ends`]),
      );
      same(steps, expected, 'the order in which the hooks began and ended');
    },
  },
  {
    ...about,
    section: 'C2',
    hooks: ['before_tool_call', 'before_user_message'],
    id: 'invariants.what_a_deciding_hook_changes_in_place_is_no_rewrite',
    says: 'A hook that changes a call or a message in place, and does not say so in its answer, has changed nothing.',
    async run({ open }) {
      const tool = watchedTool();
      const meddle = on('before_tool_call', async (_, call) => {
        call.function.arguments = '{"n":666}';
        call.function.name = 'another';
        return null;
      });
      const seen: unknown[] = [];
      const look = watch('before_tool_call', (_, call) => seen.push(call.function), { id: 'look' });
      const meddleWithText = counted('before_user_message', async (_, message) => {
        message.content = 'another text';
        return null;
      });
      const trial = await open(scoped([meddle, look, meddleWithText.hook], oneCall(tool)));
      await trial.send('Go');
      same(seen, [{ name: 'act', arguments: '{"n":1}' }], 'what the next hook saw');
      same(tool.ran, [{ n: 1 }], 'what the tool was run with');
      happened(meddleWithText.runs, 'a run of the hook over the message');
      same((await lines(trial))[0], 'user: Go', 'the stored message');
    },
  },
  {
    ...about,
    section: 'C2',
    hooks: ['before_tool_call'],
    id: 'invariants.decision_counts_as_it_was_given',
    says: 'What a hook does to its decision after it was given changes nothing.',
    async run({ open }) {
      const tool = watchedTool();
      const input = { n: 2 };
      const decision: Decision = { decision: 'allow', input };
      const sly = on('before_tool_call', async () => decision, { id: 'sly' });
      const later = on('before_tool_call', async () => {
        input.n = 666;
        decision.input = { n: 667 };
        return null;
      });
      const trial = await open(scoped([sly, later], oneCall(tool)));
      await trial.send('Go');
      happened((await results(trial)).length, 'the storing of a result');
      holds(
        tool.ran.every(({ n }) => n === 2) || tool.ran.length === 0,
        `the tool must not run with what was changed later, it ran with ${JSON.stringify(tool.ran)}`,
      );
    },
  },
  {
    ...about,
    section: 'C2',
    hooks: ['after_tool_batch'],
    id: 'invariants.what_a_collecting_hook_changes_in_place_nobody_sees',
    says: 'What a hook changes in the results of a batch neither the next hook nor the model sees.',
    async run({ open }) {
      const seen: unknown[] = [];
      const meddle = (id: string): AnyHook =>
        on(
          'after_tool_batch',
          async (_, all: StoredToolResult[]) => {
            seen.push(all[0]?.result.result);
            if (all[0] !== undefined) all[0].result.result = 'changed';
            all.length = 0;
            return null;
          },
          { id },
        );
      const trial = await open(scoped([meddle('one'), meddle('two')], oneCall()));
      await trial.send('Go');
      same(seen, ['acted', 'acted'], 'the result as each hook saw it');
      same(await results(trial), ['acted'], 'the stored results');
    },
  },
];

const rest: readonly Case[] = [
  {
    section: 'C7',
    level: 'ours',
    hooks: ['before_create_message'],
    id: 'invariants.a_hook_that_takes_its_time_blocks_no_reader',
    says: 'While a hook runs, the thread can be read, from outside and by the hook.',
    async run({ open }) {
      const [inHook, goOn] = [gate(), gate()];
      const slow = on('before_create_message', async (state, message) => {
        if (message.role !== 'assistant') return message;
        inHook.open();
        await goOn.opened;
        await state.getMessages();
        return message;
      });
      const trial: FullTrial = await open(scoped([slow]));
      const sending = trial.send('Go');
      await soon(inHook.opened, 'the hook');
      same(
        await soon(lines(trial), 'the messages, read while the hook runs'),
        ['user: Go'],
        'what is stored',
      );
      goOn.open();
      await sending;
    },
  },
  {
    section: 'C7',
    level: 'ours',
    needs: ['inject', 'update'],
    hooks: ['after_create_message'],
    id: 'invariants.hooks_may_write_while_others_write',
    says: 'Hooks that write and edit in the middle of a turn do not block it.',
    async run({ open }) {
      const writing = on('after_create_message', async (state, { id, role, content }) => {
        if (role !== 'assistant' && content !== 'Go') return;
        await state.updateMessage(String(id), { tag: 'seen' });
        await state.injectMessage(userSays(`seen ${String(role)}`));
      });
      const trial = await open(scoped([writing]));
      await soon(trial.send('Go'), 'the end of the turn');
      const stored = (await lines(trial)).join(' | ');
      for (const role of ['user', 'assistant']) contains(stored, `seen ${role}`, 'what is stored');
    },
  },
  {
    section: 'C8',
    level: 'ours',
    needs: ['inject'],
    hooks: ['before_create_message'],
    id: 'invariants.hooks_within_hooks_come_to_an_end',
    says: 'A hook whose own message leads to itself again is stopped after four, with an error.',
    async run({ open }) {
      let depth = 0;
      const echo = on('before_create_message', async (state, message) => {
        depth++;
        await state.injectMessage(userSays(`${String(message.content)}!`));
        return message;
      });
      const trial = await open(scoped([echo]));
      const error = await soon(rejects(trial.inject(userSays('a')), 'injecting'), 'the end of the hooks');
      holds(error.message !== '', 'the error must have a message');
      holds(depth >= 2 && depth <= 5, `how often the hook ran: expected 2 to 5 times, was ${depth}`);
      same(await lines(trial), [], 'what is stored');
    },
  },
  {
    section: 'C8',
    level: 'ours',
    needs: ['inject'],
    hooks: ['after_create_message'],
    id: 'invariants.hooks_may_write_once',
    says: 'A hook may write a message, which passes the chains once.',
    async run({ open }) {
      const footnote = on('after_create_message', async (state, { content }) => {
        if (!String(content).endsWith('*')) await state.injectMessage(userSays(`${String(content)}*`));
      });
      const trial = await open(scoped([footnote]));
      await trial.inject(userSays('a'));
      same(await lines(trial), ['user: a', 'user: a*'], 'what is stored');
    },
  },
  {
    section: 'C11',
    level: 'ours',
    needs: ['ledger'],
    hooks: ['before_create_message'],
    id: 'invariants.without_a_hook_in_scope_nothing_runs',
    says: 'Hooks that are registered and not in scope are neither run nor recorded.',
    async run({ open }) {
      let ran = 0;
      const count = watch('before_create_message', () => ran++);
      for (const scope of [{ promptHooks: [] }, {}]) {
        const trial = await open({ hooks: [count], ...oneCall(), ...scope });
        await trial.send('Go');
        happened(trial.sent().length, 'a call of the model');
        same([ran, (await trial.runs()).length], [0, 0], 'how often the hook ran, and the recorded runs');
        lacks(JSON.stringify(await trial.runs()), count.id, 'the record');
      }
      const trial = await open({ hooks: [count], ...oneCall(), promptHooks: [count.id] });
      await trial.send('Go');
      happened(ran, 'a run of the hook where it is in scope');
    },
  },
];

/** C1, C2, C7, C8 and C11, where no single hook's cases hold them. */
export const chainRuleCases: readonly Case[] = [...oneAtATime, ...rest];
