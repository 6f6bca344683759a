import type { AttachmentRef, HookToolResult } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { on, scoped, watch } from '../kit/index.ts';
import { asks, contains, makeCall, storedAs, watchedTool } from '../kit/trials.ts';

const pointer: AttachmentRef = {
  type: 'file',
  path: 'reports/a.txt',
  name: 'a.txt',
  mimeType: 'text/plain',
  size: 5,
};
const drawn: HookToolResult = { status: 'success', result: 'drawn', attachments: [pointer] };

/** Files that a tool returns, and where they go (specification §6.3); what hooks make of them has cases of its own. */
export const attachmentCases: readonly Case[] = [
  {
    id: 'tools.attachments_are_stored_with_the_result',
    section: 'spec 6.3',
    level: 'MUST',
    needs: ['files'],
    hooks: ['filter_messages', 'before_store_tool_result'],
    says: 'A pointer to a file of the thread that a tool returns is shown to the hooks of its result, and stored with it.',
    async run({ open }) {
      const seen: unknown[] = [];
      const write = on('filter_messages', async (state, messages) => {
        await state.writeFile(pointer.path, 'hello', pointer.mimeType);
        return messages;
      });
      const look = watch('before_store_tool_result', (_, _call, result) => seen.push(result.attachments));
      const setup = { tools: [watchedTool('draw', drawn)], script: [asks(makeCall('draw'))] };
      const trial = await open(scoped([write, look], setup));
      await trial.send('Go');
      same(seen, [[pointer]], 'what the hook saw');
      same((await storedAs(trial, 'tool'))[0]?.attachments, [pointer], 'what is stored');
    },
  },
  {
    id: 'tools.new_files_are_stored_in_the_thread',
    section: 'spec 6.3',
    level: 'MUST',
    needs: ['files'],
    hooks: ['filter_messages'],
    says: 'A file that a tool returns is stored in the file system of the thread, and its result points to it.',
    async run({ open }) {
      const files: string[] = [];
      const look = on('filter_messages', async (state, messages) => {
        for (const { path } of await state.listFiles())
          files.push(new TextDecoder().decode((await state.readFile(path)) ?? undefined));
        return messages;
      });
      const attachments = [{ name: 'a.txt', mimeType: 'text/plain', data: btoa('hello') }];
      const tool = watchedTool('draw', { ...drawn, attachments });
      const trial = await open(scoped([look], { tools: [tool], script: [asks(makeCall('draw'))] }));
      await trial.send('Go');
      same(files, ['hello'], 'the contents of the files, as the next step sees them');
      const [row] = await storedAs(trial, 'tool');
      const [stored] = (row?.attachments ?? []) as AttachmentRef[];
      same(
        [stored?.type, stored?.name, stored?.size],
        ['file', 'a.txt', 5],
        'type, name and size of the pointer',
      );
      holds(
        typeof stored?.path === 'string',
        `the path of the pointer: expected a text, got ${stored?.path}`,
      );
      contains(row?.content, 'drawn', 'the content of the result');
    },
  },
];
