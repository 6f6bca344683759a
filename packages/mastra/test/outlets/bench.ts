import { Agent, type AgentConfig } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { type MastraMemory, MockMemory } from '@mastra/core/memory';
import type { InputProcessor, Processor } from '@mastra/core/processors';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import type { Observability } from '@mastra/observability';
import type { AnyHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { canary } from '@spec/test-helpers';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { createHooks, type MastraHooks, type MastraOptions } from '../../src/index.ts';
import { Ear } from './ear.ts';
import { loudModel, type Step } from './loud-model.ts';
import { listen, memory } from './options.ts';
import { listenToSpans } from './spans.ts';
import type { Way } from './ways.ts';

/** Where the card is said first. */
export type Origin = 'user' | 'answer' | 'args' | 'result' | 'later';

/** What is said there. */
export const say = (origin: Origin): string => `My card is ${canary(origin)}.`;

export type Mode = 'generate' | 'stream';

/** What is another one in some way than the agent of every bench. */
export interface Making {
  readonly steps: readonly Step[];
  readonly options?: Partial<MastraOptions>;
  readonly config?: Partial<AgentConfig>;
  readonly execute?: () => Promise<unknown>;
  readonly kept?: MastraMemory;
}

/** An application whose user, model and tools say what must not get out, with somebody who listens everywhere. */
export class Bench {
  readonly ear: Ear = new Ear();
  readonly hooks: MastraHooks;
  readonly mode: Mode;
  readonly #store = memoryStore();
  readonly #storage = new InMemoryStore();
  readonly #spans: Observability | undefined;
  readonly listener: InputProcessor = this.#listen('a processor of inputs');
  #kept: MastraMemory = new MockMemory();

  constructor(mode: Mode, hooks: readonly AnyHook[], { options = {}, hasSpans = false }: Partial<Way> = {}) {
    this.mode = mode;
    this.#spans = hasSpans ? listenToSpans(this.ear) : undefined;
    const { hooks: others = [], ...rest } = options as { readonly hooks?: readonly AnyHook[] };
    this.hooks = createHooks({
      ...{ hooks: [...hooks, ...others], store: this.#store, onRun: (run) => this.ear.hear('ledger', run) },
      ...rest,
    } as MastraOptions);
  }

  /** A model, what is sent to it being heard. */
  model(steps: readonly Step[]): AgentConfig['model'] {
    const sent: unknown[] = [];
    this.ear.hear('requests', sent);
    return loudModel(steps, sent);
  }

  /** A tool that the hooks are around. */
  tools(execute: () => Promise<unknown> = async () => say('result')): AgentConfig['tools'] {
    const told = ['onInputStart', 'onInputDelta', 'onInputAvailable', 'onOutput'];
    const look = createTool({
      ...{ id: 'look', description: 'Looks.', inputSchema: z.object({ text: z.string() }) },
      ...Object.fromEntries(told.map((name) => [name, this.ear.at(`${name} of a tool`)])),
      execute: async (input, context) => {
        this.ear.hear('execute of a tool', input, context);
        return execute();
      },
    });
    return this.hooks.wrapTools({ look });
  }

  agent({ steps, config = {}, execute, kept = new MockMemory() }: Making): Agent {
    this.#kept = kept;
    const agent = new Agent({
      ...{ id: 'clerk', name: 'clerk', instructions: 'You help.', model: this.model(steps), memory: kept },
      tools: this.tools(execute),
      inputProcessors: [this.hooks.processor, this.listener],
      outputProcessors: [this.#listen('a processor of outputs')],
      ...config,
    } as AgentConfig);
    return this.mastra({ agent }).getAgent('agent');
  }

  mastra(agents: Record<string, Agent>, more: object = {}): Mastra {
    const traced = this.#spans === undefined ? {} : { observability: this.#spans };
    return new Mastra({ agents, storage: this.#storage, logger: false, ...traced, ...more });
  }

  /** A processor that hears what it is told, behind the hooks. */
  #listen<P extends Processor>(name: string): P {
    const hear = (told: object): void => {
      const { messages, ...rest } = told as { readonly messages?: readonly unknown[] };
      // The list that it is handed grows later.
      this.ear.hear(name, { ...rest, messages: messages && [...messages] });
    };
    const answer = (part: 'messages' | 'part') => (told: object) => {
      hear(told);
      return Reflect.get(told, part) as unknown;
    };
    const [messages, part] = [answer('messages'), answer('part')];
    const ofInputs = {
      processInput: messages,
      processInputStep: hear,
      processLLMRequest: hear,
      processLLMResponse: hear,
    };
    const ofOutputs = {
      processOutputStream: part,
      processOutputStep: messages,
      processOutputResult: messages,
    };
    return { id: 'listens', ...(name.endsWith('inputs') ? ofInputs : ofOutputs) } as unknown as P;
  }

  async ask(agent: Agent, more: object = {}, said: string = say('user')): Promise<unknown> {
    const given: object = { ...listen(this.ear), ...more };
    try {
      const result =
        this.mode === 'generate'
          ? await agent.generate(said, given)
          : await this.read(await agent.stream(said, given));
      this.ear.hear('result', result);
      return result;
    } catch (error) {
      this.ear.hear('error', error);
      return undefined;
    }
  }

  /** Until something is heard there. */
  async waitFor(outlet: string): Promise<void> {
    await vi.waitFor(() => expect(this.ear.heard[outlet]).toBeDefined());
  }

  async resume(agent: Agent, answer: object, runId: string): Promise<void> {
    const given = { ...(listen(this.ear) as object), runId };
    const result =
      this.mode === 'generate'
        ? await agent.resumeGenerate(answer, given)
        : await this.read(await agent.resumeStream(answer, given));
    this.ear.hear('result', result);
  }

  /** Reads a stream to its end. */
  async read(output: Awaited<ReturnType<Agent['stream']>>): Promise<unknown> {
    let text = '';
    for await (const chunk of output.fullStream) {
      this.ear.hear(`chunk ${chunk.type}`, chunk);
      if (chunk.type === 'text-delta') text += chunk.payload.text;
    }
    this.ear.hear('streamed text', text);
    this.ear.hear('result', output);
    return output.getFullOutput();
  }

  async finish(): Promise<void> {
    const { ear } = this;
    await this.#spans?.flush();
    ear.hear(
      'rows of the store',
      await this.#store.listMessages('chat-1'),
      await this.#store.listToolCalls('chat-1'),
    );
    const { thread: threadId, resource: resourceId } = memory;
    ear.hear(
      'memory',
      await this.#kept.recall({ threadId, resourceId, perPage: false }),
      await this.#kept.getThreadById({ threadId }),
    );
    ear.hear('storage', this.#storage);
    ear.hear('all that the memory keeps', this.#kept);
  }
}
