import type { AnyHook, ThreadState } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { Ability } from '../../subject.ts';
import { gate, lines, never, on, scoped } from '../kit/index.ts';
import { SHORT, soon, userSays, watchedTool } from '../kit/trials.ts';

/** A write that a hook begins, and the chain that holds it up. */
interface Begun {
  readonly needs: readonly Ability[];
  begin(state: ThreadState): Promise<unknown>;
  /** A hook that lets the write go on when it may. */
  slow(mayGoOn: Promise<void>): AnyHook;
}

const slowCreation: Begun['slow'] = (mayGoOn) =>
  on('before_create_message', async (_, message) => {
    if (message.content === 'late') await mayGoOn;
    return message;
  });

const begun: Readonly<Record<string, Begun>> = {
  inject_message: {
    needs: ['inject'],
    begin: (state) => state.injectMessage(userSays('late')),
    slow: slowCreation,
  },
  queue_message: {
    needs: ['queue', 'inject'],
    begin: (state) => state.queueMessage(userSays('late')),
    slow: slowCreation,
  },
  update_message: {
    needs: ['update', 'inject'],
    begin: (state) => state.updateMessage('m1', { content: 'late' }),
    slow: (mayGoOn) =>
      on('before_update_message', async (_, _id, updates) => {
        await mayGoOn;
        return updates;
      }),
  },
  invoke_tool: {
    needs: ['tools-from-hooks', 'control', 'inject'],
    begin: (state) => state.invokeTool('act', {}),
    slow: (mayGoOn) =>
      on('before_tool_call', async () => {
        await mayGoOn;
        return null;
      }),
  },
};

/** A hook begins a write without waiting for it and ends; then the write goes on. */
async function isRefused(
  { open }: TestBench,
  { begin, slow }: Begun,
  end: () => Promise<null>,
): Promise<void> {
  const goOn = gate();
  let writing: Promise<string> = never();
  const starter = on(
    'after_system_message',
    async (state) => {
      writing = begin(state).then(
        () => 'accepted',
        () => 'refused',
      );
      return end();
    },
    { timeout: SHORT, onTimeout: 'continue' },
  );
  const tool = watchedTool();
  const trial = await open(scoped([starter, slow(goOn.opened)], { tools: [tool], system: 'Be brief.' }));
  await trial.inject(userSays('first', { id: 'm1' }));
  await trial.send('Go');
  goOn.open();
  same(
    await soon(writing, 'the end of the write'),
    'refused',
    'a write whose hook had ended before it was made',
  );
  same(await lines(trial), ['user: first', 'user: Go', 'assistant: done'], 'what is stored');
  same(tool.ran.length, 0, 'how often the tool ran');
}

/** What a hook has begun to write when it ends is not written any more (C5). */
export const begunWriteCases: readonly Case[] = Object.entries(begun).map(([name, write]) => ({
  id: `invariants.${name}_begun_by_a_hook_that_ended_does_not_land`,
  section: 'C5',
  level: 'ours',
  needs: write.needs,
  hooks: ['after_system_message'],
  says: `A write that a hook began, and that is not made when the hook settles or times out, is refused (${name}).`,
  async run(bench) {
    await isRefused(bench, write, async () => null);
    await isRefused(bench, write, never);
  },
}));
