import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { HumanMessage } from '@langchain/core/messages';
import { Command, InMemoryStore, MemorySaver } from '@langchain/langgraph';
import { type AnyHook, defineHook, type RunRecord } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import { canary, encodeText, maskAll, maskMessage, maskText } from '@spec/test-helpers';
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  type ReactAgent,
  ToolMessage,
  tool,
} from 'langchain';
import { z } from 'zod';
import { hooksMiddleware } from '../../src/index.ts';
import { LeakyChat, type Script } from './leaky-chat.ts';
import { callbacks, middlewareNames, streamModes } from './tables.ts';

const masks: readonly AnyHook[] = [
  defineHook({
    hook: 'after_system_message',
    id: 'mask_system',
    execute: async (_state, text) => maskText(text),
  }),
  defineHook({ ...{ hook: 'before_create_message', id: 'mask_messages' }, execute: maskMessage }),
  defineHook({
    hook: 'before_store_tool_result',
    id: 'mask_results',
    execute: async (_state, _call, row) => maskAll(row),
  }),
];

/** Of every tool; to look through it for texts takes long. */
const anyInput: z.ZodType<Record<string, unknown>> = z.looseObject({ card: z.string().optional() });

type AgentOptions = Parameters<typeof createAgent>[0];

/** An application that hears all that LangChain tells. */
export class Bench {
  /** What came out, by the name of the outlet. */
  readonly outlets: Record<string, unknown[]> = {};
  readonly store: Store = memoryStore();
  readonly checkpointer: MemorySaver = new MemorySaver();
  readonly model: LeakyChat;
  readonly config: {
    readonly configurable: { readonly thread_id: string };
    readonly callbacks: BaseCallbackHandler[];
  } = { configurable: { thread_id: 'chat-1' }, callbacks: [this.#listen()] };
  readonly tools: unknown[] = this.#makeTools();
  readonly #graphStore = new InMemoryStore();
  readonly #runs: RunRecord[] = [];

  constructor(script: Script) {
    this.model = new LeakyChat(script);
  }

  note(name: string, ...heard: readonly unknown[]): void {
    this.outlets[name] = [...(this.outlets[name] ?? []), ...heard];
  }

  openAgent(given: object = {}, others: readonly AgentMiddleware[] = []): ReactAgent {
    const hooks = hooksMiddleware({
      ...{ hooks: masks, allowPartial: ['mask_messages'], store: this.store },
      onRun: (run) => void this.#runs.push(run),
    });
    const { model, tools, checkpointer } = this;
    return createAgent({
      ...{ model, tools, checkpointer, store: this.#graphStore },
      systemPrompt: `You know ${canary('system')}.`,
      ...given,
      middleware: [this.#watch('outer'), ...others, hooks, this.#watch('inner')],
    } as object as AgentOptions) as unknown as ReactAgent;
  }

  /** A middleware that hears what it is told. */
  #watch(name: string): AgentMiddleware {
    const told = Object.entries(middlewareNames).map(([method, sort]) => [
      method,
      sort === 'told'
        ? (state: unknown) => {
            this.note(`${method} of the ${name} middleware`, state);
          }
        : async (request: { state: unknown }, handler: (request: unknown) => unknown) => {
            this.note(`${method} of the ${name} middleware`, { ...request, runtime: undefined });
            const made = await handler(request);
            this.note(`${method} of the ${name} middleware, result`, made);
            return made;
          },
      sort,
    ]);
    const methods = told.filter(([, , sort]) => sort !== 'other').map(([method, hear]) => [method, hear]);
    return createMiddleware({ name, ...Object.fromEntries(methods) });
  }

  #listen(): BaseCallbackHandler {
    const names = Object.keys(callbacks);
    const hear =
      (name: string) =>
      (...told: unknown[]) =>
        this.note(`callback ${name}`, ...told);
    return BaseCallbackHandler.fromMethods(Object.fromEntries(names.map((name) => [name, hear(name)])));
  }

  #makeTools(): unknown[] {
    const make = (name: string, run: (callId: string) => unknown, more: object = {}) =>
      tool(
        async (input, runtime) => {
          this.note(`input of ${name}`, input);
          const { state, toolCall } = runtime as unknown as { state: unknown; toolCall: { id: string } };
          this.note(`runtime of ${name}`, { state, toolCall });
          return run(toolCall.id) as string;
        },
        { name, description: name, schema: anyInput, ...more },
      );
    const fail = (): never => {
      throw new Error(canary('error'), { cause: canary('error') });
    };
    const command = (id: string): Command =>
      new Command({
        update: {
          messages: [
            new ToolMessage({ content: canary('result'), tool_call_id: id, artifact: canary('artifact') }),
            new HumanMessage(`And ${canary('command')}.`),
          ],
        },
      });
    return [
      make('pay', () => `paid ${canary('result')}`),
      ...[make('fail', fail), make('command', command)],
      make('artifact', () => [`made ${canary('result')}`, canary('artifact')], {
        responseFormat: 'content_and_artifact',
      }),
    ];
  }

  /** What came out by now. */
  async readOutlets(agent: ReactAgent): Promise<Readonly<Record<string, unknown>>> {
    const { config } = this;
    const history: unknown[] = [];
    for await (const snapshot of agent.graph.getStateHistory(config)) history.push(snapshot);
    const threads = await this.store.listThreads();
    const rows = await Promise.all(threads.map(({ id }) => this.store.listMessages(id)));
    return {
      ...this.outlets,
      ...{ 'what the model is sent': this.model.sent, 'the rows of the store': rows },
      ...{ 'the values of the store': await this.store.listValues('chat-1') },
      ...{ 'the ledger': await this.store.listRuns(), 'the records of runs': this.#runs },
      getState: await agent.graph.getState(config),
      'the last checkpoint': await this.checkpointer.get(config),
      'the history, without what the input was': history.filter(isPastInput),
      'the checkpointer': [this.checkpointer.storage, this.checkpointer.writes],
      'the store of the graph': this.#graphStore,
    };
  }

  get apart(): readonly unknown[] {
    return [anyInput, this.tools, this.model];
  }
}

/** Whether the middleware has come to the messages of a checkpoint. */
function isPastInput(snapshot: unknown): boolean {
  const { metadata, next } = snapshot as { metadata: { source: string }; next: string[] };
  return (
    metadata.source === 'loop' && !next.some((node) => node.includes('before_agent') || node === '__start__')
  );
}

export const allModes = Object.keys(streamModes) as (keyof typeof streamModes)[];

/** What the user says: a text, a document, and a file. */
export const said = (): { messages: HumanMessage[] } => ({
  messages: [
    new HumanMessage({
      id: 'user_1',
      content: [
        { type: 'text', text: `Pay with ${canary('user')}.` },
        {
          ...{ type: 'file', source_type: 'base64', mime_type: 'text/plain' },
          ...{ data: encodeText(canary('attached')), metadata: { filename: `${canary('named')}.txt` } },
        },
      ],
    }),
  ],
});
