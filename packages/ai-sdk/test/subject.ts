import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { SendResult, Subject, TrialTool } from '@spec/conformance';
import { type HostedLoop, type HostedTrial, makeHostSubject } from '@spec/conformance/host';
import type { HookToolCall, LLMMessage, ThreadState } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import * as v6 from 'ai';
import { z } from 'zod';
import { honoursWithStore } from '../src/honours.ts';
import { createHooks, MessageDeniedError } from '../src/index.ts';
import { answeringModel } from './scripted-model.ts';

export interface AiSdkUnderTest {
  readonly name: string;
  readonly ai: typeof v6;
  readonly specificationVersion: 'v3' | 'v4';
  readonly way: 'generateText' | 'streamText';
}

/** Applications of the AI SDK, with the bridge and a store, as subjects of the suite. */
export function aiSdkSubject({ name, ai, specificationVersion, way }: AiSdkUnderTest): Subject {
  return makeHostSubject({
    name,
    abilities: ['control', 'model-calls', 'policies', 'values', 'ledger', 'abort'].concat(
      way === 'streamText' ? ['streaming'] : [],
    ) as Subject['abilities'],
    honours: honoursWithStore,
    openStore: memoryStore,
    openLoop: (trial) => openLoop({ ai, specificationVersion, way }, trial),
  });
}

/**
 * The AI SDK that is installed beside the bridge, of a major version.
 *
 * @public bundled into the proof by versions
 */
export function installedAiSdk(major: 6 | 7): Subject {
  const specificationVersion = major === 6 ? 'v3' : 'v4';
  return aiSdkSubject({ name: `AI SDK ${major}`, ai: v6, specificationVersion, way: 'streamText' });
}

type Sdk = Omit<AiSdkUnderTest, 'name'>;

/** An application that keeps the AI SDK's own messages for the next turn, as they come. */
function openLoop({ ai, specificationVersion, way }: Sdk, trial: HostedTrial): HostedLoop {
  const { setup, options, threadId } = trial;
  const hooks = createHooks(options);
  const model = {
    ...answeringModel(({ prompt, abortSignal }) => trial.answer(toLLMMessages(prompt), abortSignal)),
    specificationVersion: specificationVersion as 'v3',
  };
  const messages: v6.ModelMessage[] = [];
  return {
    async send(content, abortSignal) {
      const before = messages.length;
      messages.push({ role: 'user', content });
      for (;;) {
        const turn = hooks.openTurn({ threadId, userId: 'ada', abortSignal });
        const given = {
          ...{ model: turn.withHooks(model), tools: turn.wrapTools(makeTools(ai, setup.tools, turn.state)) },
          ...{ abortSignal, messages, maxRetries: 0, stopWhen: ai.stepCountIs(20) },
          ...(setup.system === undefined ? {} : { system: setup.system }),
        };
        try {
          const { text, response } =
            way === 'streamText' ? await stream(ai, given, trial) : await ai.generateText(given);
          messages.push(...response.messages);
          if (!refuseApprovals(messages)) return { status: turn.isStopped ? 'stopped' : 'completed', text };
        } catch (error) {
          messages.length = before;
          return readDenial(error);
        }
      }
    },
  };
}

/** Nobody can be asked: the application says so to the AI SDK, which goes on with it. @returns whether it was asked */
function refuseApprovals(messages: v6.ModelMessage[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const parts = last !== undefined && typeof last.content !== 'string' ? last.content : [];
  const asked = parts.flatMap((part) =>
    typeof part !== 'string' && part.type === 'tool-approval-request' ? [part.approvalId] : [],
  );
  const refuse = (approvalId: string) =>
    ({ type: 'tool-approval-response', approvalId, approved: false, reason: 'nobody can be asked' }) as const;
  if (asked.length > 0) messages.push({ role: 'tool', content: asked.map(refuse) });
  return asked.length > 0;
}

function readDenial(error: unknown): SendResult {
  if (!(error instanceof MessageDeniedError)) throw error;
  return { status: 'denied', text: null, reason: error.message };
}

async function stream(
  ai: typeof v6,
  given: Parameters<typeof v6.streamText>[0],
  trial: HostedTrial,
): Promise<{ text: string; response: { messages: v6.ModelMessage[] } }> {
  const result = ai.streamText({ ...given, onError: () => {} });
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new DOMException('aborted', 'AbortError');
    if (part.type === 'text-delta') trial.hear(part.text);
  }
  return { text: await result.text, response: await result.response };
}

function makeTools(ai: typeof v6, tools: readonly TrialTool[] = [], state: ThreadState): v6.ToolSet {
  return Object.fromEntries(
    tools.map((one) => [
      one.name,
      ai.tool({
        inputSchema: z.looseObject(
          Object.fromEntries((one.required ?? []).map((field) => [field, z.string()])),
        ),
        needsApproval: one.permission === 'ask',
        execute: (input) => one.run(input, state),
      }),
    ]),
  );
}

/** What the model was sent, in the specification's form. */
function toLLMMessages(prompt: LanguageModelV3Prompt): LLMMessage[] {
  return prompt.flatMap((message): LLMMessage[] => {
    if (message.role === 'system') return [{ role: 'system', content: message.content }];
    if (message.role === 'tool') return message.content.flatMap(toResults);
    const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const calls = message.content.flatMap(toCalls);
    const content = texts.length === 0 ? null : texts.join('');
    return [{ role: message.role, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
  });
}

type PartIn<Role> = Extract<
  LanguageModelV3Prompt[number],
  { role: Role; content: unknown[] }
>['content'][number];

function toResults(part: PartIn<'tool'>): LLMMessage[] {
  if (part.type !== 'tool-result') return [];
  const { toolCallId: tool_call_id, toolName: name, output } = part;
  const content =
    'value' in output && typeof output.value === 'string' ? output.value : JSON.stringify(output);
  return [{ role: 'tool', content, tool_call_id, name }];
}

function toCalls(part: PartIn<'assistant' | 'user'>): HookToolCall[] {
  if (part.type !== 'tool-call') return [];
  const { toolCallId: id, toolName: name, input } = part;
  return [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }];
}
