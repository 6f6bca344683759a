import { setImmediate } from 'node:timers/promises';
import { type AnyHook, isRecord, type NewMessage, type RunRecord, type ThreadState } from '@spec/hooks';
import { createRuntime, memoryStore, type Runtime, type Store, type Thread } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { type Payload, textIn } from './payload.ts';

/** A real thread in memory that hooks run on, with what they did to it. */
export interface Scene {
  readonly state: ThreadState;
  /** Makes a subagent of the thread. */
  child(): Promise<ThreadState>;
  /** What hooks put into the conversation, and told the person, since the scene was opened. */
  said(): Promise<{ readonly contexts: readonly string[]; readonly userMessages: readonly string[] }>;
  /** The runs of hooks around what was written to the thread. */
  runs(): Promise<readonly RunRecord[]>;
  close(): Promise<void>;
}

export interface SceneOptions {
  readonly payload: Payload;
  /** They run around what hooks write to the thread. */
  readonly hooks: readonly AnyHook[];
  readonly isSubagent: boolean;
  /** Where the payload names no thread. Default `thread_1`. */
  readonly threadId?: string | undefined;
}

/**
 * Opens a thread for one event. Its own hooks do not run for that: nobody asked about them.
 *
 * @throws {DefinitionError} as the registry refuses the hooks, or the runtime the agent's name
 */
export async function openScene(options: SceneOptions): Promise<Scene> {
  const { payload, hooks, isSubagent, threadId = 'thread_1' } = options;
  const { fields } = payload;
  const agent = textIn(fields, 'agentId', 'agent_type') ?? 'agent';
  const store = memoryStore();
  const runtime = runtimeFor(agent, store);
  const rootId = textIn(fields, 'threadId', 'session_id', 'sessionId') ?? threadId;
  const root = await runtime.createThread({ id: rootId, agent, ...readUser(payload) });
  const makeChild = async (id: string): Promise<Thread> => {
    const record = await store.getThread(rootId);
    await store.createThread({ ...(record as NonNullable<typeof record>), id, parentId: rootId, depth: 1 });
    return runtime.openThread(id);
  };
  const thread = isSubagent ? await makeChild(textIn(fields, 'agent_id') ?? 'thread_2') : root;
  for (const message of historyIn(payload)) await thread.inject(message);
  const before = (await thread.messages()).length;
  const userMessages = listen(thread);
  runtime.swapPolicies(hooks);
  return {
    state: thread.state,
    async child() {
      runtime.swapPolicies([]);
      const { state } = await makeChild('thread_3');
      runtime.swapPolicies(hooks);
      return state;
    },
    async said() {
      await setImmediate();
      const messages = [...(await thread.messages()).slice(before), ...(await queued(store, thread))];
      return { contexts: messages.flatMap(({ content }) => content ?? []), userMessages };
    },
    runs: () => thread.runs(),
    async close() {
      runtime.swapPolicies([]);
      await runtime.close();
    },
  };
}

function runtimeFor(agent: string, store: Store): Runtime {
  return createRuntime({
    agents: [{ name: agent, prompt: 'asked' }],
    prompts: [{ name: 'asked' }],
    models: { none: scriptedModel([]) },
    store,
    warnings: 'off', // what hooks did is what the command prints
  });
}

function readUser({ fields }: Payload): { readonly userId?: string } {
  const userId = textIn(fields, 'userId', 'user_id');
  return userId === undefined ? {} : { userId };
}

/** What had been said before the event, where the payload tells. */
function historyIn({ fields }: Payload): NewMessage[] {
  const given = Array.isArray(fields.history) ? fields.history.filter(isRecord) : [];
  const last = textIn(fields, 'last_assistant_message');
  return [...given, ...(last === undefined ? [] : [{ role: 'assistant', content: last }])] as NewMessage[];
}

/** What settings files have for the person comes as an event, where no decision takes it along. */
function listen(thread: Thread): readonly string[] {
  const messages: string[] = [];
  thread.on((event) => {
    if (event.type !== 'custom' || event.name !== 'command_hook_message' || !isRecord(event.data)) return;
    messages.push(String(event.data.message));
  });
  return messages;
}

async function queued(store: Store, { id }: Thread): Promise<{ readonly content?: string | null }[]> {
  const items = await store.listQueue(id);
  return items.filter(({ kind }) => kind === 'message' || kind === 'inject').map(({ payload }) => payload);
}
