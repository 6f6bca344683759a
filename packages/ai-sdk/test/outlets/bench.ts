import { type AnyHook, defineHook, type RunRecord } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import { encodeText } from '@spec/test-helpers';
import * as v6 from 'ai';
import * as v7 from 'ai-v7';
import { z } from 'zod';
import { type AiSdkHooks, createHooks } from '../../src/index.ts';
import { canary, masks } from './canaries.ts';
import { type LeakyModel, leakyModel, type Script } from './leaky-model.ts';
import { collect, Recorder } from './recorder.ts';
import { listNames, toolFields } from './tables.ts';

/** A version of the AI SDK. Version 7 has all that the tests need of version 6; what it has beside that, they take from itself. */
export interface Version {
  readonly name: '6' | '7';
  readonly ai: typeof v6;
  readonly specificationVersion: 'v3' | 'v4';
}

export const versions: readonly Version[] = [
  { name: '6', ai: v6, specificationVersion: 'v3' },
  { name: '7', ai: v7 as unknown as typeof v6, specificationVersion: 'v4' },
];

type Options = Parameters<typeof v6.generateText>[0];

/** Of every tool; to look through it for texts takes long. */
export const anyInput: z.ZodType<Record<string, unknown>> = z.looseObject({});

/** An application whose every option and tool hears what it is told. */
export class Bench {
  readonly recorder: Recorder = new Recorder();
  readonly store: Store = memoryStore();
  readonly ai: typeof v6;
  readonly version: Version;
  readonly model: LeakyModel;
  readonly tools: v6.ToolSet;
  readonly hooks: AiSdkHooks;
  readonly #given: readonly AnyHook[];
  readonly #runs: RunRecord[] = [];

  constructor(version: Version, script: Script = {}, hooks: readonly AnyHook[] = masks) {
    this.version = version;
    this.ai = version.ai;
    this.model = leakyModel(script, version.specificationVersion);
    this.tools = this.#makeTools();
    this.#given = hooks;
    this.hooks = this.openHooks();
  }

  /** The hooks of one process of the application. */
  openHooks(): AiSdkHooks {
    const watch = defineHook({
      hook: 'after_model_call',
      id: 'watch',
      execute: async (_state, call) => this.recorder.note('after_model_call', call),
    });
    return createHooks({
      hooks: [...this.#given, watch],
      ...{ allowPartial: [], allowUnwrapped: ['search'] },
      store: this.store,
      onRun: (run) => void this.#runs.push(run),
    });
  }

  /** The options of one call, with the hooks. */
  hooked(given: Partial<Options> = {}, hooks: AiSdkHooks = this.hooks): Options {
    const heard = this.recorder.listenAll(3);
    const { model, tools } = this;
    const options = {
      ...{ ...heard, model, tools, maxRetries: 0, system: `You know ${canary('system')}.` },
      ...{ messages: [...firstMessages], includeRawChunks: true, ...this.#telemetry() },
      ...{ include: { requestBody: true, responseBody: true }, ...given },
    };
    return hooks.hooked(options as unknown as Options, { threadId: 'chat-1' });
  }

  #telemetry(): object {
    const integrations = [this.recorder.listenToTelemetry()];
    const settings = { isEnabled: true, integrations, tracer: makeTracer(this.recorder) };
    return this.version.name === '6'
      ? { experimental_telemetry: settings }
      : { telemetry: { ...settings, tracer: undefined } };
  }

  #makeTools(): v6.ToolSet {
    const { tool } = this.ai;
    const listening = (name: string): object => {
      const gives: Readonly<Record<string, (...heard: never[]) => unknown>> = {
        needsApproval: () => false,
        toModelOutput: ({ output }: { output: unknown }) => ({ type: 'json', value: output }),
      };
      const fields = listNames(toolFields, 'told').filter((field) => field !== 'execute');
      return Object.fromEntries(
        fields.map((field) => [field, this.recorder.hear(`${field} of ${name}`, gives[field])]),
      );
    };
    const make = (name: string, execute: () => unknown): v6.Tool =>
      tool({
        inputSchema: anyInput,
        ...listening(name),
        execute: this.recorder.hear(`execute of ${name}`, execute),
      } as never) as v6.Tool;
    return {
      pay: make('pay', async () => ({ paid: canary('result') })),
      fail: make('fail', async () => {
        throw new Error(canary('error'), { cause: canary('error') });
      }),
      pieces: make('pieces', async function* () {
        yield canary('piece');
        yield 'done';
      }),
    };
  }

  /** What may hold canaries. */
  get apart(): readonly unknown[] {
    return [this.tools, this.model, anyInput];
  }

  /** What came out by now. */
  async readOutlets(): Promise<Readonly<Record<string, unknown>>> {
    const threads = await this.store.listThreads();
    const stored = await Promise.all(
      threads.map(async ({ id }) => [await this.store.listMessages(id), await this.store.listValues(id)]),
    );
    return {
      ...this.recorder.outlets,
      ...{ 'what the model is sent': this.model.sent, 'the rows of the store': stored },
      ...{ 'the ledger': await this.store.listRuns(), 'the records of runs': this.#runs },
    };
  }

  /** Goes through all that a call gives, or the error that it ends with. */
  async read(make: () => PromiseLike<object> | object): Promise<object | undefined> {
    try {
      const result = await make();
      await this.recorder.read(result);
      return result;
    } catch (error) {
      this.recorder.note('the error of the call', error);
      return undefined;
    }
  }

  async note(name: string, stream: AsyncIterable<unknown>): Promise<void> {
    this.recorder.note(name, await collect(stream));
  }
}

export const firstMessages: readonly v6.ModelMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: `Pay with ${canary('user')}.` },
      {
        ...{ type: 'file', mediaType: 'text/plain', filename: `${canary('named')}.txt` },
        data: encodeText(canary('attached')),
      },
    ],
  },
];

/** A tracer that keeps what spans are told. */
function makeTracer(recorder: Recorder): object {
  const span: object = new Proxy(
    {},
    {
      get: (_target, name) => {
        if (name === 'spanContext') return () => ({ traceId: '1', spanId: '1', traceFlags: 1 });
        if (name === 'isRecording') return () => true;
        return (...told: unknown[]) => {
          recorder.note(`span.${String(name)}`, ...told);
          return span;
        };
      },
    },
  );
  const start = (name: string, ...rest: unknown[]): unknown => {
    const work = rest.at(-1);
    recorder.note('span.attributes', name, ...rest.slice(0, -1));
    return typeof work === 'function' ? (work as (made: object) => unknown)(span) : span;
  };
  return { startSpan: start, startActiveSpan: start };
}
