import type { HookMessage } from '@spec/hooks';

/** A conversation as a support agent has it: a question, a tool call, its result, an answer, and again. */
export function conversation(length: number): HookMessage[] {
  return Array.from({ length }, (_, i) => (sorts[i % sorts.length] as (typeof sorts)[number])(i));
}

const createdAt = (i: number): number => 1_760_000_000_000_000 + i * 1_000_000;

/** Ids of the runtime grow with time: those of an older conversation come before the next one. */
const pickId = (i: number): string => `0${i.toString().padStart(9, '0')}`;

const call = (i: number): string =>
  JSON.stringify([
    { id: `call_${i}`, type: 'function', function: { name: 'get_order', arguments: `{"order":${i}}` } },
  ]);

const sorts = [
  (i: number): HookMessage => ({
    id: pickId(i),
    role: 'user',
    content: `Where is my order ${i}?`,
    created_at: createdAt(i),
  }),
  (i: number): HookMessage => ({
    id: pickId(i),
    role: 'assistant',
    content: null,
    tool_calls: call(i),
    created_at: createdAt(i),
  }),
  (i: number): HookMessage => ({
    id: pickId(i),
    role: 'tool',
    content: `{"order":${i},"status":"shipped","carrier":"post"}`,
    name: 'get_order',
    tool_call_id: `call_${i - 1}`,
    created_at: createdAt(i),
  }),
  (i: number): HookMessage => ({
    id: pickId(i),
    role: 'assistant',
    content: `It was shipped, it is number ${i}.`,
    created_at: createdAt(i),
  }),
];
