import type { AnyHook, LifecycleName } from '@spec/hooks';
import { lifecycleTable } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../case.ts';
import type { Ability, FullTrial, Setup } from '../subject.ts';
import { isValidHistory } from './kit/history.ts';
import {
  type Gate,
  gate,
  lines,
  never,
  on,
  onUntyped,
  scoped,
  stored,
  withText,
  writeLine,
} from './kit/index.ts';
import {
  asks,
  contains,
  makeCall,
  results,
  soon,
  userSays,
  type WatchedTool,
  watchedTool,
} from './kit/trials.ts';

const about = { section: 'design 7.3', level: 'ours', needs: ['resume'] } as const;

/** Where the process dies: in a hook of this name, when it is called on something of this role. */
interface Place {
  readonly hook: LifecycleName;
  readonly role?: 'user' | 'assistant' | 'tool';
}

const places: readonly Place[] = [
  { hook: 'before_user_message' },
  { hook: 'before_create_message', role: 'user' },
  { hook: 'after_create_message', role: 'user' },
  { hook: 'after_system_message' },
  { hook: 'filter_messages' },
  { hook: 'prefilter_llm_history' },
  { hook: 'before_create_message', role: 'assistant' },
  { hook: 'after_create_message', role: 'assistant' },
  { hook: 'before_tool_call' },
  { hook: 'after_tool_call_success' },
  { hook: 'before_store_tool_result' },
  { hook: 'before_create_message', role: 'tool' },
  { hook: 'after_create_message', role: 'tool' },
  { hook: 'after_tool_batch' },
  { hook: 'before_stop' },
];

/** A hook that hangs the first time that the turn comes to its place. */
function dying({ hook, role }: Place, reached: Gate<void>): AnyHook {
  let isOver = false;
  const execute = async (_state: unknown, ...args: unknown[]): Promise<unknown> => {
    const subject = args.at(-1) as { role?: string } | undefined;
    if (!isOver && (role === undefined || subject?.role === role)) {
      isOver = true;
      reached.open();
      return never();
    }
    return lifecycleTable[hook].kind === 'transform' ? subject : null;
  };
  return onUntyped(hook, execute, { id: 'dying' });
}

const stamp = on('before_create_message', async (_, message) => withText(message, (text) => `${text}*`), {
  id: 'stamp',
});

interface Death {
  readonly setup: Setup;
  readonly reached: Gate<void>;
  readonly tool: WatchedTool;
}

/** A turn with two calls, in which the process dies once. */
function deathAt(place: Place): Death {
  const reached = gate();
  const tool = watchedTool();
  const hooks = [stamp, dying(place, reached)];
  const script = [asks(makeCall('act', { n: 1 }, 'a'), makeCall('act', { n: 2 }, 'b')), { text: 'Done.' }];
  const setup = { hooks, promptHooks: hooks.map(({ id }) => id), tools: [tool], script };
  return { setup, reached, tool };
}

async function diesAndGoesOn({ open }: TestBench, place: Place): Promise<void> {
  const { setup, reached, tool } = deathAt(place);
  const trial = await open(setup);
  void trial.send('Go').catch(() => {});
  await soon(reached.opened, 'the hook in which the process dies');
  const before = await stored(trial);
  const again = await soon(trial.crashAndResume(), 'the end of the turn in the other instance');
  const after = await stored(again);
  isValidHistory(after, 'the history after the crash');
  const kept = after.slice(0, before.length);
  same(kept, before, 'what was stored before the crash, as it is afterwards');
  for (const message of after)
    if (message.content !== null)
      same(message.content.split('*').length, 2, `stamps plus one on ${writeLine(message)}`);
  const ns = tool.ran.map(({ n }) => n);
  same(new Set(ns).size, ns.length, 'how often the calls ran, at most once each');
  const begun = after.filter(({ role }) => role === 'user').length;
  holds(begun <= 1, `expected the message of the user at most once, got it ${begun} times`);
  if (begun === 1) same(after.at(-1)?.content, 'Done.*', 'the last message of a turn that had begun');
  same((await again.send('And now?')).status, 'completed', 'how the next turn ended');
  isValidHistory(await again.messages(), 'the history after the next turn');
}

/** A turn whose process dies in a tool that may run again; the second time it answers. */
async function diesInATool(
  { open }: TestBench,
  hooks: readonly AnyHook[],
): Promise<{ tool: WatchedTool; again: FullTrial }> {
  const reached = gate();
  let runs = 0;
  const tool = watchedTool('act', async () => {
    if (runs++ > 0) return 'acted';
    reached.open();
    return never();
  });
  const script = [asks(makeCall('act')), { text: 'I see.' }];
  const trial = await open(scoped(hooks, { tools: [{ ...tool, onInterrupted: 'retry' }], script }));
  void trial.send('Go').catch(() => {});
  await soon(reached.opened, 'the tool in which the process dies');
  const again = await soon(trial.crashAndResume(), 'the end of the turn in the other instance');
  same((await lines(again)).at(-1), 'assistant: I see.', 'the last message');
  return { tool, again };
}

const control: ReadonlySet<string> = new Set([
  'before_user_message',
  'before_tool_call',
  'after_tool_batch',
  'before_stop',
]);

const atPlaces: readonly Case[] = places.map((place) => {
  const { hook, role } = place;
  return {
    ...about,
    id: `crashes.in_${hook}${role === undefined ? '' : `_of_${role}`}`,
    says: `After a crash in ${hook}${role === undefined ? '' : ` (${role})`} each message is there once, every call has its result, no call ran twice, and the thread goes on.`,
    needs: [...about.needs, ...(control.has(hook) ? (['control'] as Ability[]) : [])],
    hooks: [hook],
    run: (bench) => diesAndGoesOn(bench, place),
  };
});

/** Crashes in the middle of a turn (design §7.3). */
export const crashCases: readonly Case[] = [
  ...atPlaces,
  {
    ...about,
    id: 'crashes.in_a_tool',
    says: 'A call that had begun when the process died does not run again by itself: it has an error result, and the model goes on.',
    async run({ open }) {
      const reached = gate();
      const tool = watchedTool('act', () => {
        reached.open();
        return never();
      });
      const trial = await open({ tools: [tool], script: [asks(makeCall('act')), { text: 'I see.' }] });
      void trial.send('Go').catch(() => {});
      await soon(reached.opened, 'the tool in which the process dies');
      const again = await soon(trial.crashAndResume(), 'the end of the turn in the other instance');
      same(tool.ran.length, 1, 'how often the tool was begun');
      isValidHistory(await again.messages(), 'the history after the crash');
      same((await lines(again)).at(-1), 'assistant: I see.', 'the last message');
    },
  },
  {
    ...about,
    id: 'crashes.retry_a_tool_that_says_so',
    says: 'A call of a tool with onInterrupted "retry" that had begun when the process died runs again, once.',
    async run(bench) {
      const { tool, again } = await diesInATool(bench, []);
      same(tool.ran.length, 2, 'how often the tool was begun');
      isValidHistory(await again.messages(), 'the history after the crash');
      same(await results(again), ['acted'], 'the stored results');
    },
  },
  {
    ...about,
    id: 'crashes.retry_is_decided_again',
    says: 'A call that runs again after a crash is shown to before_tool_call again: denied now, it does not run.',
    needs: ['resume', 'control'],
    hooks: ['before_tool_call'],
    async run(bench) {
      let asked = 0;
      const guard = on('before_tool_call', async () =>
        ++asked === 1 ? null : { decision: 'deny', reason: 'No more.' },
      );
      const { tool, again } = await diesInATool(bench, [guard]);
      same([asked, tool.ran.length], [2, 1], 'how often the hook was asked, and the tool begun');
      isValidHistory(await again.messages(), 'the history after the crash');
      contains((await results(again)).join(' | '), 'No more.', 'the stored result');
    },
  },
  {
    ...about,
    id: 'crashes.keep_finished_results',
    says: 'Of calls side by side, one that was answered before the crash keeps its result.',
    hooks: ['after_create_message'],
    async run({ open }) {
      const [isStored, isBegun] = [gate(), gate()];
      const tool = watchedTool('act', ({ n }) => {
        if (n === 1) return Promise.resolve('first');
        isBegun.open();
        return never();
      });
      const look = on('after_create_message', async (_, { role }) => {
        if (role === 'tool') isStored.open();
      });
      const calls = asks(makeCall('act', { n: 1 }, 'a'), makeCall('act', { n: 2 }, 'b'));
      const trial = await open(scoped([look], { tools: [tool], script: [calls, { text: 'I see.' }] }));
      void trial.send('Go').catch(() => {});
      await soon(Promise.all([isStored.opened, isBegun.opened]), 'the first result, and the second call');
      const again = await soon(trial.crashAndResume(), 'the end of the turn in the other instance');
      const stored = await lines(again);
      isValidHistory(await again.messages(), 'the history after the crash');
      same(stored[2], 'tool: first', 'the result of the call that had ended');
      same(stored.length, 5, 'how many messages are stored');
    },
  },
  {
    ...about,
    id: 'crashes.keep_what_is_queued',
    says: 'A message that was queued before the crash comes once.',
    needs: ['resume', 'queue'],
    hooks: ['before_create_message'],
    async run({ open }) {
      const { setup, reached } = deathAt({ hook: 'filter_messages' });
      const trial = await open(setup);
      await trial.queue(userSays('By the way.'));
      void trial.send('Go').catch(() => {});
      await soon(reached.opened, 'the hook in which the process dies');
      const again = await soon(trial.crashAndResume(), 'the end of the turn in the other instance');
      const found = (await lines(again)).filter((line) => line === 'user: By the way.*');
      same(found.length, 1, 'how often the queued message is stored');
    },
  },
  {
    ...about,
    id: 'crashes.between_turns_change_nothing',
    says: 'A crash while nothing runs leaves the thread as it was.',
    async run({ open }) {
      const trial = await open({ script: [{ text: 'One.' }, { text: 'Two.' }] });
      await trial.send('1');
      const before = await stored(trial);
      const again = await soon(trial.crashAndResume(), 'the thread in the other instance');
      same(await stored(again), before, 'what is stored');
      await again.send('2');
      contains((await lines(again)).at(-1), 'Two.', 'the next answer');
    },
  },
];
