import type { ThreadState } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { Ability, FullTrial } from '../../subject.ts';
import { gate, lines, never, on, pause, scoped, watch } from '../kit/index.ts';
import { SHORT, soon, userSays, watchedTool } from '../kit/trials.ts';

/** One way to write that a hook's state has. */
interface Write {
  readonly needs: readonly Ability[];
  write(state: ThreadState, id: string): unknown;
}

const writes: Readonly<Record<string, Write>> = {
  injectMessage: { needs: ['inject'], write: (state) => state.injectMessage(userSays('late')) },
  updateMessage: { needs: ['update'], write: (state, id) => state.updateMessage(id, { content: 'late' }) },
  deleteMessage: { needs: ['update'], write: (state, id) => state.deleteMessage(id) },
  queueMessage: { needs: ['queue'], write: (state) => state.queueMessage(userSays('late')) },
  queueTool: { needs: ['tools-from-hooks'], write: (state) => state.queueTool('act', {}) },
  invokeTool: { needs: ['tools-from-hooks'], write: (state) => state.invokeTool('act', {}) },
  setValue: { needs: ['values'], write: (state) => state.setValue('late', 1) },
  writeFile: { needs: ['files'], write: (state) => state.writeFile('late.txt', 'late') },
  unlinkFile: { needs: ['files'], write: (state) => state.unlinkFile('kept.txt') },
  terminate: { needs: [], write: (state) => state.terminate() },
  stop: { needs: [], write: (state) => state.execution.stop() },
};

/** What a later hook finds of a write that came too late. */
interface Found {
  readonly value: unknown;
  readonly files: readonly string[];
}

async function findAll(state: ThreadState, needs: readonly Ability[]): Promise<Found> {
  return {
    value: needs.includes('values') ? await state.getValue('late') : undefined,
    files: needs.includes('files') ? (await state.listFiles()).map(({ path }) => path) : [],
  };
}

interface Late {
  readonly trial: FullTrial;
  /** The state of a hook that has ended, and the id of the first message. */
  readonly kept: { readonly state: ThreadState; readonly id: string };
  readonly found: Found[];
  readonly ran: readonly unknown[];
}

/** A turn with a hook that ends or times out, and keeps its state. */
async function afterAHook(
  { open }: TestBench,
  needs: readonly Ability[],
  end: () => Promise<void>,
): Promise<Late> {
  const ended = gate<Late['kept']>();
  const found: Found[] = [];
  let isFirst = true;
  const leak = on(
    'after_create_message',
    async (state, { id }) => {
      if (!isFirst) return;
      isFirst = false;
      if (needs.includes('files')) await state.writeFile('kept.txt', 'kept');
      ended.open({ state, id: String(id) });
      await end();
    },
    { timeout: SHORT },
  );
  const look = watch('filter_messages', async (state) => found.push(await findAll(state, needs)));
  const tool = watchedTool();
  const trial = await open(
    scoped([leak, look], { tools: [tool], script: [{ text: 'One.' }, { text: 'Two.' }] }),
  );
  await trial.send('Go');
  await pause(SHORT / 2);
  return { trial, kept: await soon(ended.opened, 'the hook'), found, ran: tool.ran };
}

async function isRefused(bench: TestBench, name: string, end: () => Promise<void>): Promise<void> {
  const { needs, write } = writes[name] as Write;
  const { trial, kept, found, ran } = await afterAHook(bench, needs, end);
  const outcome = await soon(
    (async () => write(kept.state, kept.id))().then(
      () => 'accepted',
      () => 'refused',
    ),
    'the end of the late write',
  );
  same(outcome, 'refused', `${name} of a hook that has ended`);
  same((await trial.send('Go on')).status, 'completed', 'how the next turn ended');
  const expected = ['user: Go', 'assistant: One.', 'user: Go on', 'assistant: Two.'];
  same(await lines(trial), expected, 'what is stored');
  same(found.at(-1), found[0], 'values and files as later hooks find them');
  same(ran, [], 'the runs of the tool');
}

/** Once a hook has settled or timed out, its state refuses every write (C5). */
export const writeCases: readonly Case[] = Object.entries(writes).map(([name, { needs }]) => ({
  id: `invariants.late_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_is_refused`,
  section: 'C5',
  level: 'ours',
  needs,
  hooks: ['after_create_message'],
  says: `A hook that has settled or timed out cannot write any more by ${name}: it is refused, and changes nothing.`,
  async run(bench) {
    await isRefused(bench, name, async () => {});
    await isRefused(bench, name, never);
  },
}));
