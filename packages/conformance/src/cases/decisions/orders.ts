import { type AnyHook, defineHook } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import { scoped } from '../kit/index.ts';
import { asks, contains, makeCall, results, watchedTool } from '../kit/trials.ts';

type Opinion = 'allow' | 'deny' | 'ask' | null;
type Person = 'allow' | 'deny' | 'nobody';

const opinions: readonly Opinion[] = ['allow', 'deny', 'ask', null];

/** Every way in which so many hooks can answer, in every order. */
function everyOrder(count: number): Opinion[][] {
  if (count === 0) return [[]];
  return everyOrder(count - 1).flatMap((rest) => opinions.map((opinion) => [opinion, ...rest]));
}

/** A hook that answers each call with the opinion that the call's arguments have for its position. */
function opinionated(position: number, asked: string[]): AnyHook {
  return defineHook({
    hook: 'before_tool_call',
    id: `hook_${position}`,
    execute: async (_, call) => {
      const input = JSON.parse(call.function.arguments) as { opinions: Opinion[] };
      const opinion = input.opinions[position] ?? null;
      asked.push(`${call.id} ${position}`);
      return opinion === null ? null : { decision: opinion, reason: `hook_${position} says ${opinion}` };
    },
  });
}

function runs(order: readonly Opinion[], person: Person): boolean {
  if (order.includes('deny')) return false;
  return !order.includes('ask') || person === 'allow';
}

/** One call for every order, all in one answer of the model. */
async function everyOrderHolds(bench: TestBench, count: number, person: Person): Promise<void> {
  const orders = everyOrder(count);
  const asked: string[] = [];
  const tool = watchedTool();
  const trial = await bench.open({
    ...scoped(Array.from({ length: count }, (_, position) => opinionated(position, asked))),
    tools: [tool],
    script: [asks(...orders.map((order, i) => makeCall('act', { opinions: order }, `call_${i}`)))],
    ...(person === 'nobody' ? {} : { onAsk: person }),
  });
  await trial.send('Go');
  const ran = new Set(tool.ran.map((input) => JSON.stringify(input.opinions)));
  const rows = await results(trial);
  same(rows.length, orders.length, 'a stored result for every call');
  for (const [i, order] of orders.entries()) {
    const named = `hooks that say ${order.join(', ')}, and a person who ${person === 'nobody' ? 'is not there' : `would ${person}`}`;
    same(ran.has(JSON.stringify(order)), runs(order, person), `${named}: the tool ran`);
    const denier = order.indexOf('deny');
    if (denier < 0) continue;
    contains(rows[i], `hook_${denier} says deny`, `${named}: the result`);
    const after = asked.filter((line) => line.startsWith(`call_${i} `)).length;
    same(after, denier + 1, `${named}: how many hooks were asked`);
  }
}

async function everyPerson(bench: TestBench, count: number): Promise<void> {
  for (const person of ['allow', 'deny', 'nobody'] as const) await everyOrderHolds(bench, count, person);
}

const about = { section: 'control before_tool_call', level: 'ours', needs: ['control'] } as const;
const hooks = ['before_tool_call'] as const;

export const orderCases: readonly Case[] = [
  {
    ...about,
    hooks,
    id: 'decisions.two_hooks_in_every_order',
    says: 'Of two hooks, deny beats ask, ask beats allow, and allow beats nothing, whatever their order.',
    run: (bench) => everyPerson(bench, 2),
  },
  {
    ...about,
    hooks,
    id: 'decisions.three_hooks_in_every_order',
    says: 'Of three hooks, deny beats ask, ask beats allow, and allow beats nothing, whatever their order.',
    run: (bench) => everyPerson(bench, 3),
  },
  {
    ...about,
    hooks,
    id: 'decisions.deny_stops_the_chain',
    says: 'After a deny no later hook is asked.',
    async run(bench) {
      let later = 0;
      const deny = defineHook({
        hook: 'before_tool_call',
        id: 'deny',
        execute: async (_) => ({ decision: 'deny', reason: 'no' }),
      });
      const after = defineHook({
        hook: 'before_tool_call',
        id: 'after',
        execute: async (_) => {
          later++;
          return { decision: 'allow' };
        },
      });
      const script = [asks(makeCall('act'))];
      const trial = await bench.open({ ...scoped([deny, after]), tools: [watchedTool()], script });
      await trial.send('Go');
      contains((await results(trial))[0], 'no', 'the stored result of the call');
      same(later, 0, 'how often the hook behind the deny was asked');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.allow_never_beats_a_later_deny',
    says: 'An allow is remembered, and a deny that comes after it wins.',
    async run(bench) {
      const tool = watchedTool();
      const says = (id: string, decision: 'allow' | 'deny'): AnyHook =>
        defineHook({
          hook: 'before_tool_call',
          id,
          execute: async (_) => ({ decision, reason: `by ${id}` }),
        });
      const setup = scoped([says('first', 'allow'), says('second', 'allow'), says('third', 'deny')]);
      const trial = await bench.open({ ...setup, tools: [tool], script: [asks(makeCall('act'))] });
      await trial.send('Go');
      same(tool.ran.length, 0, 'how often the tool ran');
      contains((await results(trial))[0], 'by third', 'the stored result');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.ask_without_anybody_is_a_deny',
    says: 'An ask that nobody can answer is a deny, and the model is told so in a result.',
    async run(bench) {
      const tool = watchedTool();
      const ask = defineHook({
        hook: 'before_tool_call',
        id: 'ask',
        execute: async (_) => ({ decision: 'ask', reason: 'It costs money.' }),
      });
      const trial = await bench.open({ ...scoped([ask]), tools: [tool], script: [asks(makeCall('act'))] });
      const { status } = await trial.send('Go');
      same(tool.ran.length, 0, 'how often the tool ran');
      same(status, 'completed', 'how the turn ended');
      const [row] = await results(trial);
      holds(row !== undefined && row !== 'acted', 'the call must have a stored result that refuses it');
    },
  },
];
