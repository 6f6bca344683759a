import { HumanMessage } from '@langchain/core/messages';
import { Command, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { canary } from '@spec/test-helpers';
import {
  createMiddleware,
  humanInTheLoopMiddleware,
  modelFallbackMiddleware,
  type ReactAgent,
  summarizationMiddleware,
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

async function askPerson(bench: Bench): Promise<ReactAgent> {
  const agent = bench.openAgent({}, [humanInTheLoopMiddleware({ interruptOn: { pay: true } } as never)]);
  bench.note('the result', await agent.invoke(said(), bench.config));
  const { tasks } = await agent.graph.getState(bench.config);
  const approval = { decisions: [{ type: 'approve' }] };
  const asked = tasks.flatMap(({ interrupts }) => interrupts.map(({ id = '' }) => [id, approval]));
  bench.note('the questions', tasks);
  bench.note(
    'the result',
    await agent.invoke(new Command({ resume: Object.fromEntries(asked) }), bench.config),
  );
  return agent;
}

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
  'a person is asked': { script, run: askPerson },
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
