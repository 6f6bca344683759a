import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Command, MemorySaver } from '@langchain/langgraph';
import type { ModelAnswer, SendResult, Subject, TrialTool } from '@spec/conformance';
import { type HostedLoop, type HostedTrial, makeHostSubject } from '@spec/conformance/host';
import type { LLMMessage, ThreadState } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { AIMessage, type BaseMessage, createAgent, HumanMessage, type ToolMessage, tool } from 'langchain';
import { z } from 'zod';
import { honoursWithStore } from '../src/honours.ts';
import { hooksMiddleware } from '../src/index.ts';
import { readCalls, readText } from '../src/messages.ts';

/** An agent of LangChain with a checkpointer, with the bridge and a store, as a subject of the suite. */
export const langchainSubject: Subject = makeHostSubject({
  name: 'LangChain',
  abilities: ['control', 'model-calls', 'policies', 'values', 'ledger', 'abort', 'streaming'],
  honours: honoursWithStore,
  openStore: memoryStore,
  openLoop,
});

function openLoop(trial: HostedTrial): HostedLoop {
  const { setup, options, threadId } = trial;
  const agent = createAgent({
    model: new ScriptedChat(trial),
    tools: (setup.tools ?? []).map(makeTool),
    ...(setup.system === undefined ? {} : { systemPrompt: setup.system }),
    middleware: [hooksMiddleware({ ...options, turn: () => ({ userId: 'ada', threadId }) })],
    checkpointer: new MemorySaver(),
  });
  return {
    async send(content, signal) {
      let input: Parameters<typeof agent.stream>[0] = { messages: [new HumanMessage(content)] };
      for (;;) {
        const config = { configurable: { thread_id: threadId }, signal, recursionLimit: 100 };
        const stream = await agent.stream(input, { ...config, streamMode: ['messages', 'values'] });
        const asked: string[] = [];
        let messages: BaseMessage[] = [];
        for await (const [mode, part] of stream as AsyncIterable<[string, unknown]>) {
          const values = part as { messages?: BaseMessage[]; __interrupt__?: Array<{ id: string }> };
          if (mode === 'messages') hear(trial, part as [BaseMessage, unknown]);
          else asked.push(...(values.__interrupt__ ?? []).map(({ id }) => id));
          if (mode === 'values') messages = values.messages ?? messages;
        }
        if (asked.length === 0) return readEnd(messages);
        input = new Command({ resume: Object.fromEntries(asked.map((id) => [id, refusal])) }) as never;
      }
    },
  };
}

/** Nobody can be asked: the application says so to LangChain, which goes on with it. */
const refusal = { decisions: [{ type: 'reject', message: 'nobody can be asked' }] };

function hear(trial: HostedTrial, [message]: [BaseMessage, unknown]): void {
  if (AIMessage.isInstance(message) && message.text !== '') trial.hear(message.text);
}

function readEnd(messages: readonly BaseMessage[]): SendResult {
  const last = messages.at(-1);
  const { denied, reason } = (last?.response_metadata ?? {}) as { denied?: boolean; reason?: string };
  if (denied === true) return { status: 'denied', text: null, ...(reason === undefined ? {} : { reason }) };
  return { status: 'completed', text: last === undefined ? null : readText(last) };
}

/** A model that answers as the trial says. */
class ScriptedChat extends BaseChatModel {
  readonly #trial: HostedTrial;

  constructor(trial: HostedTrial) {
    super({ maxRetries: 0 });
    this.#trial = trial;
  }

  _llmType(): string {
    return 'script';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[], options: { signal?: AbortSignal }) {
    const answer = await this.#trial.answer(messages.map(toLLMMessage), options.signal);
    return { generations: [{ text: answer.text ?? '', message: toMessage(answer) }] };
  }
}

function toMessage({ text = '', calls = [] }: ModelAnswer): AIMessage {
  const parsed = calls.map((call) => ({ ...call, type: 'tool_call' as const, args: parse(call.input) }));
  return new AIMessage({
    content: text,
    tool_calls: parsed.flatMap(({ id, name, type, args }) =>
      args === undefined ? [] : [{ id, name, type, args }],
    ),
    invalid_tool_calls: parsed.flatMap(({ id, name, input, args }) =>
      args === undefined ? [{ id, name, args: String(input), type: 'invalid_tool_call' as const }] : [],
    ),
  });
}

function parse(input: Record<string, unknown> | string): Record<string, unknown> | undefined {
  try {
    const value: unknown = typeof input === 'string' ? JSON.parse(input) : input;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function makeTool(one: TrialTool) {
  const schema = z.looseObject(Object.fromEntries((one.required ?? []).map((field) => [field, z.string()])));
  const run = async (input: Record<string, unknown>): Promise<string> => {
    const given = await one.run(input, {} as ThreadState);
    if (typeof given === 'string') return given;
    if (given.status === 'error') throw new Error(given.error ?? '');
    return given.result ?? '';
  };
  return tool(run, { name: one.name, description: one.name, schema });
}

const roles = { human: 'user', ai: 'assistant', tool: 'tool', system: 'system' } as const;

/** What the model was sent, in the specification's form. */
function toLLMMessage(message: BaseMessage): LLMMessage {
  const role = roles[message.type as keyof typeof roles];
  const calls = AIMessage.isInstance(message) ? readCalls(message) : [];
  const text = readText(message);
  const { tool_call_id, name } = message as ToolMessage;
  return {
    role,
    content: calls.length > 0 && text === '' ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
    ...(name === undefined ? {} : { name }),
  };
}
