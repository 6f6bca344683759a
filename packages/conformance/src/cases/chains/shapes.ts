import type { HookMessage } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { calling, on, scoped, stored, tool, watch } from '../kit/index.ts';

/** Which rule of §6.1 a message breaks; nothing where it breaks none. */
function brokenMessage(message: HookMessage): string | undefined {
  const { id, role, content, name, tool_calls, tool_call_id, created_at, parent_id, depth } = message;
  if (typeof id !== 'string' || id === '') return 'id must be a text';
  if (!['system', 'user', 'assistant', 'tool'].includes(role)) return 'role must be one of four';
  if (content !== null && typeof content !== 'string') return 'content must be a text or null';
  if (typeof created_at !== 'number') return 'created_at must be a number';
  for (const [field, value] of Object.entries({ name, tool_calls, tool_call_id, parent_id }))
    if (value !== undefined && value !== null && typeof value !== 'string')
      return `${field} must be a text, null or absent`;
  return depth === undefined || typeof depth === 'number' ? undefined : 'depth must be a number or absent';
}

const acting = { tools: [tool('act', 'acted')], script: calling('act') };

/** The shapes of what hooks get (specification §6). */
export const shapeCases: readonly Case[] = [
  {
    id: 'shapes.stored_messages_are_hook_messages',
    section: 'spec 6.1',
    level: 'MUST',
    says: 'Messages of every role, as filter_messages gets them, have the fields of HookMessage, and ids of their own.',
    covers: ['6.1.message'],
    hooks: ['filter_messages'],
    async run({ open }) {
      let seen: HookMessage[] = [];
      const hook = on('filter_messages', async (_, messages) => {
        seen = structuredClone(messages);
        return messages;
      });
      await (await open(scoped([hook], acting))).send('go');
      same(seen.map(brokenMessage), [undefined, undefined, undefined], 'the rules that each message breaks');
      same(new Set(seen.map(({ id }) => id)).size, 3, 'how many ids three messages have');
      holds(
        seen.every(({ created_at }, i) => i === 0 || created_at >= (seen[i - 1] as HookMessage).created_at),
        'expected the times of the messages to follow their order',
      );
    },
  },
  {
    id: 'shapes.a_result_names_its_call',
    section: 'spec 6.1',
    level: 'MUST',
    says: 'The stored result of a tool has the id of its call in tool_call_id.',
    covers: ['6.1.message'],
    hooks: ['before_create_message'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = on('before_create_message', async (_, message) => {
        if (message.role === 'tool') seen.push(message.tool_call_id);
        return message;
      });
      const trial = await open(scoped([hook], acting));
      await trial.send('go');
      same(seen, ['call_1'], 'the call that the result names before it is stored');
      const ids = (await stored(trial)).map(({ tool_call_id }) => tool_call_id ?? null);
      same(ids, [null, null, 'call_1', null], 'the calls that the stored messages name');
    },
  },
  {
    id: 'shapes.a_failed_result_is_an_error',
    section: 'spec 6.3',
    level: 'MUST',
    says: 'The result of a tool that threw has the status error, and its text in error.',
    covers: ['6.3.tool_result'],
    hooks: ['after_tool_call_failure'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = watch('after_tool_call_failure', (_, call, result) =>
        seen.push([call.id, result.status, result.error?.includes('it broke'), result.result]),
      );
      const tools = [tool('act', new Error('it broke'))];
      await (await open(scoped([hook], { ...acting, tools }))).send('go');
      same(seen, [['call_1', 'error', true, undefined]], 'call, status, error and result that the hook got');
    },
  },
];
