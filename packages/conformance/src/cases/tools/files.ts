import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { calling, last, on, scoped, tool, watch } from '../kit/index.ts';

const attachment = { name: 'a.txt', mimeType: 'text/plain', data: btoa('a file') };
const withFile = {
  tools: [tool('act', { status: 'success', result: 'acted', attachments: [attachment] })],
  script: calling('act'),
};

const readNameOfFirst = ({ attachments }: { readonly attachments?: unknown }): unknown =>
  (attachments as { name?: unknown }[] | undefined)?.[0]?.name;

/** Files that tools return (specification §6.3). */
export const toolFileCases: readonly Case[] = [
  {
    id: 'tool_results.attachments_reach_the_hooks',
    section: 'spec 6.3',
    level: 'MUST',
    says: 'Files that a tool returns are in the attachments of the result that hooks get.',
    covers: ['6.3.attachments'],
    hooks: ['after_tool_call_success', 'before_store_tool_result'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hooks = [
        watch('after_tool_call_success', (_, _call, result) => seen.push(readNameOfFirst(result))),
        watch('before_store_tool_result', (_, _call, result) => seen.push(readNameOfFirst(result))),
      ];
      const trial = await open(scoped(hooks, withFile));
      await trial.send('go');
      same(seen, ['a.txt', 'a.txt'], 'the name of the attachment as each hook saw it');
    },
  },
  {
    id: 'tool_results.attachments_survive_a_rewrite_that_keeps_them',
    section: 'spec 6.3',
    level: 'MUST',
    says: 'A hook that rewrites the result and spreads the rest preserves the attachments.',
    covers: ['6.3.attachments'],
    hooks: ['after_tool_call_success', 'before_store_tool_result'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hooks = [
        on('after_tool_call_success', async (_, _call, result) => ({ ...result, result: 'rewritten' })),
        on(
          'before_store_tool_result',
          async (_, _call, result) => ({ ...result, result: `${String(result.result)} twice` }),
          { id: 'a' },
        ),
        watch(
          'before_store_tool_result',
          (_, _call, result) => seen.push([result.result, readNameOfFirst(result)]),
          { id: 'b' },
        ),
      ];
      const trial = await open(scoped(hooks, withFile));
      await trial.send('go');
      same(seen, [['rewritten twice', 'a.txt']], 'the result and its attachment after two rewrites');
    },
  },
  {
    id: 'tool_results.attachments_can_be_replaced',
    section: 'spec 6.3',
    level: 'MUST',
    says: 'A hook that replaces the attachments deliberately is obeyed: with others, or with none.',
    covers: ['6.3.attachments'],
    hooks: ['after_tool_call_success', 'before_store_tool_result'],
    async run({ open }) {
      const seen: unknown[] = [];
      const other = { ...attachment, name: 'b.txt' };
      const hooks = [
        on('after_tool_call_success', async (_, _call, result) => ({ ...result, attachments: [other] })),
        on(
          'before_store_tool_result',
          async (_, _call, { attachments, ...result }) => {
            seen.push(readNameOfFirst({ attachments }));
            return result;
          },
          { id: 'a' },
        ),
        watch('before_store_tool_result', (_, _call, result) => seen.push(readNameOfFirst(result)), {
          id: 'b',
        }),
      ];
      const trial = await open(scoped(hooks, withFile));
      await trial.send('go');
      same(seen, ['b.txt', undefined], 'the name of the attachment after each hook');
    },
  },
  {
    id: 'tool_results.attachments_of_bytes_survive_the_hooks',
    section: 'spec 6.3',
    level: 'MUST',
    says: 'The data of an attachment may be bytes: they are the same behind the hooks, and as they are stored.',
    covers: ['6.3.attachments'],
    needs: ['files'],
    hooks: ['before_store_tool_result'],
    async run({ open }) {
      const bytes = Uint8Array.from([0, 1, 128, 255]);
      const read: (readonly number[])[] = [];
      const keeps = on('before_store_tool_result', async (_, _call, result) => ({
        ...result,
        result: 'kept',
      }));
      const reads = on('after_create_message', async (state, { role }) => {
        if (role !== 'tool') return;
        for (const { path } of await state.listFiles()) read.push([...((await state.readFile(path)) ?? [])]);
      });
      const result = {
        status: 'success' as const,
        result: 'acted',
        attachments: [{ ...attachment, data: bytes }],
      };
      const trial = await open(
        scoped([keeps, reads], { tools: [tool('act', result)], script: calling('act') }),
      );
      await trial.send('go');
      same(read, [[0, 1, 128, 255]], 'the bytes of the stored file');
      same((await last(trial, 'tool')).content, 'kept', 'the text beside it, as the hook left it');
    },
  },
  {
    id: 'tool_results.attachments_are_stored_as_the_hooks_left_them',
    section: 'spec 6.3',
    level: 'MUST',
    says: 'What is stored is the file that the hooks left; the one that they replaced is nowhere.',
    covers: ['6.3.attachments'],
    needs: ['files'],
    hooks: ['before_store_tool_result'],
    async run({ open }) {
      const names: string[][] = [];
      const replaces = on('before_store_tool_result', async (_, _call, result) => ({
        ...result,
        attachments: [{ ...attachment, name: 'b.txt', data: btoa('another file') }],
      }));
      const lists = on('after_create_message', async (state, { role }) => {
        if (role === 'tool') names.push((await state.listFiles()).map(({ name }) => name));
      });
      const trial = await open(scoped([replaces, lists], withFile));
      await trial.send('go');
      same(names, [['b.txt']], 'the names of the files in the thread');
      holds(
        (await last(trial, 'tool')).content === 'acted',
        'the text of the result is stored beside the file',
      );
    },
  },
];
