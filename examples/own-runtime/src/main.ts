import { defineHook, type HookMessage, type NewMessage } from '@spec/hooks';
import { createHost, honourOnly } from '@spec/hooks/host';

// A runtime of one's own: a list of messages, a model that is a function, a tool, and the host of @spec/hooks that runs the hooks.

const maskNumbers = defineHook({
  hook: 'before_create_message',
  id: 'mask_numbers',
  execute: async (_state, message) => ({ ...message, content: message.content?.replace(/\d/g, '#') ?? null }),
});

const noRefunds = defineHook({
  hook: 'before_tool_call',
  id: 'no_refunds',
  match: 'refund',
  execute: async () => ({ decision: 'deny', reason: 'Refunds need a person.' }),
});

const host = createHost({
  name: 'own-runtime',
  honours: honourOnly(
    ['before_create_message', 'before_tool_call', 'before_store_tool_result', 'filter_messages'],
    'this loop never comes to it.',
  ),
  hooks: [maskNumbers, noRefunds],
  timeout: '1s',
  onRun: ({ hook, id, outcome }) => console.log(`  [${hook} ${id}: ${outcome}]`),
});

const stored: HookMessage[] = [];
const turn = host.openTurn({ threadId: 'thread-1', thread: { listMessages: () => stored } });

/** Every message passes the create chain before it is stored. */
function store(message: NewMessage): Promise<HookMessage> {
  return turn.store(message, (checked) => {
    const row = { ...checked, id: `m${stored.length + 1}`, created_at: stored.length };
    stored.push(row);
    return row;
  });
}

/** The model sees what the filters leave. This one calls a tool as soon as it reads "refund". */
async function answer(text: string): Promise<void> {
  await store({ role: 'user', content: text });
  const history = await turn.run('filter_messages', stored);
  if (!text.includes('refund'))
    return void (await store({ role: 'assistant', content: `I read ${history.length}.` }));
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'refund', arguments: '{"order":7}' },
  } as const;
  await store({ role: 'assistant', content: null, tool_calls: JSON.stringify([call]) });
  const { result } = await turn.runCall(call, ({ order }) => `refunded ${String(order)}`);
  await store({ role: 'tool', content: result.result ?? result.error ?? '', tool_call_id: call.id });
}

for (const text of ['My code is 1234.', 'I want a refund.']) await answer(text);
for (const { role, content } of stored) console.log(`${role}: ${content}`);
