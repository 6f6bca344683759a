import {
  createExecutor,
  createRegistry,
  defineHook,
  emptyScope,
  type HookMessage,
  type RunRecord,
  type ThreadState,
} from '@spec/hooks';
import { createHooks } from 'hookable';
import pTimeout from 'p-timeout';
import { AsyncSeriesWaterfallHook } from 'tapable';
import type { Bench } from './bench.ts';
import { conversation } from './conversation.ts';
import { measure } from './measure.ts';
import { stateAtRest as state } from './state-at-rest.ts';

const messages = conversation(20);

type Filter = (state: ThreadState, messages: HookMessage[]) => Promise<HookMessage[]>;

/** What such hooks do: take the newest, leave some out, shorten what is long, only look. Here none has anything to change. */
const filters: readonly Filter[] = [
  async (_state, history) => history.slice(-20),
  async (_state, history) => history.filter(({ role }) => role !== 'system'),
  async (_state, history) =>
    history.map((message) => (isLong(message) ? { ...message, content: '(cut)' } : message)),
  async (_state, history) => history,
];

const isLong = ({ role, content }: HookMessage): boolean => role === 'tool' && (content?.length ?? 0) > 2_000;

export const emptyChain: Bench = {
  name: 'empty-chain',
  about: 'a chain with no hook in scope against awaiting an async function',
  unit: 'ns',
  comparisons: [{ of: 'chain without hooks', against: 'await of an async function', atMost: 1.2 }],
  run() {
    const { run } = createExecutor();
    const bare = async (history: HookMessage[]): Promise<HookMessage[]> => history;
    return measure({
      'chain without hooks': () => run('filter_messages', emptyScope, state, messages),
      'await of an async function': () => bare(messages),
    });
  },
};

const OURS = 'chain of four hooks';

export const chainOfFour: Bench = {
  name: 'chain-of-four',
  about:
    'four filter_messages hooks on 20 messages: ours with a timeout, a signal, copies for each and a record of each',
  unit: 'ns',
  comparisons: [
    { of: OURS, against: 'p-timeout and AbortController for each', atMost: 0.15 },
    { of: OURS, against: 'hookable callHook', atMost: 2.5 },
    { of: OURS, against: 'tapable AsyncSeriesWaterfallHook' },
    { of: OURS, against: 'four awaits' },
    { of: `${OURS}, all reading their signal`, against: 'p-timeout and AbortController for each' },
  ],
  run: () =>
    measure({
      [OURS]: makeChain(filters),
      [`${OURS}, all reading their signal`]: makeChain(filters.map(readingSignal)),
      'p-timeout and AbortController for each': naiveChain,
      'hookable callHook': hookableChain(),
      'tapable AsyncSeriesWaterfallHook': tapableChain(),
      'four awaits': fourAwaits,
    }),
};

function makeChain(executes: readonly Filter[]): () => unknown {
  const records: RunRecord[] = [];
  const { run } = createExecutor({
    onRun(record) {
      if (records.push(record) === 1_000) records.length = 0;
    },
  });
  const hooks = executes.map((execute, i) =>
    defineHook({ hook: 'filter_messages', id: `filter_${i}`, execute }),
  );
  const scope = createRegistry({ policies: hooks }).scope();
  return () => run('filter_messages', scope, state, messages);
}

const readingSignal =
  (filter: Filter): Filter =>
  async (view, history) => {
    view.execution.abortSignal.throwIfAborted();
    return filter(view, history);
  };

/** Without copies, records, a check of what comes back, or anything that keeps a late hook from writing. */
async function naiveChain(): Promise<HookMessage[]> {
  let history = messages;
  for (const filter of filters) {
    const controller = new AbortController();
    const view = { ...state, execution: { ...state.execution, abortSignal: controller.signal } };
    const fallback = (): HookMessage[] => {
      controller.abort();
      return history;
    };
    history = await pTimeout(filter(view, history), { milliseconds: 5_000, fallback });
  }
  return history;
}

function hookableChain(): () => unknown {
  type Look = (state: ThreadState, history: HookMessage[]) => void;
  const looks: readonly Look[] = filters;
  const hooks = createHooks<{ filter: Look }>();
  for (const look of looks) hooks.hook('filter', look);
  return () => hooks.callHook('filter', state, messages);
}

function tapableChain(): () => unknown {
  const hook = new AsyncSeriesWaterfallHook<[HookMessage[]]>(['history']);
  filters.forEach((filter, i) => {
    hook.tapPromise(`filter ${i}`, (history) => filter(state, history));
  });
  return () => hook.promise(messages);
}

async function fourAwaits(): Promise<HookMessage[]> {
  let history = messages;
  for (const filter of filters) history = await filter(state, history);
  return history;
}
