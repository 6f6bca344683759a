import type { AnyHook, LifecycleName, ThreadState } from '@spec/hooks';
import type { Ability, FullTrial, Setup, TrialTool } from '../../subject.ts';
import { gate, never, on } from '../kit/index.ts';
import { asks, makeCall, soon, userSays, watchedTool } from '../kit/trials.ts';

/** One way in which a message comes into being. */
export interface Way {
  /** The message in words: "a message that ...". */
  readonly what: string;
  readonly needs?: readonly Ability[];
  readonly hooks?: readonly LifecycleName[];
  /** What is stored in the end has this text in it, in the thread or in its subagent. */
  readonly stores: string;
  /** And this text it has not: the message stands in its place. */
  readonly replaces?: string;
  /** A setup of its own each time: tools and hooks remember. The text is for the message that this is about. */
  setup(text: string): Setup;
  /** Without it one message is sent. What it rejects with is nobody's business here. */
  go?(trial: FullTrial, text: string): Promise<unknown>;
}

const oneCall = [asks(makeCall('act'))];
const acting = (tool: TrialTool = watchedTool()): Setup => ({ tools: [tool], script: oneCall });

/** A hook that does something with its state when the message of the user has been stored. */
function whenSent(write: (state: ThreadState) => Promise<unknown>): AnyHook {
  return on(
    'after_create_message',
    async (state, { role, content }) => {
      if (role === 'user' && String(content).startsWith('Go')) await write(state);
    },
    { id: 'when_sent' },
  );
}

/** The text itself, wherever a runtime has nothing of its own to add. */
const TEXT = 'the text';

const fromTheModelAndTools: Readonly<Record<string, Way>> = {
  user: { what: 'the user sends', stores: TEXT, setup: () => ({}), go: (trial, text) => trial.send(text) },
  answer: { what: 'the model answers with', stores: TEXT, setup: (text) => ({ script: [{ text }] }) },
  answer_with_calls: {
    what: 'calls tools',
    stores: TEXT,
    setup: (text) => ({ tools: [watchedTool()], script: [{ text, calls: [makeCall('act')] }] }),
  },
  result: {
    what: 'holds the result of a tool',
    stores: TEXT,
    setup: (text) => acting(watchedTool('act', text)),
  },
  results_side_by_side: {
    what: 'holds one of several results',
    stores: TEXT,
    setup: (text) => ({
      tools: [watchedTool('act', text)],
      script: [asks(...['a', 'b', 'c'].map((id) => makeCall('act', {}, id)))],
    }),
  },
  failed_result: {
    what: 'holds the result of a tool that failed',
    stores: TEXT,
    setup: (text) => acting(watchedTool('act', { status: 'error', error: text })),
  },
  thrown_result: {
    what: 'tells of a tool that threw',
    stores: 'tool: ',
    setup: () => acting(watchedTool('act', () => Promise.reject(new Error('no luck')))),
  },
  unknown_tool: {
    what: 'tells of a tool that is not there',
    stores: 'tool: ',
    setup: () => ({ script: oneCall }),
  },
  terminated: {
    what: 'is there when a tool has ended the thread for good',
    stores: 'user: Go',
    setup: () =>
      acting(
        watchedTool('act', async (_, state) => {
          await state.terminate();
          return 'over';
        }),
      ),
  },
  error_row: {
    what: 'tells of a model that failed',
    stores: 'user: Go',
    setup: () => ({ script: [{ fails: true }] }),
  },
};

const kept: Readonly<Record<string, Way>> = {
  queued: {
    what: 'was queued from outside',
    needs: ['queue'],
    stores: TEXT,
    setup: () => ({}),
    async go(trial, text) {
      await trial.queue(userSays(text));
      await trial.send('Go');
    },
  },
  queued_by_a_hook: {
    what: 'was queued by a hook',
    needs: ['queue'],
    stores: TEXT,
    setup: (text) => ({ ...acting(), hooks: [whenSent((state) => state.queueMessage(userSays(text)))] }),
  },
  queued_by_a_tool: {
    what: 'was queued by a tool',
    needs: ['queue'],
    stores: TEXT,
    setup: (text) =>
      acting(
        watchedTool('act', async (_, state) => {
          await state.queueMessage(userSays(text));
          return 'acted';
        }),
      ),
  },
  injected: {
    what: 'was injected while nothing ran',
    needs: ['inject'],
    stores: TEXT,
    setup: () => ({}),
    go: (trial, text) => trial.inject(userSays(text)),
  },
  injected_by_a_hook: {
    what: 'was injected by a hook',
    needs: ['inject'],
    stores: TEXT,
    setup: (text) => ({ hooks: [whenSent((state) => state.injectMessage(userSays(text)))] }),
  },
  injected_during_a_batch: {
    what: 'was injected while tools ran',
    needs: ['inject'],
    stores: TEXT,
    setup: (text) =>
      acting(
        watchedTool('act', async (_, state) => {
          await state.injectMessage(userSays(text));
          return 'acted';
        }),
      ),
  },
};

const fromHooks: Readonly<Record<string, Way>> = {
  context_of_a_message: {
    what: 'holds what before_user_message adds',
    needs: ['control'],
    hooks: ['before_user_message'],
    stores: TEXT,
    setup: (text) => ({ hooks: [on('before_user_message', async () => ({ context: text }))] }),
  },
  context_of_a_call: {
    what: 'holds what before_tool_call adds',
    needs: ['control'],
    hooks: ['before_tool_call'],
    stores: TEXT,
    setup: (text) => ({ ...acting(), hooks: [on('before_tool_call', async () => ({ context: text }))] }),
  },
  context_of_a_batch: {
    what: 'holds what after_tool_batch says',
    needs: ['control'],
    hooks: ['after_tool_batch'],
    stores: TEXT,
    setup: (text) => ({ ...acting(), hooks: [on('after_tool_batch', async () => text)] }),
  },
  context_of_a_session: {
    what: 'holds what after_session_started says',
    needs: ['control', 'sessions'],
    hooks: ['after_session_started'],
    stores: TEXT,
    setup: (text) => ({ hooks: [on('after_session_started', async () => text)] }),
  },
  reason_to_go_on: {
    what: 'holds the reason of before_stop',
    needs: ['control'],
    hooks: ['before_stop'],
    stores: TEXT,
    setup: (text) => ({
      hooks: [on('before_stop', async (_, { keptGoing }) => (keptGoing === 0 ? { keepGoing: text } : null))],
    }),
  },
  denied_call: {
    what: 'tells of a call that was denied',
    needs: ['control'],
    hooks: ['before_tool_call'],
    stores: TEXT,
    setup: (text) => ({
      ...acting(),
      hooks: [on('before_tool_call', async () => ({ decision: 'deny', reason: text }))],
    }),
  },
  withheld_result: {
    what: 'tells of a result that was withheld',
    hooks: ['before_store_tool_result'],
    stores: 'tool: ',
    replaces: 'acted',
    setup: () => ({
      ...acting(),
      hooks: [on('before_store_tool_result', () => Promise.reject(new Error('no luck')))],
    }),
  },
  queued_call: {
    what: 'holds a call that a hook queued, or its result',
    needs: ['tools-from-hooks'],
    stores: TEXT,
    setup: (text) => ({
      tools: [watchedTool('act', text)],
      hooks: [whenSent((state) => state.queueTool('act', {}))],
    }),
  },
};

const ofOthers: Readonly<Record<string, Way>> = {
  first_of_a_child: {
    what: 'is the first one of a subagent, its answer, or its result',
    needs: ['subagents'],
    stores: TEXT,
    setup: (text) => ({
      script: [asks(makeCall('delegate', { task: text }))],
      subagent: { script: [{ text: 'Thought.' }] },
    }),
  },
  other_side: {
    what: 'comes from the other side of an agent with two',
    needs: ['dual'],
    stores: TEXT,
    setup: (text) => ({ script: [{ text: 'Hello.' }], otherSide: { script: [{ text }] } }),
  },
  stopped_call: {
    what: 'tells of a call that was stopped',
    needs: ['abort'],
    stores: 'tool: ',
    setup: () => ({}),
  },
  compacted: {
    what: 'is there after a compaction',
    needs: ['compaction'],
    stores: 'Go',
    setup: () => ({}),
    async go(trial) {
      for (const text of ['Go', 'Go on', 'Go further']) await trial.send(text);
      await trial.compact();
    },
  },
};

/** A turn that is stopped while its tool runs. */
function stopped(way: Way): Way {
  const running = gate();
  return {
    ...way,
    setup: () =>
      acting(
        watchedTool('act', () => {
          running.open();
          return never();
        }),
      ),
    async go(trial) {
      const sending = trial.send('Go');
      await soon(running.opened, 'the tool that is to be stopped');
      await trial.stop();
      await soon(sending, 'the turn that was stopped');
    },
  };
}

const all: Readonly<Record<string, Way>> = { ...fromTheModelAndTools, ...kept, ...fromHooks, ...ofOthers };

/** The names of all ways. */
export const wayNames: readonly string[] = Object.keys(all);

/** A way by its name, fit to be gone once. */
export function findWay(name: string): Way {
  const way = all[name] as Way;
  return name === 'stopped_call' ? stopped(way) : way;
}
