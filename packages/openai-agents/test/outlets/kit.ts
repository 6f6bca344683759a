import {
  Agent,
  type AgentConfiguration,
  type AgentInputItem,
  type FunctionTool,
  MemorySession,
  type NonStreamRunOptions,
  type RunResult,
  type RunState,
  type RunStreamEvent,
  StreamedRunResult,
  tool,
} from '@openai/agents';
import type { AnyHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { z } from 'zod';
import { createHooks, type OpenAIAgentsHooks, type OpenAIAgentsOptions } from '../../src/index.ts';
import { Ear } from './ear.ts';
import {
  type AnyAgent,
  hearResult,
  listenToAgent,
  listenToEvents,
  listenToRun,
  listenToRunner,
  listenToTool,
} from './listening.ts';
import { LoudModel, type Step } from './loud-model.ts';
import { CARD, type Masks, type Place } from './masks.ts';

export type Mode = 'run' | 'stream' | 'texts';
type AnyResult = RunResult<unknown, AnyAgent> | StreamedRunResult<unknown, AnyAgent>;
type Input = string | AgentInputItem[] | RunState<unknown, Agent>;

function readPiece(event: RunStreamEvent): string {
  return event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta'
    ? event.data.delta
    : '';
}

/** One run, or several, of agents whose user, model and tools say what must not get out, with somebody who listens everywhere. */
export class Kit {
  readonly ear: Ear = new Ear();
  readonly session: MemorySession = new MemorySession({ sessionId: 'chat-1' });
  readonly hooks: OpenAIAgentsHooks;
  readonly mode: Mode;
  readonly #masks: Masks;
  readonly #store = memoryStore();

  constructor(masks: Masks, mode: Mode, more: Partial<OpenAIAgentsOptions> = {}) {
    this.mode = mode;
    this.#masks = masks;
    const { hooks: others = [], runConfig = {}, ...options } = more;
    const hooks = [...masks.hooks, ...(others as readonly AnyHook[])];
    this.hooks = createHooks({
      ...{
        store: this.#store,
        hooks,
        allowPartial: hooks.map(({ id }) => id),
        onRun: (run) => this.ear.runs.push(run),
      },
      runConfig: { ...listenToRunner(this.ear), ...runConfig },
      ...options,
    } as OpenAIAgentsOptions);
    listenToEvents(this.ear, this.hooks.runner, 'runner');
  }

  /** What is said somewhere: with the card, where hooks see that place. */
  say(place: Place): string {
    return this.#masks.places.includes(place) ? `My card is ${CARD}.` : 'My card is mine.';
  }

  agent(steps: readonly Step[], config: Partial<AgentConfiguration> = {}): Agent {
    const model = new LoudModel(steps);
    this.ear.hear('requests', model.requests);
    const agent = new Agent({ ...listenToAgent(this.ear), name: 'clerk', model, ...config });
    listenToEvents(this.ear, agent, 'agent');
    return agent;
  }

  /** A tool that takes a text. */
  tool(name: string, work: () => unknown, more: object = {}): FunctionTool {
    const execute = this.ear.at('execute of a tool', async (..._handed: readonly unknown[]) => work());
    const parameters = z.object({ text: z.string() });
    const { ear } = this;
    return Object.assign(
      tool({ name, description: name, parameters, execute, ...more }),
      listenToTool(ear),
      more,
    );
  }

  call(name: string): NonNullable<Step['calls']>[number] {
    return { name, args: JSON.stringify({ text: this.say('call') }) };
  }

  async ask(
    agent: Agent,
    input: Input,
    options: Partial<NonStreamRunOptions<unknown>> = {},
  ): Promise<AnyResult | undefined> {
    const { run } = this.hooks.inTurn({ threadId: 'chat-1', userId: 'ada' });
    const given = { ...listenToRun(this.ear), session: this.session, ...options };
    try {
      const result = (this.mode === 'run'
        ? await run(agent, input, given)
        : await run(agent, input, { ...given, stream: true })) as unknown as AnyResult;
      if (result instanceof StreamedRunResult) await this.#read(result);
      hearResult(this.ear, result);
      return result;
    } catch (error) {
      this.ear.hear('error', error);
      return undefined;
    }
  }

  async #read(result: StreamedRunResult<unknown, AnyAgent>): Promise<void> {
    let text = '';
    try {
      if (this.mode === 'texts') for await (const piece of result.toTextStream()) text += piece;
      else
        for await (const event of result) {
          this.ear.hear(`event ${event.type}`, event);
          text += readPiece(event);
        }
      await result.completed;
    } finally {
      this.ear.hear('streamed text', text);
    }
  }

  async finish(): Promise<Map<string, unknown[]>> {
    const { ear } = this;
    ear.hear('items of the session', await this.session.getItems());
    ear.hear(
      'rows of the store',
      await this.#store.listMessages('chat-1'),
      await this.#store.listToolCalls('chat-1'),
    );
    ear.hear('ledger', ear.runs, await this.#store.listRuns({ threadId: 'chat-1' }));
    return ear.heard;
  }
}
