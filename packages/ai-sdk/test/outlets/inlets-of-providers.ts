import type * as v6 from 'ai';
import { anyInput, type Bench } from './bench.ts';
import { masksInWindows } from './canaries.ts';
import type { Inlet } from './inlets.ts';
import type { Script } from './leaky-model.ts';

const oneBatch: Script = { calls: (step) => step === 1 };

const askTwice =
  (way: 'generateText' | 'streamText') =>
  async (bench: Bench): Promise<void> => {
    for (let at = 0; at < 2; at++) await bench.read(() => bench.ai[way](bench.hooked()));
  };

/** A tool that the provider runs. */
const askHosted =
  (way: 'generateText' | 'streamText') =>
  (bench: Bench): Promise<unknown> => {
    const search = {
      type: 'provider',
      isProviderExecuted: true,
      id: 'script.search',
      name: 'search',
      args: {},
      inputSchema: anyInput,
    };
    const tools = { ...bench.tools, search: search as unknown as v6.Tool };
    return bench.read(() => bench.ai[way](bench.hooked({ tools })));
  };

/** What the AI SDK tries again by itself. */
const retry =
  (way: 'generateText' | 'streamText', more: object = {}) =>
  (bench: Bench): Promise<unknown> =>
    bench.read(() => bench.ai[way](bench.hooked({ maxRetries: 1, ...more })));

/** What a provider does by itself: it fails, breaks off, and runs tools. */
export const providerInlets: Readonly<Record<string, Inlet>> = {
  'a call again after an error': { script: { fails: true }, run: askTwice('generateText') },
  'a stream again after an error': { script: { fails: true }, run: askTwice('streamText') },
  'a call that is tried again': { script: { ...oneBatch, fails: true }, run: retry('generateText') },
  'a stream that is tried again': { script: { ...oneBatch, fails: true }, run: retry('streamText') },
  'a stream that breaks off': { script: { fails: 'midway' }, run: askTwice('streamText') },
  'a stream that breaks off, in windows': {
    ...{ script: { fails: 'midway' }, hooks: masksInWindows },
    run: askTwice('streamText'),
  },
  'a stream that breaks off and is tried again': {
    ...{ only: '7', script: { fails: 'midway' } },
    run: retry('streamText', { streamRetries: 1 }),
  },
  'a tool of the provider': { script: { ...oneBatch, hosts: true }, run: askHosted('generateText') },
  'a tool of the provider, streamed': { script: { ...oneBatch, hosts: true }, run: askHosted('streamText') },
};
