import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import type { SendResult, Subject, TrialTool } from '@spec/conformance';
import { type HostedLoop, type HostedTrial, makeHostSubject } from '@spec/conformance/host';
import type { LLMMessage, ThreadState } from '@spec/hooks';
import { lendPrompt, toLLMMessage } from '@spec/hooks/host';
import { memoryStore } from '@spec/runtime';
import { z } from 'zod';
import { honoursWithStore } from '../src/honours.ts';
import { createHooks } from '../src/index.ts';
import type { Prompt, SpokenMessage } from '../src/request.ts';
import { answeringModel } from './scripted-model.ts';

/** An agent of Mastra with a memory, with the bridge and a store, as a subject of the suite. */
export function mastraSubject(way: 'generate' | 'stream'): Subject {
  const abilities = ['control', 'model-calls', 'policies', 'values', 'ledger', 'abort'] as const;
  return makeHostSubject({
    name: `Mastra (${way})`,
    abilities: way === 'stream' ? [...abilities, 'streaming'] : abilities,
    honours: honoursWithStore,
    openStore: memoryStore,
    openLoop: (trial) => openLoop(trial, way),
  });
}

function openLoop(trial: HostedTrial, way: 'generate' | 'stream'): HostedLoop {
  const { setup, options, threadId } = trial;
  const agent = makeAgent(trial, createHooks(options));
  return {
    async send(content, abortSignal) {
      const given = {
        ...{
          memory: { thread: threadId, resource: 'ada', options: { lastMessages: 1_000 } },
          maxSteps: 20,
          abortSignal,
        },
        ...(setup.system === undefined ? {} : { instructions: setup.system }),
      };
      const waiting: string[] = [];
      let result = await finish(await agent[way](content, given), trial, waiting);
      for (let toolCallId = waiting.shift(); toolCallId !== undefined; toolCallId = waiting.shift()) {
        const resumed = await agent.resumeStream(refusal, { ...given, runId: result.runId, toolCallId });
        result = await finish(resumed, trial, waiting);
      }
      abortSignal.throwIfAborted();
      return result.ended;
    },
  };
}

/** Nobody can be asked: the application says so to Mastra, which goes on with it. */
const refusal = { approved: false, reason: 'nobody can be asked' };

type Given = Awaited<ReturnType<Agent['generate']>> | Awaited<ReturnType<Agent['stream']>>;

interface Finished {
  readonly ended: SendResult;
  readonly runId: string;
}

/** @param waiting takes the ids of the calls that wait for a person */
async function finish(given: Given, trial: HostedTrial, waiting: string[]): Promise<Finished> {
  if ('fullStream' in given) await hearAll(given.fullStream, trial, waiting);
  else waiting.push(...listSuspended(given.suspendPayload));
  const { runId = '' } = given;
  if ('error' in given && given.error instanceof Error) throw given.error;
  if (waiting.length > 0) return { runId, ended: { status: 'stopped', text: null } };
  const tripwire = await given.tripwire;
  if (tripwire !== undefined)
    return { runId, ended: { status: 'denied', text: null, reason: tripwire.reason } };
  return { runId, ended: { status: 'completed', text: await given.text } };
}

type Parts = Awaited<ReturnType<Agent['stream']>>['fullStream'];

async function hearAll(parts: Parts, trial: HostedTrial, waiting: string[]): Promise<void> {
  for await (const part of parts) {
    if (part.type === 'error') throw part.payload.error;
    if (part.type === 'text-delta') trial.hear(part.payload.text);
    if (part.type === 'tool-call-suspended' || part.type === 'tool-call-approval')
      waiting.push(part.payload.toolCallId);
  }
}

function listSuspended(payload: unknown): string[] {
  const { toolCallId } = (payload ?? {}) as { readonly toolCallId?: string };
  return toolCallId === undefined ? [] : [toolCallId];
}

function makeAgent(trial: HostedTrial, hooks: ReturnType<typeof createHooks>): Agent {
  const { tools = [], system = '' } = trial.setup;
  const agent = new Agent({
    ...{ id: 'main', name: 'main', instructions: system, memory: new MockMemory(), maxRetries: 0 },
    model: answeringModel(({ prompt, abortSignal }) =>
      trial.answer(toLLMMessages(prompt as Prompt), abortSignal),
    ),
    tools: hooks.wrapTools(Object.fromEntries(tools.map((one) => [one.name, makeTool(one)]))),
    inputProcessors: [hooks.processor],
  });
  const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  return mastra.getAgent('agent');
}

function makeTool({ name: id, required = [], permission, run }: TrialTool) {
  const inputSchema = z.looseObject(Object.fromEntries(required.map((field) => [field, z.string()])));
  return createTool({
    ...{ id, description: id, inputSchema, requireApproval: permission === 'ask' },
    execute: (input) => run(input, {} as ThreadState),
  });
}

/** What the model was sent, in the specification's form. */
function toLLMMessages(prompt: Prompt): LLMMessage[] {
  const system = prompt.flatMap((message) =>
    message.role === 'system' ? [{ role: message.role, content: message.content }] : [],
  );
  const spoken = prompt.filter((message): message is SpokenMessage => message.role !== 'system');
  const said = lendPrompt(spoken).messages.map((message) => {
    const { id: _, ...sent } = toLLMMessage(message) as LLMMessage & { id?: string };
    return sent;
  });
  return [...system, ...said];
}
