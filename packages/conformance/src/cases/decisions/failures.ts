import { type AnyHook, defineHook, type LifecycleName } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import { countedUntyped, happened, lines, never, onUntyped, scoped } from '../kit/index.ts';
import { asks, makeCall, results, SHORT, watchedTool } from '../kit/trials.ts';

type Deciding = 'before_tool_call' | 'before_permission_request' | 'before_user_message';
type Sort = 'fails' | 'hangs' | 'answers nonsense';
type Way = () => unknown;

class Allowance {
  readonly decision = 'allow';
}

const throwing =
  (what: unknown): Way =>
  () => {
    throw what;
  };

/** Every way in which a hook can keep its answer back, by the arguments that choose it. */
const ways: Readonly<Record<Sort, Readonly<Record<string, Way>>>> = {
  fails: {
    'throws at once': throwing(new Error('no luck')),
    'throws what is no error': throwing({ decision: 'allow' }),
    rejects: () => Promise.reject(new Error('no luck')),
    'rejects with nothing': () => Promise.reject(undefined),
  },
  hangs: { hangs: () => never() },
  'answers nonsense': {
    'the word alone': () => 'allow',
    true: () => true,
    'an unknown decision': () => ({ decision: 'maybe' }),
    'a decision in capitals': () => ({ decision: 'ALLOW' }),
    'a misspelt field': () => ({ desicion: 'deny' }),
    'a field of another format': () => ({ decision: 'allow', continue: true }),
    'a reason that is no text': () => ({ decision: 'allow', reason: 7 }),
    'a context that is no text': () => ({ decision: 'allow', context: [7] }),
    'a result that is none': () => ({ decision: 'allow', result: { status: 'fine' } }),
    'a list': () => [{ decision: 'allow' }],
    'an object of a class': () => new Allowance(),
    'an error': () => new Error('allow'),
  },
};

/** A hook that answers as the text it is given says. */
function answering(hook: Deciding, sort: Sort, wordOf: (subject: never) => string): AnyHook {
  const execute = (_: unknown, subject: never): unknown => ways[sort][wordOf(subject)]?.();
  return onUntyped(hook, execute, { id: 'guard', timeout: SHORT });
}

interface Called {
  readonly function: { readonly arguments: string };
}

const readWay = (call: Called): string => (JSON.parse(call.function.arguments) as { way: string }).way;

/** One call for each way; none of them may run. */
async function noneRuns(bench: TestBench, sort: Sort, policies: readonly AnyHook[]): Promise<void> {
  const named = Object.keys(ways[sort]);
  const tool = watchedTool();
  const trial = await bench.open({
    ...scoped(policies),
    tools: [tool],
    script: [asks(...named.map((way, i) => makeCall('act', { way }, `call_${i}`)))],
    onAsk: 'allow',
  });
  const { status } = await trial.send('Go');
  same(
    tool.ran.map(({ way }) => way),
    [],
    `the calls that ran although the hook ${sort}`,
  );
  same((await results(trial)).length, named.length, 'how many results were stored');
  same(status, 'completed', 'how the turn ended');
}

async function noneIsStored(bench: TestBench, sort: Sort): Promise<void> {
  const guard = answering('before_user_message', sort, ({ content }: { content: string }) => content);
  const trial = await bench.open({ ...scoped([guard]), onAsk: 'allow' });
  for (const way of Object.keys(ways[sort]))
    same((await trial.send(way)).status, 'denied', `a message whose hook ${sort} (${way})`);
  same(await lines(trial), [], 'what was stored');
  same(trial.sent().length, 0, 'how often the model was called');
}

const runs: Readonly<Record<Deciding, (bench: TestBench, sort: Sort) => Promise<void>>> = {
  before_tool_call: (bench, sort) =>
    noneRuns(bench, sort, [answering('before_tool_call', sort, (call: never) => readWay(call))]),
  before_permission_request: (bench, sort) =>
    noneRuns(bench, sort, [
      defineHook({ hook: 'before_tool_call', id: 'ask', execute: async (_) => ({ decision: 'ask' }) }),
      answering('before_permission_request', sort, ({ toolCall }: { toolCall: Called }) => readWay(toolCall)),
    ]),
  before_user_message: noneIsStored,
};

const deniedByDefault: readonly Case[] = (Object.keys(runs) as Deciding[]).flatMap((hook) =>
  (Object.keys(ways) as Sort[]).map((sort) => ({
    id: `${hook}.denies_when_it_${sort.replace(' ', '_')}`,
    section: `control ${hook}`,
    level: 'ours',
    needs: ['control'],
    hooks: [hook],
    failing: [hook],
    says: `A ${hook} hook that ${sort} denies.`,
    run: (bench) => runs[hook](bench, sort),
  })),
);

interface Failing {
  readonly policy: object;
  readonly way: Way;
  readonly onAsk?: 'allow' | 'deny' | undefined;
}

/** How often the tool ran behind a hook of this policy that fails or hangs. */
async function ranBehind(bench: TestBench, { policy, way, onAsk }: Failing): Promise<number> {
  const tool = watchedTool();
  const guard = countedUntyped('before_tool_call', way, { timeout: SHORT, ...policy });
  const trial = await bench.open({
    ...scoped([guard.hook]),
    tools: [tool],
    script: [asks(makeCall('act'))],
    ...(onAsk === undefined ? {} : { onAsk }),
  });
  await trial.send('Go');
  happened(guard.runs, 'a run of the hook');
  return tool.ran.length;
}

const throws = (): Promise<never> => Promise.reject(new Error('no luck'));
const about = { section: 'control before_tool_call', level: 'ours', needs: ['control'] } as const;
const hooks: readonly LifecycleName[] = ['before_tool_call'];

const saidOtherwise: readonly Case[] = [
  {
    ...about,
    hooks,
    id: 'decisions.on_error_continue_lets_it_pass',
    says: 'A decide hook that fails or hangs has no opinion where its definition says continue.',
    async run(bench) {
      const lenient = { onError: 'continue' };
      same(await ranBehind(bench, { policy: lenient, way: throws }), 1, 'how often the tool ran: it fails');
      same(await ranBehind(bench, { policy: lenient, way: never }), 1, 'how often the tool ran: it hangs');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.on_error_ask_asks',
    says: 'A decide hook that fails or hangs asks where its definition says ask.',
    async run(bench) {
      for (const way of [throws, never]) {
        const ran = (onAsk?: 'allow' | 'deny'): Promise<number> =>
          ranBehind(bench, { policy: { onError: 'ask' }, way, onAsk });
        same([await ran('allow'), await ran('deny'), await ran()], [1, 0, 0], 'how often the tool ran');
      }
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.on_timeout_is_apart_from_on_error',
    says: 'What a timeout does and what an error does can be told apart.',
    async run(bench) {
      const lenient = { onError: 'block', onTimeout: 'continue' };
      const strict = { onError: 'continue', onTimeout: 'block' };
      same(
        await ranBehind(bench, { policy: lenient, way: never }),
        1,
        'how often the tool ran: onTimeout says continue',
      );
      same(
        await ranBehind(bench, { policy: lenient, way: throws }),
        0,
        'how often the tool ran: onError says block',
      );
      same(
        await ranBehind(bench, { policy: strict, way: never }),
        0,
        'how often the tool ran: onTimeout says block',
      );
      same(
        await ranBehind(bench, { policy: strict, way: throws }),
        1,
        'how often the tool ran: onError says continue',
      );
    },
  },
];

/** What comes of a decide hook that gives no answer. */
export const failedDecisionCases: readonly Case[] = [...deniedByDefault, ...saidOtherwise];
