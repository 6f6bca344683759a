// Approvals by interrupts: what a person has seen is what runs, and each call has a decision of its own.
import { Command, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { defineHook } from '@spec/hooks';
import { AIMessage, createAgent, fakeModel, HumanMessage, tool } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware } from '../src/index.ts';

const pay = (...amounts: number[]): AIMessage =>
  new AIMessage({
    content: '',
    tool_calls: amounts.map((amount) => ({
      ...{ id: `c${amount}`, name: 'pay', args: { amount }, type: 'tool_call' as const },
    })),
  });
const approve = { decisions: [{ type: 'approve' }] };

interface Asked {
  readonly __interrupt__?: readonly { readonly id: string; readonly value: Shown }[];
}
interface Shown {
  readonly actionRequests?: readonly { readonly args: { readonly amount: number } }[];
}

/** A hook that asks about each payment, with arguments that it makes by then. */
function makePayments(rewrite: (amount: number) => number, execute = (amount: number) => `paid ${amount}`) {
  const run = vi.fn(execute);
  const schema = z.object({ amount: z.number() });
  const asking = defineHook({
    hook: 'before_tool_call',
    id: 'asking',
    match: 'pay',
    execute: async (_state, { input }) => ({
      decision: 'ask',
      input: { amount: rewrite(Number(input.amount)) },
    }),
  });
  const payTool = tool(async ({ amount }) => run(amount), { name: 'pay', description: 'Pays.', schema });
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: 't' } };
  /** Another process each time: nothing but the checkpointer is kept. */
  async function ask(
    ...[input, model, version = 'v2']: [unknown, ReturnType<typeof fakeModel>, ('v1' | 'v2')?]
  ) {
    const middleware = [hooksMiddleware({ hooks: [asking] })];
    const agent = createAgent({ model, tools: [payTool], checkpointer, middleware, version });
    const given = (await agent.invoke(input as never, config)) as unknown as Asked & {
      messages: AIMessage[];
    };
    const shown = (given.__interrupt__ ?? []).map(({ value }) => value.actionRequests?.[0]?.args.amount);
    return { shown, ids: (given.__interrupt__ ?? []).map(({ id }) => id), text: given.messages.at(-1)?.text };
  }
  return { run, ask };
}

const start = { messages: [new HumanMessage('pay')] };
const resume = (answer: unknown) => new Command({ resume: answer });

describe('an approval', () => {
  test('is one of what was shown: a call that is rewritten to the same runs', async () => {
    const { run, ask } = makePayments((amount) => amount / 2);
    const model = fakeModel().respond(pay(8)).respond(new AIMessage('Paid.'));
    expect((await ask(start, model)).shown).toEqual([4]);
    expect((await ask(resume(approve), model)).text).toBe('Paid.');
    expect(run.mock.calls).toEqual([[4]]);
  });

  test('does not hold for other arguments: the person is asked about these', async () => {
    let factor = 1;
    const { run, ask } = makePayments((amount) => amount * factor);
    const model = fakeModel().respond(pay(8)).respond(new AIMessage('Paid.'));
    expect((await ask(start, model)).shown).toEqual([8]);
    factor = 100;
    const again = await ask(resume(approve), model);
    expect([again.shown, run.mock.calls]).toEqual([[800], []]);
    factor = 1000;
    expect((await ask(resume({ [again.ids[0] ?? '']: approve }), model)).shown).toEqual([8000]);
    expect((await ask(resume(approve), model)).text).toBe('Paid.');
    expect(run.mock.calls).toEqual([[8000]]);
  });

  test('of a call whose tool interrupts the graph itself leaves the tool its answer', async () => {
    let factor = 1;
    const { run, ask } = makePayments(
      (amount) => amount * factor,
      (amount) => `paid ${amount} from ${interrupt('which account?')}`,
    );
    const model = fakeModel().respond(pay(8)).respond(new AIMessage('Paid.'));
    await ask(start, model);
    factor = 2;
    await ask(resume(approve), model);
    await ask(resume(approve), model);
    expect((await ask(resume('savings'), model)).text).toBe('Paid.');
    expect(run.mock.results.at(-1)?.value).toBe('paid 16 from savings');
  });

  test('does not hold for a call that has become another one while its tool waited', async () => {
    let factor = 1;
    const { run, ask } = makePayments(
      (amount) => amount * factor,
      (amount) => `paid ${amount} from ${interrupt('which account?')}`,
    );
    const model = fakeModel().respond(pay(8)).respond(new AIMessage('No.'));
    await ask(start, model);
    await ask(resume(approve), model);
    factor = 100;
    await ask(resume('savings'), model);
    expect(run.mock.calls).toEqual([[8]]);
    expect(JSON.stringify(model.calls.at(-1)?.messages)).toContain(
      'it is another one than that which had begun',
    );
  });
});

describe('of several calls that wait', () => {
  test('none is answered by a decision without an id, whatever it is', async () => {
    const { run, ask } = makePayments((amount) => amount);
    const model = fakeModel().respond(pay(1, 2)).respond(new AIMessage('Paid.'));
    const { ids, shown } = await ask(start, model);
    expect(shown).toEqual([1, 2]);
    const plain = ask(resume({ decisions: [{ type: 'approve' }, { type: 'approve' }] }), model);
    await expect(plain).rejects.toThrow(
      'Several calls wait for a person, and one answer was given for all of them.',
    );
    await expect(ask(resume(approve), model)).rejects.toThrow('Several calls wait');
    expect(run.mock.calls).toEqual([]);
    const [first = '', second = ''] = ids;
    expect((await ask(resume({ [first]: approve }), model)).shown).toEqual([2]);
    expect((await ask(resume({ [second]: approve }), model)).text).toBe('Paid.');
    expect(run.mock.calls).toEqual([[1], [2]]);
  });

  test('the last takes one without an id', async () => {
    const { run, ask } = makePayments((amount) => amount);
    const model = fakeModel().respond(pay(1, 2)).respond(new AIMessage('Paid.'));
    const [first = ''] = (await ask(start, model)).ids;
    await ask(resume({ [first]: approve }), model);
    expect((await ask(resume(approve), model)).text).toBe('Paid.');
    expect(run.mock.calls).toEqual([[1], [2]]);
  });

  test('none in an agent of a graph is answered by one for the agents beside it', async () => {
    const run = vi.fn();
    const hooks = [
      defineHook({ hook: 'before_tool_call', id: 'asking', execute: async () => ({ decision: 'ask' }) }),
    ];
    const payTool = tool(async ({ amount }) => run(amount), {
      ...{ name: 'pay', description: 'Pays.', schema: z.object({ amount: z.number() }) },
    });
    const makeNode = (amount: number) =>
      createAgent({
        model: fakeModel().respond(pay(amount)).respond(new AIMessage('Paid.')),
        ...{ tools: [payTool], middleware: [hooksMiddleware({ hooks })] },
      }).graph;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('one', makeNode(1))
      .addNode('two', makeNode(2))
      .addEdge(START, 'one')
      .addEdge(START, 'two')
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: 'outer' } };
    await graph.invoke(start, config);
    await expect(graph.invoke(resume(approve) as never, config)).rejects.toThrow('Several calls wait');
    expect(run).not.toHaveBeenCalled();
  });
});

describe('where all calls of an answer run in one task', () => {
  test('a call beside others is denied: each answer of a person would run those again that have run', async () => {
    const { run, ask } = makePayments((amount) => amount);
    const model = fakeModel().respond(pay(1, 2)).respond(new AIMessage('Sorry.'));
    expect(await ask(start, model, 'v1')).toEqual({ shown: [], ids: [], text: 'Sorry.' });
    expect(JSON.stringify(model.calls[1]?.messages)).toContain('runs all calls of an answer in one task');
    expect(run).not.toHaveBeenCalled();
  });

  test('a call alone is asked about', async () => {
    const { run, ask } = makePayments((amount) => amount);
    const model = fakeModel().respond(pay(1)).respond(new AIMessage('Paid.'));
    expect((await ask(start, model, 'v1')).shown).toEqual([1]);
    expect((await ask(resume(approve), model, 'v1')).text).toBe('Paid.');
    expect(run.mock.calls).toEqual([[1]]);
  });
});
