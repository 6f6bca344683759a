import { createExecutor, createRegistry, defineHook, type HookMessage, type ThreadState } from '@spec/hooks';

// A runtime of one's own: a list of messages, a model that is a function, and the executor of @spec/hooks.

const maskNumbers = defineHook({
  hook: 'before_create_message',
  id: 'mask_numbers',
  execute: async (_state, message) => ({ ...message, content: message.content?.replace(/\d/g, '#') ?? null }),
});

const lastThree = defineHook({
  hook: 'filter_messages',
  id: 'last_three',
  execute: async (_state, messages) => {
    const start = messages.findIndex(({ role }, index) => role === 'user' && index >= messages.length - 3);
    return start === -1 ? messages : messages.slice(start); // from a user message on, so that no tool result loses its call
  },
});

const registry = createRegistry({ hooks: [maskNumbers, lastThree] });
const scope = registry.scope({ agent: { name: 'echo', hooks: ['mask_numbers', 'last_three'] } });
const executor = createExecutor<ThreadState>({
  timeout: '1s',
  onRun: ({ hook, id, outcome }) => console.log(`  [${hook} ${id}: ${outcome}]`),
});

const stored: HookMessage[] = [];
const state = {
  threadId: 'thread-1',
  agentId: 'echo',
  userId: null,
  execution: {
    flowId: 'flow-1',
    currentSide: 'a',
    stepCount: 0,
    stopped: false,
    abortSignal: new AbortController().signal,
    stop() {},
  },
  getMessages: async () => stored,
} as Partial<ThreadState> as ThreadState;

/** Every message passes the create chain before it is stored. */
async function store(role: HookMessage['role'], content: string): Promise<void> {
  const draft = { id: `m${stored.length + 1}`, role, content, created_at: stored.length };
  const message = await executor.run('before_create_message', scope, state, draft);
  stored.push(message as unknown as HookMessage);
  await executor.run('after_create_message', scope, state, message);
}

/** The model sees what the filters leave. */
async function turn(text: string): Promise<void> {
  await store('user', text);
  const history = await executor.run('filter_messages', scope, state, stored);
  const llm = history.map(({ role, content }) => ({ role, content }));
  const sent = await executor.run('prefilter_llm_history', scope, state, llm);
  await store('assistant', `I was sent ${sent.length} messages, the last one: ${sent.at(-1)?.content}`);
}

for (const text of ['My code is 1234.', 'And my floor is 7.']) await turn(text);
for (const { role, content } of stored) console.log(`${role}: ${content}`);
