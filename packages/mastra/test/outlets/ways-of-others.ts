import { Agent, type AgentConfig } from '@mastra/core/agent';
import { createScorer } from '@mastra/core/evals';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { type AnyHook, defineHook } from '@spec/hooks';
import { z } from 'zod';
import type { MastraOptions } from '../../src/index.ts';
import { type Bench, say } from './bench.ts';
import type { Step } from './loud-model.ts';
import { memory } from './options.ts';
import { askTwice, calling, stepThatCalls, type Way } from './ways.ts';

const asks: AnyHook = defineHook({
  hook: 'before_tool_call',
  id: 'asks',
  execute: async () => ({ decision: 'ask', reason: 'Money leaves the house.' }),
});
const input = z.object({ text: z.string() });

/** An agent for another one; a bare one has no hooks. */
function makeSub(bench: Bench, steps: readonly Step[], isBare = false): Agent {
  const hooked = isBare ? {} : { tools: bench.tools(), inputProcessors: [bench.hooks.processor] };
  const model = bench.model(steps);
  return new Agent({
    ...{ id: 'sub', name: 'sub', description: 'Helps.', instructions: 'You help.', model, ...hooked },
  } as AgentConfig);
}

const makeFlow = (bench: Bench) =>
  createWorkflow({
    ...{ id: 'flow', description: 'Flows.', inputSchema: z.object({ prompt: z.string() }) },
    outputSchema: z.object({ text: z.string() }),
  })
    .then(createStep(makeSub(bench, calling)))
    .commit();

const bareTool = () =>
  createTool({ id: 'bare', description: 'Bare.', inputSchema: input, execute: async () => say('result') });

const sendInto: Way['go'] = async (bench) => {
  const scope = { resourceId: memory.resource, threadId: memory.thread };
  const agent: Agent = bench.agent({
    steps: calling,
    execute: async () => {
      agent.sendMessage(say('later'), scope);
      agent.sendSignal({ type: 'reactive', contents: say('later') }, scope);
      return say('result');
    },
  });
  await bench.ask(agent);
  await bench.ask(agent);
};

const goInWorkflow: Way['go'] = async (bench) => {
  const run = await bench
    .mastra({}, { workflows: { flow: makeFlow(bench) } })
    .getWorkflow('flow')
    .createRun();
  const given = { inputData: { prompt: say('user') } };
  if (bench.mode === 'generate') {
    bench.ear.hear('result of a workflow', await run.start(given));
    return;
  }
  const output = run.stream(given);
  for await (const chunk of output.fullStream) bench.ear.hear(`chunk of a workflow ${chunk.type}`, chunk);
  bench.ear.hear('result of a workflow', await output.result);
};

const score: Way['go'] = async (bench) => {
  const scorer = createScorer({ id: 'scorer', description: 'Scores.', type: 'agent' }).generateScore(
    (run) => {
      bench.ear.hear('a scorer', run);
      return 1;
    },
  );
  const scorers = { scorer: { scorer, sampling: { type: 'ratio', rate: 1 } } };
  const agent = bench.agent({ steps: calling, config: { scorers } as Partial<AgentConfig> });
  await bench.ask(agent);
  await bench.waitFor('a scorer');
};

/** The run waits for a person, in the storage, and goes on. */
const askPerson: Way['go'] = async (bench) => {
  const agent = bench.agent({ steps: calling });
  const asked = (await bench.ask(agent)) as {
    suspendPayload: { suspendPayload: { approvalId: string } };
    runId: string;
  };
  await bench.finish();
  const { approvalId } = asked.suspendPayload.suspendPayload;
  await bench.resume(agent, { approved: true, approvalId }, asked.runId);
};

/** A person declines a call, and a later run has that again. */
const declineCall: Way['go'] = async (bench) => {
  const agent = bench.agent({ steps: calling });
  const asked = (await bench.ask(agent, { requireToolApproval: true })) as { runId: string };
  const stream = await agent.declineToolCall({ runId: asked.runId, reason: say('later') });
  bench.ear.hear('result', await bench.read(stream));
  await bench.ask(agent);
};

/** What routes in a network names something, and ends. */
const network = (
  said: string,
  primitive: readonly [name: string, type: string, prompt?: string],
  config: (bench: Bench) => object,
): Way => ({
  options: { allowUnwrapped: ['network'] } as Partial<MastraOptions>,
  async go(bench) {
    const [primitiveId, primitiveType, prompt = say('args')] = primitive;
    const chosen = { primitiveId, primitiveType, prompt, selectionReason: say('answer') };
    const done = { isComplete: true, completionReason: say('answer'), finalResult: say('answer') };
    const steps = [chosen, done].map((one) => ({ text: JSON.stringify(one) }));
    const stream = await bench.agent({ steps, config: config(bench) }).network(said, { memory });
    for await (const chunk of stream) bench.ear.hear(`chunk of a network ${chunk.type}`, chunk);
    bench.ear.hear('result of a network', stream);
  },
});

const withSub = (bench: Bench) => ({ agents: { sub: makeSub(bench, calling) } });

export const otherWays: Readonly<Record<string, Way>> = {
  'spans of a call': { ...askTwice(() => ({ steps: calling })), hasSpans: true },
  'hidden inputs of spans': {
    ...askTwice(() => ({
      steps: calling,
      config: { defaultOptions: { tracingOptions: { hideInput: true } } },
    })),
    hasSpans: true,
  },
  'spans of a tool that fails': {
    ...askTwice(() => ({ steps: calling, execute: () => Promise.reject(new Error(say('result'))) })),
    hasSpans: true,
  },
  'spans of what is sent into a run': { go: sendInto, hasSpans: true },
  'spans of what is given in a workflow': { go: goInWorkflow, hasSpans: true },
  'what is sent into a run': { go: sendInto },
  'an agent in a workflow': { go: goInWorkflow },
  'a run that waits in the storage': { options: { hooks: [asks] }, go: askPerson },
  'a call that a person declines': { go: declineCall },
  scorers: { go: score },
  'an agent that another one calls': {
    options: { allowUnwrapped: ['agent-sub'] },
    ...askTwice((bench) => ({
      steps: [stepThatCalls('agent-sub', { prompt: say('args') }), { text: say('answer') }],
      config: withSub(bench),
    })),
  },
  'a workflow that an agent calls': {
    options: { allowUnwrapped: ['workflow-flow'] },
    ...askTwice((bench) => ({
      steps: [
        stepThatCalls('workflow-flow', { inputData: { prompt: say('args') } }),
        { text: say('answer') },
      ],
      config: { workflows: { flow: makeFlow(bench) } },
    })),
  },
  'a bare tool': {
    options: { allowUnwrapped: ['bare'] },
    ...askTwice(() => ({
      steps: [stepThatCalls('bare', { text: say('args') }), { text: say('answer') }],
      config: { tools: { bare: bareTool() } },
    })),
  },
  'a bare agent': {
    options: { allowUnwrapped: ['agent-sub'] },
    ...askTwice((bench) => ({
      steps: [stepThatCalls('agent-sub', { prompt: say('args') }), { text: say('answer') }],
      config: { agents: { sub: makeSub(bench, [{ text: say('result') }], true) } },
    })),
  },
  'a network that is told the card': network(say('user'), ['sub', 'agent'], withSub),
  'a network with an agent': network('Do it.', ['sub', 'agent'], withSub),
  'a network with a tool': network(
    'Do it.',
    ['look', 'tool', JSON.stringify({ text: say('args') })],
    () => ({}),
  ),
  'a network with a workflow': network(
    'Do it.',
    ['flow', 'workflow', JSON.stringify({ prompt: say('args') })],
    (bench) => ({ workflows: { flow: makeFlow(bench) } }),
  ),
  'a network with a bare tool': network(
    'Do it.',
    ['bare', 'tool', JSON.stringify({ text: say('args') })],
    () => ({ tools: { bare: bareTool() } }),
  ),
};
