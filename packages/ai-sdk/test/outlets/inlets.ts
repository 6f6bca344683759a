import type { AnyHook } from '@spec/hooks';
import type * as v6 from 'ai';
import * as v7 from 'ai-v7';
import { z } from 'zod';
import { anyInput, Bench, firstMessages } from './bench.ts';
import { canary, masksInWindows, masksOfResults, type Origin } from './canaries.ts';
import { providerInlets } from './inlets-of-providers.ts';
import type { Script } from './leaky-model.ts';
import { collect } from './recorder.ts';

/** A way of the AI SDK to a model, to a tool, or to a conversation. */
export interface Inlet {
  readonly script?: Script;
  /** Default: those that mask everything. */
  readonly hooks?: readonly AnyHook[];
  /** Which canaries these hooks could mask. Default: all. */
  readonly origins?: readonly Origin[];
  /** Where only this version has it. */
  readonly only?: '6' | '7';
  readonly run: (bench: Bench) => Promise<unknown>;
}

const schema = z.object({ of: z.string() });
const oneBatch: Script = { calls: (step) => step === 1 };
const isJson: Script = { isJson: true };
type Options = Parameters<typeof v6.generateText>[0];
type ObjectOptions = Parameters<typeof v6.generateObject>[0];

const makeAgent = (bench: Bench) =>
  new bench.ai.ToolLoopAgent({
    ...{ model: bench.model, tools: bench.tools },
    prepareCall: (call) => bench.hooked(call as unknown as Partial<Options>) as never,
  });

type WithMessages = {
  readonly response: PromiseLike<{ messages: v6.ModelMessage[] }> | { messages: v6.ModelMessage[] };
};

/** What an application keeps of a turn. */
const readMessages = async (result: object | undefined): Promise<v6.ModelMessage[]> => [
  ...firstMessages,
  ...((await (result as WithMessages).response).messages ?? []),
];

const approve = (
  messages: readonly v6.ModelMessage[],
  answer: object = { approved: true },
): v6.ModelMessage => ({
  role: 'tool',
  content: messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) =>
          typeof part !== 'string' && part.type === 'tool-approval-request'
            ? [
                {
                  type: 'tool-approval-response' as const,
                  approvalId: part.approvalId,
                  approved: false,
                  ...answer,
                },
              ]
            : [],
        ),
  ),
});

/** A call, and another one with all that the first has left, in this process or in another one. */
const sendAgain =
  (way: 'generateText' | 'streamText', isElsewhere: boolean) =>
  async (bench: Bench): Promise<void> => {
    const messages = await readMessages(await bench.read(() => bench.ai[way](bench.hooked())));
    messages.push({ role: 'user', content: `And ${canary('later')}?` });
    const hooks = isElsewhere ? bench.openHooks() : bench.hooks;
    await bench.read(() => bench.ai[way](bench.hooked({ messages }, hooks)));
  };

const askFirst =
  (way: 'generateText' | 'streamText') =>
  async (bench: Bench): Promise<void> => {
    const { pay, ...others } = bench.tools;
    const tools = { ...others, pay: { ...pay, needsApproval: async () => true } } as v6.ToolSet;
    const messages = await readMessages(await bench.read(() => bench.ai[way](bench.hooked({ tools }))));
    const options = bench.hooked({ tools, messages: [...messages, approve(messages)] });
    if (way === 'generateText') return void (await bench.read(() => bench.ai.generateText(options)));
    // Its UI stream would need the UI messages of the turn before.
    bench.recorder.note('fullStream', await collect(bench.ai.streamText(options).fullStream));
  };

/** A person denies a call, with a reason; and says more, to a turn that has all of that again. */
const denyCall =
  (way: 'generateText' | 'streamText') =>
  async (bench: Bench): Promise<void> => {
    const { pay, ...others } = bench.tools;
    const tools = { ...others, pay: { ...pay, needsApproval: async () => true } } as v6.ToolSet;
    const messages = await readMessages(await bench.read(() => bench.ai[way](bench.hooked({ tools }))));
    messages.push(approve(messages, { reason: `I pay with ${canary('later')}.` }));
    const denied = await bench.ai.generateText(bench.hooked({ tools, messages }));
    messages.push(...denied.response.messages, { role: 'user', content: 'And?' });
    await bench.read(() => bench.ai.generateText(bench.hooked({ tools, messages })));
  };

const addInStep =
  (way: 'generateText' | 'streamText') =>
  async (bench: Bench): Promise<void> => {
    const other = new Bench(bench.version, {}).model;
    const prepareStep: NonNullable<Options['prepareStep']> = ({ messages, stepNumber }) => {
      if (stepNumber === 0) return {};
      const said: v6.ModelMessage[] = [
        { role: 'user', content: `And ${canary('later')}?` },
        { role: 'assistant', content: `Say ${canary('later')}.` },
      ];
      return { model: other, system: `Now ${canary('system')}.`, messages: [...messages, ...said] };
    };
    await bench.read(() => bench.ai[way](bench.hooked({ prepareStep })));
    bench.recorder.note('what the model of a step is sent', other.sent);
  };

/** What the application makes of a call that could not be read. */
const repair =
  (way: 'generateText' | 'streamText') =>
  async (bench: Bench): Promise<void> => {
    const { hear } = bench.recorder;
    const fix = hear.call(bench.recorder, 'repairToolCall', async ({ toolCall }: { toolCall: object }) => ({
      ...toolCall,
      toolName: 'pay',
      input: JSON.stringify({ card: canary('repaired') }),
    }));
    await bench.read(() =>
      bench.ai[way](bench.hooked({ repairToolCall: fix, experimental_repairToolCall: fix } as object)),
    );
  };

const stopInTool = async (bench: Bench): Promise<void> => {
  const aborts = new AbortController();
  const { tool } = bench.ai;
  const stop = tool({
    inputSchema: anyInput,
    execute: async () => {
      aborts.abort(new Error('stopped'));
      return canary('result');
    },
  });
  const given = { abortSignal: aborts.signal, tools: { ...bench.tools, fail: stop } };
  await bench.read(() => bench.ai.streamText(bench.hooked(given)));
};

const steer = async (bench: Bench): Promise<void> => {
  const steering = v7.experimental_createSteering();
  const pay = bench.ai.tool({
    inputSchema: anyInput,
    execute: async () => {
      void steering.steer(`And ${canary('later')}?`).catch(() => undefined);
      return canary('result');
    },
  });
  const given = { tools: { ...bench.tools, pay }, experimental_steering: steering };
  await bench.read(() => bench.ai.streamText(bench.hooked(given as Partial<Options>)));
};

const uiMessages: v6.UIMessage[] = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: `Pay with ${canary('user')}.` }] },
];

const readAgentStream = async (bench: Bench): Promise<void> => {
  const agent = makeAgent(bench);
  const stream = await bench.ai.createAgentUIStream({ agent: agent as never, uiMessages });
  bench.recorder.note('createAgentUIStream', await collect(stream));
};

const chatDirectly = async (bench: Bench): Promise<void> => {
  const transport = new bench.ai.DirectChatTransport({ agent: makeAgent(bench) as never });
  const stream = await transport.sendMessages({
    ...{ chatId: 'chat-1', messages: uiMessages as never, trigger: 'submit-message' as const },
    ...{ abortSignal: undefined, messageId: undefined },
  });
  bench.recorder.note('DirectChatTransport', await collect(stream as unknown as AsyncIterable<unknown>));
};

/** One call of a model of version 7, without a loop. */
const callOnce = async (bench: Bench): Promise<void> => {
  const { stream } = (await v7.experimental_streamLanguageModelCall(
    bench.hooked({ tools: {} }) as never,
  )) as unknown as { stream: AsyncIterable<unknown> };
  bench.recorder.note('streamLanguageModelCall', await collect(stream));
};

const readLowMemory = async (bench: Bench): Promise<void> => {
  const result = v7.experimental_streamTextLowMemory(bench.hooked() as never);
  bench.recorder.note('streamTextLowMemory', await collect(result.stream as AsyncIterable<unknown>));
};

const askObject =
  (way: 'generateObject' | 'streamObject') =>
  (bench: Bench): Promise<unknown> =>
    bench.read(() => bench.ai[way]({ ...bench.hooked(), schema } as unknown as ObjectOptions));

const askOutput =
  (way: 'generateText' | 'streamText') =>
  (bench: Bench): Promise<unknown> =>
    bench.read(() => bench.ai[way](bench.hooked({ output: bench.ai.Output.object({ schema }) as never })));

export const inlets: Readonly<Record<string, Inlet>> = {
  generateText: {
    script: oneBatch,
    run: (bench) => bench.read(() => bench.ai.generateText(bench.hooked())),
  },
  streamText: {
    script: oneBatch,
    run: (bench) => bench.read(() => bench.ai.streamText(bench.hooked())),
  },
  'a stream in windows': {
    ...{ script: oneBatch, hooks: masksInWindows },
    run: (bench) => bench.read(() => bench.ai.streamText(bench.hooked())),
  },
  'generateText with hooks on tools alone': {
    ...{ script: oneBatch, hooks: masksOfResults, origins: ['result', 'piece', 'error'] },
    run: (bench) => bench.read(() => bench.ai.generateText(bench.hooked())),
  },
  'streamText with hooks on tools alone': {
    ...{ script: oneBatch, hooks: masksOfResults, origins: ['result', 'piece', 'error'] },
    run: (bench) => bench.read(() => bench.ai.streamText(bench.hooked())),
  },
  'the messages of requests': {
    ...{ only: '7', script: oneBatch },
    run: (bench) =>
      bench.read(() => bench.ai.streamText(bench.hooked({ include: { requestMessages: true } } as object))),
  },
  'an agent': {
    script: oneBatch,
    run: (bench) => bench.read(() => makeAgent(bench).generate({ messages: [...firstMessages] })),
  },
  'the stream of an agent': {
    script: oneBatch,
    run: (bench) => bench.read(() => makeAgent(bench).stream({ messages: [...firstMessages] })),
  },
  'the UI stream of an agent': { only: '7', script: oneBatch, run: readAgentStream },
  'a chat with an agent': { only: '7', script: oneBatch, run: chatDirectly },
  generateObject: { script: isJson, run: askObject('generateObject') },
  streamObject: { script: isJson, run: askObject('streamObject') },
  'generateObject of what is none': { run: askObject('generateObject') },
  'streamObject of what is none': { run: askObject('streamObject') },
  'an output of generateText': { script: { ...oneBatch, ...isJson }, run: askOutput('generateText') },
  'an output of streamText': { script: { ...oneBatch, ...isJson }, run: askOutput('streamText') },
  'an output that is none': { run: askOutput('generateText') },
  'a later turn': { script: oneBatch, run: sendAgain('generateText', false) },
  'a later turn, streamed': { script: oneBatch, run: sendAgain('streamText', false) },
  'a later turn in another process': { script: oneBatch, run: sendAgain('generateText', true) },
  ...providerInlets,
  'an approval': { script: oneBatch, run: askFirst('generateText') },
  'an approval, streamed': { script: oneBatch, run: askFirst('streamText') },
  'a denial': { script: oneBatch, run: denyCall('generateText') },
  'a denial, streamed': { script: oneBatch, run: denyCall('streamText') },
  prepareStep: { script: oneBatch, run: addInStep('generateText') },
  'prepareStep of a stream': { script: oneBatch, run: addInStep('streamText') },
  'repaired calls': { script: oneBatch, run: repair('generateText') },
  'repaired calls of a stream': { script: oneBatch, run: repair('streamText') },
  'a turn that is aborted': { script: oneBatch, run: stopInTool },
  steering: { only: '7', script: oneBatch, run: steer },
  streamLanguageModelCall: { only: '7', run: callOnce },
  streamTextLowMemory: { only: '7', script: oneBatch, run: readLowMemory },
};
