import type { HookToolResult, LifecycleName, ThreadState } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { Ability, FullTrial, Setup } from '../../subject.ts';
import { gate, never, on, onUntyped, watch } from '../kit/index.ts';
import { asks, contains, makeCall, soon, watchedTool } from '../kit/trials.ts';
import { storedEverywhere } from '../messages/once.ts';

const REASON = 'Nobody wipes disks here.';
const disk = { disk: '/dev/sda' };
const wipe = (id: string = 'wipe_1'): ReturnType<typeof makeCall> => makeCall('wipe', disk, id);
const script = [asks(wipe())];

/** The deny under test: the same one for every way. */
const noWiping = on('before_tool_call', async () => ({ decision: 'deny', reason: REASON }), {
  id: 'no_wiping',
  match: { tools: 'wipe', input: { disk: '^/' } },
});

/** What callers that are no model were answered. */
type Answers = HookToolResult[];

/** One way to a tool. */
interface Way {
  readonly what: string;
  readonly needs?: readonly Ability[];
  readonly hooks?: readonly LifecycleName[];
  /** How many stored results tell the reason. Default 1. */
  readonly denials?: number;
  /** The hook that denies is a policy: scoped hooks do not get there, or are not to. */
  readonly isPolicy?: true;
  setup(answers: Answers): Setup;
  /** Without it one message is sent. */
  go?(trial: FullTrial): Promise<FullTrial>;
}

/** Invokes the tool, once, from a hook. */
function invoking(name: 'before_user_message' | 'after_create_message' | 'filter_messages'): Way {
  return {
    what: `is invoked by a ${name} hook`,
    needs: ['tools-from-hooks', ...(name === 'before_user_message' ? (['control'] as const) : [])],
    hooks: [name],
    denials: 0,
    setup(answers) {
      const execute = async (state: ThreadState, subject: unknown): Promise<unknown> => {
        if (answers.length === 0) answers.push(await state.invokeTool('wipe', disk));
        return name === 'filter_messages' ? subject : null;
      };
      return { hooks: [onUntyped(name, execute)] };
    },
  };
}

const fromTheModel: Readonly<Record<string, Way>> = {
  single_call: { what: 'is called by the model', setup: () => ({ script }) },
  calls_side_by_side: {
    what: 'is called by the model several times at once',
    denials: 3,
    setup: () => ({ script: [asks(wipe('a'), wipe('b'), wipe('c'))] }),
  },
  call_in_a_later_step: {
    what: 'is called by the model in a later step',
    setup: () => ({ tools: [watchedTool()], script: [asks(makeCall('act', {}, 'act_1')), ...script] }),
  },
  retried_call: {
    what: 'is called by the model again after it was denied',
    denials: 2,
    setup: () => ({ script: [asks(wipe('a')), asks(wipe('b'))] }),
  },
  rewritten_call: {
    what: 'is called with other arguments, which a later hook rewrites',
    setup: () => ({
      script: [asks(makeCall('wipe', { disk: 'none' }))],
      hooks: [on('before_tool_call', async () => ({ input: disk }), { id: 'rewriting', priority: -1 })],
    }),
  },
  call_of_the_create_chain: {
    what: 'is called by an answer that the create chain rewrote',
    setup: () => ({
      script: [{ text: 'Nothing to do.' }],
      hooks: [
        on('before_create_message', async (_, message) => {
          if (message.content !== 'Nothing to do.') return message;
          const { id, name, input } = wipe();
          const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
          return { ...message, tool_calls: JSON.stringify([call]) };
        }),
      ],
    }),
  },
  call_that_a_hook_allows: {
    what: 'is called by the model, and another hook allows it',
    setup: () => ({
      script,
      hooks: [on('before_tool_call', async () => ({ decision: 'allow' }), { id: 'eager', priority: 10 })],
    }),
  },
};

const fromHooks: Readonly<Record<string, Way>> = {
  queued_by_a_hook: {
    what: 'is queued by a hook',
    needs: ['tools-from-hooks'],
    setup: () => ({
      hooks: [
        on('after_create_message', async (state, { role }) => {
          if (role === 'user') await state.queueTool('wipe', disk);
        }),
      ],
    }),
  },
  invoked_by_before_user_message: invoking('before_user_message'),
  invoked_by_after_create_message: invoking('after_create_message'),
  invoked_by_filter_messages: invoking('filter_messages'),
  invoked_by_a_tool: {
    what: 'is invoked by another tool',
    needs: ['tools-from-hooks'],
    denials: 0,
    setup: (answers) => ({
      tools: [
        watchedTool('act', async (_, state) => {
          answers.push(await state.invokeTool('wipe', disk));
          return 'acted';
        }),
      ],
      script: [asks(makeCall('act'))],
    }),
  },
  invoked_by_a_deciding_hook: {
    what: 'is invoked by a hook that decides on another call',
    needs: ['tools-from-hooks'],
    denials: 0,
    setup: (answers) => ({
      tools: [watchedTool()],
      script: [asks(makeCall('act'))],
      hooks: [
        watch('before_tool_call', async (state) => answers.push(await state.invokeTool('wipe', disk)), {
          id: 'invoking',
          match: 'act',
        }),
      ],
    }),
  },
};

const elsewhere: Readonly<Record<string, Way>> = {
  call_of_a_prompt_without_hooks: {
    what: 'is called by the model under a prompt that names no hooks, and a policy denies it',
    needs: ['policies'],
    isPolicy: true,
    setup: () => ({ script, promptHooks: [] }),
  },
  call_in_a_subagent: {
    what: 'is called by the model of a subagent, and a policy denies it',
    needs: ['policies', 'subagents'],
    isPolicy: true,
    setup: () => ({
      script: [asks(makeCall('delegate', { task: 'Wipe it.' }))],
      subagent: { promptHooks: [], script },
    }),
  },
  call_of_the_other_side: {
    what: 'is called by the model of the other side of an agent with two',
    needs: ['dual'],
    setup: () => ({
      script: [{ text: 'Hello.' }],
      otherSide: { script: [...script, { text: 'I could not.' }], promptHooks: [noWiping.id] },
    }),
  },
  call_in_another_instance: {
    what: 'is called by the model after the thread was opened again',
    needs: ['reopen'],
    setup: () => ({ script: [{ text: 'Hello.' }, ...script] }),
    async go(trial) {
      await trial.send('Hello');
      const again = await trial.reopen();
      await again.send('Go');
      return again;
    },
  },
};

/** The model calls the tool; the process dies while a hook decides, and another one goes on. */
const resumed: Way = {
  what: 'is left behind by a crash, before it was decided on',
  needs: ['resume'],
  setup: () => ({ script }),
};

function crashing(way: Way): Way {
  const reached = gate();
  let crashes = 0;
  const hanging = on(
    'before_tool_call',
    () => {
      if (crashes++ > 0) return Promise.resolve(null);
      reached.open();
      return never();
    },
    { id: 'hanging', priority: 10 },
  );
  return {
    ...way,
    setup: () => ({ script, hooks: [hanging] }),
    async go(trial) {
      void trial.send('Go').catch(() => {});
      await soon(reached.opened, 'the hook in which the process dies');
      return soon(trial.crashAndResume(), 'the turn that was left behind');
    },
  };
}

const ways: Readonly<Record<string, Way>> = {
  ...fromTheModel,
  ...fromHooks,
  ...elsewhere,
  call_left_behind_by_a_crash: resumed,
};

async function isDenied({ open }: TestBench, way: Way): Promise<void> {
  const { setup, go, denials = 1, isPolicy, needs = [] } = way;
  const answers: Answers = [];
  const tool = watchedTool('wipe', 'wiped');
  const { hooks = [], tools = [], ...rest } = setup(answers);
  const scope = isPolicy ? [] : [...hooks, noWiping].map(({ id }) => id);
  const trial = await open({
    promptHooks: scope,
    ...rest,
    hooks: isPolicy ? hooks : [...hooks, noWiping],
    tools: [...tools, tool],
    ...(isPolicy ? { policies: [noWiping] } : {}),
    onAsk: 'allow',
  });
  const last = go === undefined ? trial : await go(trial);
  if (go === undefined) await trial.send('Go');
  same(tool.ran, [], 'what the denied tool was run with');
  const stored = await storedEverywhere(last, needs.includes('subagents'));
  const texts = stored.filter(({ role, content }) => role === 'tool' && content?.includes(REASON));
  same(texts.length, denials, 'how many stored results tell the reason of the deny');
  if (denials > 0) return;
  same(answers.length, 1, 'how many callers were answered');
  same(answers[0]?.status, 'error', 'the status that the caller was answered');
  contains(answers[0]?.error, REASON, 'the error that the caller was answered');
}

/** Whichever way leads to a tool, one deny closes it. */
export const deniedEverywhereCases: readonly Case[] = Object.entries(ways).map(([name, way]) => ({
  id: `tools.${name}_is_judged`,
  section: 'control before_tool_call',
  level: 'ours',
  needs: [...new Set<Ability>(['control', ...(way.needs ?? [])])],
  hooks: ['before_tool_call', ...(way.hooks ?? [])],
  says: `A denied tool does not run where it ${way.what}, and whoever called it gets the reason.`,
  run: (bench) => isDenied(bench, name === 'call_left_behind_by_a_crash' ? crashing(way) : way),
}));
