import { type AnyHook, type Decision, defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../src/index.ts';
import { type Kit, lines, never, onBothStores } from './kit.ts';

type Opinion = 'allow' | 'deny' | 'ask' | null;

function hookWith(id: string, opinion: Opinion): AnyHook {
  return defineHook({
    hook: 'before_tool_call',
    id,
    execute: async (_): Promise<Decision | null> =>
      opinion === null ? null : { decision: opinion, reason: `${id} says ${opinion}` },
  });
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

/** A runtime in which every message of the user has the model call `act` once with `{ n: 1 }`. */
async function acting(kit: Kit, policies: readonly AnyHook[], onAsk?: () => boolean) {
  const ran: unknown[] = [];
  const act = defineTool({
    name: 'act',
    input: z.object({ n: z.number() }),
    execute: (input) => {
      ran.push(input);
      return 'acted';
    },
  });
  const { thread } = await kit.thread({
    policies,
    tools: [act],
    script: [{ toolCalls: [{ id: 'c', name: 'act', input: { n: 1 } }] }, 'ok'],
    ...(onAsk === undefined ? {} : { onAsk }),
  });
  await thread.send('Go');
  const row = (await lines(thread)).find((line) => line.startsWith('tool:'));
  const runs = (await thread.runs()).filter(({ hook }) => hook === 'before_tool_call');
  return { ran, row, runs, thread };
}

/** All opinions that three hooks can have, each in every order. */
const opinionsOfThree: readonly Opinion[][] = [
  ...permutations<Opinion>(['allow', 'ask', 'deny']),
  ...permutations<Opinion>(['allow', 'ask', null]),
  ...permutations<Opinion>(['allow', 'deny', null]),
  ...permutations<Opinion>(['ask', 'deny', null]),
  ...permutations<Opinion>(['allow', 'allow', 'deny']),
  ...permutations<Opinion>(['allow', null, null]),
  [null, null, null],
];

onBothStores('deny > ask > allow > nothing, whatever the order', async (kit) => {
  for (const opinions of opinionsOfThree) {
    let asked = 0;
    const policies = opinions.map((opinion, i) => hookWith(`hook_${i}`, opinion));
    const { ran, row, runs } = await acting(kit, policies, () => {
      asked++;
      return true;
    });
    const denier = opinions.indexOf('deny');
    const named = JSON.stringify(opinions);
    expect(ran, named).toHaveLength(denier < 0 ? 1 : 0);
    expect(asked, named).toBe(denier < 0 && opinions.includes('ask') ? 1 : 0);
    const denied = `tool: This tool call was denied by hook_${denier}. hook_${denier} says deny`;
    expect(row, named).toBe(denier < 0 ? 'tool: acted' : denied);
    const outcomes = { allow: 'ok', ask: 'asked', deny: 'denied', null: 'ok' } as const;
    const expected = opinions.map((opinion, i) =>
      denier >= 0 && i > denier ? 'skipped' : outcomes[`${opinion}`],
    );
    expect(
      runs.map(({ outcome }) => outcome),
      named,
    ).toEqual(expected);
  }
});

onBothStores('a rewrite is shown again to the hooks that had decided; each is recorded', async (kit) => {
  const seen: string[] = [];
  const guard = defineHook({
    hook: 'before_tool_call',
    id: 'guard',
    execute: async (_, call) => {
      seen.push(call.function.arguments);
      return call.function.arguments.includes('13')
        ? { decision: 'deny', reason: 'unlucky' }
        : { decision: 'allow' };
    },
  });
  const rewrite = defineHook({
    hook: 'before_tool_call',
    id: 'rewrite',
    execute: async (_) => ({ input: { n: 13 } }),
  });
  const { ran, row, runs } = await acting(kit, [guard, rewrite]);
  expect(seen).toEqual(['{"n":1}', '{"n":13}']);
  expect([ran, row]).toEqual([[], 'tool: This tool call was denied by guard. unlucky']);
  expect(runs.map(({ id, outcome, changed }) => [id, outcome, changed])).toEqual([
    ['guard', 'ok', false],
    ['rewrite', 'changed', true],
    ['guard', 'denied', false],
  ]);
});

onBothStores(
  'hooks that rewrite each other’s input are heard for three rounds, then it is denied',
  async (kit) => {
    const set = (id: string, n: number): AnyHook =>
      defineHook({ hook: 'before_tool_call', id, execute: async (_) => ({ input: { n } }) });
    const { ran, row, runs } = await acting(kit, [set('one', 1), set('two', 2)]);
    expect(ran).toEqual([]);
    expect(row).toMatch(
      /^tool: This tool call was denied by \w+\. The input was rewritten again and again, /,
    );
    expect(runs.length).toBeLessThanOrEqual(8);
  },
);

onBothStores(
  'what a hook made of the input must fit the tool, and the values are told nowhere',
  async (kit) => {
    const wrong = defineHook({
      hook: 'before_tool_call',
      id: 'wrong',
      execute: async (_) => ({ decision: 'allow', input: { n: 'secret' } }),
    });
    const { ran, row, runs } = await acting(kit, [wrong]);
    expect(ran).toEqual([]);
    expect(row).toContain('This tool call was denied by wrong.');
    expect(JSON.stringify([row, runs])).not.toContain('secret');
    expect(runs).toMatchObject([{ outcome: 'invalid_result', code: 'invalid_result' }]);
  },
);

onBothStores('each way to fail denies, unless the hook says otherwise', async (kit) => {
  const ways: Record<string, () => Promise<never>> = {
    throws: () => Promise.reject(new Error('secret')),
    hangs: () => never(),
    nonsense: async () => 'allow' as never,
    unknown_field: async () => ({ desicion: 'allow' }) as never,
  };
  for (const [id, execute] of Object.entries(ways)) {
    const failing = (onError?: 'continue' | 'ask'): AnyHook =>
      defineHook({
        hook: 'before_tool_call',
        id,
        timeout: 20,
        execute,
        ...(onError === undefined ? {} : { onError }),
      });
    const denied = await acting(kit, [failing()], () => true);
    expect([denied.ran, denied.row?.includes(`denied by ${id}.`)], id).toEqual([[], true]);
    expect((await acting(kit, [failing('continue')])).ran, id).toHaveLength(1);
    let asked = 0;
    expect((await acting(kit, [failing('ask')], () => ++asked > 0)).ran, id).toHaveLength(1);
    expect(asked, id).toBe(1);
  }
});

onBothStores(
  'before_stop keeps a turn going at most 8 times, and its failure lets the turn end',
  async (kit) => {
    const counts: number[] = [];
    const forever = defineHook({
      hook: 'before_stop',
      id: 'forever',
      execute: async (_, { keptGoing }) => {
        counts.push(keptGoing);
        return { keepGoing: `again ${keptGoing}` };
      },
    });
    const script = Array.from({ length: 20 }, (_, i) => `answer ${i}`);
    const { thread } = await kit.thread({ policies: [forever], script });
    expect(await thread.send('Go')).toMatchObject({ status: 'completed', steps: 9, text: 'answer 8' });
    expect(counts).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const broken = defineHook({
      hook: 'before_stop',
      id: 'broken',
      execute: () => Promise.reject(new Error('secret')),
    });
    const other = await kit.thread({ policies: [broken], script });
    expect(await other.thread.send('Go')).toMatchObject({ status: 'completed', steps: 1 });
  },
);

onBothStores('a denied call is answered with the reason, and the model goes on', async (kit) => {
  const { thread } = await acting(kit, [hookWith('no', 'deny')]);
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: null', 'tool: This tool call was denied by no. no says deny'],
    'assistant: ok',
  ]);
});
