import { HumanMessage } from '@langchain/core/messages';
import { Command, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { canary } from '@spec/test-helpers';
import {
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  modelFallbackMiddleware,
  providerStrategy,
  type ReactAgent,
  summarizationMiddleware,
  tool,
  toolStrategy,
} from 'langchain';
import { z } from 'zod';
import { allModes, type Bench, said } from './bench.ts';
import { LeakyChat, type Script } from './leaky-chat.ts';

/** A way of LangChain to a model, to a tool, or to a conversation. */
export interface Inlet {
  readonly script: Script;
  readonly run: (bench: Bench) => Promise<ReactAgent>;
}

const card = { card: canary('args') };
const text = `It is ${canary('text')}.`;
const calls = ['pay', 'fail', 'command', 'artifact'].map((name) => ({ name, args: card }));
const answers = [{ text, calls }, { text }];
const script: Script = { answers };
const payFirst: Script = { answers: [{ text, calls: [{ name: 'pay', args: card }] }, { text }] };

const invoke =
  (open: (bench: Bench) => ReactAgent = (bench) => bench.openAgent()) =>
  async (bench: Bench): Promise<ReactAgent> => {
    const agent = open(bench);
    bench.note('the result', await agent.invoke(said(), bench.config).catch((error: unknown) => error));
    return agent;
  };

async function readModes(bench: Bench): Promise<ReactAgent> {
  const agent = bench.openAgent();
  const stream = (await agent.stream(said(), { ...bench.config, streamMode: allModes })) as AsyncIterable<
    readonly [string, unknown]
  >;
  for await (const [mode, part] of stream) bench.note(`stream ${mode}`, part);
  return agent;
}

const readEvents =
  (version: 'v1' | 'v2') =>
  async (bench: Bench): Promise<ReactAgent> => {
    const agent = bench.openAgent();
    const events = agent.streamEvents(said(), { ...bench.config, version } as never) as never;
    for await (const event of events as AsyncIterable<unknown>) bench.note('streamEvents', event);
    return agent;
  };

/** The stream that has a projection for each thing: all are read at once, as they come. */
async function readProjections(bench: Bench): Promise<ReactAgent> {
  const agent = bench.openAgent();
  const run = await agent.streamEvents(said(), { ...bench.config, version: 'v3' } as never);
  const projections = run as unknown as Readonly<Record<string, AsyncIterable<object>>>;
  const read = async (name: string, fields: readonly string[]): Promise<void> => {
    for await (const one of projections[name] ?? []) {
      bench.note(`projection ${name}`, one);
      for (const field of fields)
        bench.note(
          `projection ${name}.${field}`,
          await collect(Reflect.get(one, field)).catch((error: unknown) => error),
        );
    }
  };
  await Promise.all([
    read('messages', ['text', 'reasoning', 'toolCalls', 'output']),
    ...[read('toolCalls', ['input', 'output', 'error']), read('values', [])],
    ...[read('middleware', []), read('subgraphs', [])],
  ]);
  bench.note('projection output', await projections.output);
  return agent;
}

/** What a promise becomes, or what a stream gives. */
async function collect(given: unknown): Promise<unknown> {
  if (typeof (given as AsyncIterable<unknown> | undefined)?.[Symbol.asyncIterator] !== 'function')
    return given;
  const all: unknown[] = [];
  for await (const one of given as AsyncIterable<unknown>) all.push(one);
  return all;
}

/** An agent that a tool calls; with hooks of its own, or with none. */
const callInner =
  (openInner: (bench: Bench) => ReactAgent) =>
  async (bench: Bench): Promise<ReactAgent> => {
    const inner = openInner(bench);
    const pay = tool(
      async (_input, runtime) => {
        const { messages } = await inner.invoke(said(), runtime as never);
        return messages.at(-1)?.text ?? '';
      },
      {
        name: 'pay',
        description: 'Pays.',
        schema: z.object({ card: z.string() }),
        callbacks: bench.config.callbacks,
      },
    );
    const agent = bench.openAgent({ tools: [pay] });
    const config = { ...bench.config, streamMode: allModes, subgraphs: true };
    const stream = (await agent.stream(said(), config)) as AsyncIterable<
      readonly [string[], string, unknown]
    >;
    for await (const [, mode, part] of stream) bench.note(`stream ${mode}`, part);
    return agent;
  };

async function sendAgain(bench: Bench): Promise<ReactAgent> {
  const agent = await invoke()(bench);
  const more = { messages: [new HumanMessage({ id: 'user_2', content: `And ${canary('later')}?` })] };
  bench.note('the result', await agent.invoke(more, bench.config));
  return agent;
}

/** Another middleware speaks while the turn runs. */
const speak = createMiddleware({
  name: 'Speak',
  beforeModel: (state) =>
    state.messages.length > 3 ? undefined : { messages: [new HumanMessage(`And ${canary('later')}?`)] },
});

async function inGraph(bench: Bench): Promise<ReactAgent> {
  const agent = bench.openAgent({ checkpointer: undefined });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('clerk', agent.graph as never)
    .addEdge(START, 'clerk')
    .compile({ checkpointer: bench.checkpointer });
  bench.note('the result', await graph.invoke(said(), bench.config));
  return { graph } as unknown as ReactAgent;
}

const askPerson =
  (decision: object) =>
  async (bench: Bench): Promise<ReactAgent> => {
    const agent = bench.openAgent({}, [humanInTheLoopMiddleware({ interruptOn: { pay: true } } as never)]);
    bench.note('the result', await agent.invoke(said(), bench.config));
    const { tasks } = await agent.graph.getState(bench.config);
    const approval = { decisions: [decision] };
    const asked = tasks.flatMap(({ interrupts }) => interrupts.map(({ id = '' }) => [id, approval]));
    bench.note('the questions', tasks);
    bench.note(
      'the result',
      await agent.invoke(new Command({ resume: Object.fromEntries(asked) }), bench.config),
    );
    return agent;
  };

const schema = z.object({ of: z.string() }).meta({ title: 'answer' });
const structured: Script = { answers: [{ text, calls: [{ name: 'answer', args: { of: 'x' } }] }, { text }] };
const hidden: Script = { answers: [{ calls: [{ name: 'answer', args: { of: canary('args') } }] }, { text }] };

export const inlets: Readonly<Record<string, Inlet>> = {
  invoke: { script, run: invoke() },
  'invoke, streamed inside': { script: { answers, streams: true }, run: invoke() },
  'version v1': { script, run: invoke((bench) => bench.openAgent({ version: 'v1' })) },
  'every mode of stream': { script, run: readModes },
  'every mode of stream, piece by piece': { script: { answers, streams: true }, run: readModes },
  'streamEvents v1': { script, run: readEvents('v1') },
  'streamEvents v2': { script: { answers, streams: true }, run: readEvents('v2') },
  'streamEvents v3': { script, run: readProjections },
  'streamEvents v3, piece by piece': { script: { answers, streams: true }, run: readProjections },
  'an agent in a tool': {
    script: payFirst,
    run: callInner((bench) => bench.openAgent({ model: new LeakyChat(script), checkpointer: undefined })),
  },
  'an agent in a tool, without hooks': {
    script: payFirst,
    run: callInner(
      () =>
        createAgent({ model: new LeakyChat({ answers: [{ text }] }), tools: [] }) as unknown as ReactAgent,
    ),
  },
  'a response of the provider': {
    script: { answers: [{ text: JSON.stringify({ of: 'x' }) }] },
    run: invoke((bench) => bench.openAgent({ responseFormat: providerStrategy(schema) })),
  },
  'a response of the provider with the secret': {
    script: { answers: [{ text: JSON.stringify({ of: canary('text') }) }] },
    run: invoke((bench) => bench.openAgent({ responseFormat: providerStrategy(schema) })),
  },
  'a response of the provider that is none': {
    script: { answers: [{ text }] },
    run: invoke((bench) => bench.openAgent({ responseFormat: providerStrategy(schema) })),
  },
  'a later turn': { script, run: sendAgain },
  'a response of a schema': {
    script: structured,
    run: invoke((bench) => bench.openAgent({ responseFormat: toolStrategy(schema) })),
  },
  'a response of a schema with the secret': {
    script: hidden,
    run: invoke((bench) => bench.openAgent({ responseFormat: toolStrategy(schema) })),
  },
  'broken calls beside a changed text': { script: { answers: [{ text, isBroken: true }] }, run: invoke() },
  'broken calls alone': { script: { answers: [{ text: 'So.', isBroken: true }] }, run: invoke() },
  'an answer that hooks leave alone': { script: { answers: [{ text: 'So.' }] }, run: invoke() },
  'what other middleware says': { script, run: invoke((bench) => bench.openAgent({}, [speak])) },
  'a node of a graph': { script, run: inGraph },
  'a fallback': {
    script,
    run: invoke((bench) => bench.openAgent({}, [modelFallbackMiddleware(new LeakyChat(script))])),
  },
  'a person is asked': { script, run: askPerson({ type: 'approve' }) },
  'a person rejects': {
    script,
    run: askPerson({ type: 'reject', message: `I pay with ${canary('later')}.` }),
  },
  'a summary': {
    script,
    run: async (bench) => {
      const writer = new LeakyChat({ answers: [{ text: `Sum: ${canary('later')}` }] });
      const sums = summarizationMiddleware({
        ...{ model: writer, trigger: { messages: 3 }, keep: { messages: 1 } },
      } as never);
      const agent = await invoke((one) => one.openAgent({}, [sums as never]))(bench);
      bench.note('what the writer of summaries is sent', writer.sent);
      return agent;
    },
  },
};
