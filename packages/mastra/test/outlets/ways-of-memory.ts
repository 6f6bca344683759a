import { InMemoryStore } from '@mastra/core/storage';
import type { MastraVector } from '@mastra/core/vector';
import { Memory } from '@mastra/memory';
import { type Bench, say } from './bench.ts';
import { memory } from './options.ts';
import { calling, stepThatCalls, type Way } from './ways.ts';

type Options = ConstructorParameters<typeof Memory>[0] & object;

/** What a memory that finds messages by their meaning is made with: it tells what it is given. */
function listenToSearch({ ear }: Bench): Pick<Options, 'embedder' | 'vector'> {
  const found: object[] = [];
  const vector = {
    ...{ id: 'vector', __setLogger: () => {}, createIndex: async () => {}, listIndexes: async () => [] },
    upsert: async (given: { readonly metadata: readonly object[] }) => {
      ear.hear('the index', given);
      found.push(...given.metadata.map((metadata, at) => ({ id: `${at}`, score: 1, metadata })));
      return [];
    },
    query: async () => found,
  };
  const embedder = {
    ...{ specificationVersion: 'v2', provider: 'loud', maxEmbeddingsPerCall: 9, supportsParallelCalls: true },
    modelId: crypto.randomUUID(), // Mastra remembers for each model what it has embedded.
    doEmbed: async ({ values }: { readonly values: readonly string[] }) => {
      ear.hear('what is embedded', [...values]);
      return { embeddings: values.map(() => [1, 0]) };
    },
  };
  return { embedder: embedder as Options['embedder'] & object, vector: vector as unknown as MastraVector };
}

/** A memory that has another model make notes of what is said, at once. */
function makeObserving(bench: Bench): Options {
  const notes = Array.from({ length: 6 }, () => ({
    text: `<observations>\n* ${say('answer')}\n</observations>`,
  }));
  const observation = { messageTokens: 1, bufferTokens: false };
  const model = bench.model(notes);
  return { options: { observationalMemory: { model, scope: 'thread', observation } } } as Options;
}

type Make = (bench: Bench) => Options;

/** @param isBehind whether the hooks stand before the memory */
const askWith = (make: Make, isBehind: boolean, steps = calling): Way => ({
  options: { allowUnwrapped: ['updateWorkingMemory'] },
  async go(bench) {
    const storage = new InMemoryStore();
    const kept = new Memory({ storage, ...make(bench) });
    const agent = bench.agent({
      ...{ steps, kept },
      ...(isBehind ? { config: { inputProcessors: bench.hooks.beforeMemory(kept, [bench.listener]) } } : {}),
      execute: async () => {
        agent.sendMessage(say('later'), { resourceId: memory.resource, threadId: memory.thread });
        return say('result');
      },
    });
    await bench.ask(agent, { context: [{ role: 'user', content: say('later') }] });
    await bench.ask(agent);
    bench.ear.hear('what the memory stores', storage);
  },
});

const finding: Make = (bench) => ({
  ...listenToSearch(bench),
  options: { semanticRecall: true, lastMessages: 1 },
});
const writing: Make = () => ({ options: { workingMemory: { enabled: true } } });
const writes = [stepThatCalls('updateWorkingMemory', { memory: say('args') }), { text: say('answer') }];

export const memoryWays: Readonly<Record<string, Way>> = {
  'a memory that finds by meaning, before the hooks': askWith(finding, false),
  'a memory that finds by meaning, sent into a run': askWith(finding, true),
  'a memory that observes, before the hooks': askWith(makeObserving, false),
  'a memory that observes, sent into a run': askWith(makeObserving, true),
  'a memory that a model writes': askWith(writing, false, writes),
  'a memory behind the hooks that a model writes': askWith(writing, true, writes),
};
