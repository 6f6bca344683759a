import {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  MemorySession,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type RunToolApprovalItem,
  type StreamEvent,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import type { ModelAnswer, SendResult, Subject, TrialTool } from '@spec/conformance';
import { type HostedLoop, type HostedTrial, makeHostSubject } from '@spec/conformance/host';
import type { LLMMessage, ThreadState } from '@spec/hooks';
import { readToolCalls } from '@spec/hooks/host';
import { memoryStore } from '@spec/runtime';
import { honoursWithStore } from '../src/honours.ts';
import { createHooks, MessageDeniedError } from '../src/index.ts';
import { lendItems, readSaid, replaceSaid } from '../src/items.ts';

/** Runs of the OpenAI Agents SDK in a session, with the bridge and a store, as subjects of the suite. */
export function openaiAgentsSubject(way: 'run' | 'stream'): Subject {
  setTraceProcessors([]);
  setTracingDisabled(true);
  const abilities = ['control', 'model-calls', 'policies', 'values', 'ledger', 'abort'] as const;
  return makeHostSubject({
    name: `OpenAI Agents SDK (${way})`,
    abilities: way === 'stream' ? [...abilities, 'streaming'] : abilities,
    honours: honoursWithStore,
    openStore: memoryStore,
    openLoop: (trial) => openLoop(trial, way === 'stream'),
  });
}

function openLoop(trial: HostedTrial, stream: boolean): HostedLoop {
  const { setup, options, threadId } = trial;
  const hooks = createHooks(options);
  const session = new MemorySession({ sessionId: threadId });
  const agent = new Agent({
    name: 'main',
    model: new ScriptedModel(trial),
    tools: (setup.tools ?? []).map(makeTool),
    ...(setup.system === undefined ? {} : { instructions: setup.system }),
  });
  const { run } = hooks.inTurn({ threadId, userId: 'ada' });
  const ask = async (input: Parameters<typeof run>[1], signal: AbortSignal) => {
    if (!stream) return run(agent, input as string, { session, signal, maxTurns: 20 });
    const result = await run(agent, input as string, { session, signal, maxTurns: 20, stream: true });
    for await (const text of result.toTextStream()) trial.hear(text);
    await result.completed;
    if (result.cancelled) throw new DOMException('aborted', 'AbortError');
    return result;
  };
  return {
    async send(content, signal) {
      try {
        let result = await ask(content, signal);
        while (result.interruptions.length > 0) {
          for (const asked of result.interruptions) refuse(result.state, asked);
          result = await ask(result.state as never, signal);
        }
        return { status: 'completed', text: result.finalOutput ?? null };
      } catch (error) {
        return readDenial(error);
      }
    },
  };
}

/** Nobody can be asked: the application says so to the SDK, which goes on with it. */
function refuse(
  state: { reject(item: RunToolApprovalItem, options: { message: string }): void },
  asked: RunToolApprovalItem,
): void {
  state.reject(asked, { message: 'It was denied: nobody can be asked.' });
}

function readDenial(error: unknown): SendResult {
  if (!(error instanceof MessageDeniedError)) throw error;
  return { status: 'denied', text: null, reason: error.message };
}

/** A model that answers as the trial says. */
class ScriptedModel implements Model {
  readonly #trial: HostedTrial;

  constructor(trial: HostedTrial) {
    this.#trial = trial;
  }

  async getResponse({ input, systemInstructions, signal }: ModelRequest): Promise<ModelResponse> {
    const items: AgentInputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    const answer = await this.#trial.answer(toLLMMessages(items, systemInstructions), signal);
    return { usage: new Usage(), output: toOutput(answer), responseId: crypto.randomUUID() };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const { output } = await this.getResponse(request);
    yield { type: 'response_started' };
    const { text } = readSaid(output as AgentInputItem[]);
    for (const delta of text?.match(/.{1,3}/gsu) ?? []) yield { type: 'output_text_delta', delta };
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    yield { type: 'response_done', response: { id: crypto.randomUUID(), usage, output: output as never } };
  }
}

function toOutput({ text, calls = [] }: ModelAnswer): AgentOutputItem[] {
  const made = calls.map(({ id, name, input }) => ({
    ...({ id, type: 'function' } as const),
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
  return replaceSaid([], { text: text ?? null, calls: made }) as AgentOutputItem[];
}

/** What the model was sent, in the specification's form. */
function toLLMMessages(items: readonly AgentInputItem[], system?: string): LLMMessage[] {
  const said = lendItems(items).messages.map((message): LLMMessage => {
    const { role, content, tool_call_id, name } = message;
    const calls = readToolCalls(message);
    return {
      ...{ role, content },
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(typeof tool_call_id === 'string' ? { tool_call_id } : {}),
      ...(typeof name === 'string' ? { name } : {}),
    };
  });
  return system === undefined || system === '' ? said : [{ role: 'system', content: system }, ...said];
}

function makeTool({ name, required = [], permission, run }: TrialTool) {
  const properties = Object.fromEntries(required.map((field) => [field, { type: 'string' as const }]));
  return tool({
    ...{ name, description: name, strict: false, needsApproval: permission === 'ask', errorFunction: null },
    parameters: {
      type: 'object' as const,
      properties,
      required: [...required],
      additionalProperties: true as const,
    },
    async execute(input: unknown) {
      const args = input as Record<string, unknown>;
      const missing = required.find((field) => typeof args[field] !== 'string');
      if (missing !== undefined) throw new Error(`${missing} must be a text`);
      return run(args, {} as ThreadState);
    },
  });
}
