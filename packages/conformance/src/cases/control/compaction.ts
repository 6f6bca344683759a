import type { CompactionInfo, Decision } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import { counted, happened, lines, never, on, returning, scoped } from '../kit/index.ts';
import { SHORT } from '../kit/trials.ts';

const about = {
  section: 'control before_compaction',
  level: 'ours',
  needs: ['control', 'compaction'],
  hooks: ['before_compaction'],
} as const;

interface Compacted {
  readonly seen: readonly CompactionInfo[];
  /** Whether anything was done: the model was asked for a summary, or what is stored is another. */
  readonly isCompacted: boolean;
  readonly storedBefore: number;
}

/** Three turns, and then a compaction behind a hook that answers so. */
async function compacting({ open }: TestBench, execute: () => Promise<Decision | null>): Promise<Compacted> {
  const seen: CompactionInfo[] = [];
  const hook = on(
    'before_compaction',
    (_, info) => {
      seen.push({ ...info });
      return execute();
    },
    { timeout: SHORT },
  );
  const trial = await open(scoped([hook]));
  for (const text of ['One', 'Two', 'Three']) await trial.send(text);
  const before = [trial.sent().length, ...(await lines(trial))];
  const storedBefore = before.length - 1;
  await trial.compact().catch(() => {}); // What a refused compaction tells its caller is the runtime's own.
  const after = [trial.sent().length, ...(await lines(trial))];
  return { seen, storedBefore, isCompacted: JSON.stringify(before) !== JSON.stringify(after) };
}

/** before_compaction: the history before it is compacted. */
export const compactionCases: readonly Case[] = [
  {
    ...about,
    id: 'before_compaction.runs_before_the_history_is_compacted',
    says: 'The hook is told what asked for the compaction and how many messages there are, and null lets it happen.',
    async run(bench) {
      const { seen, isCompacted, storedBefore } = await compacting(bench, async () => null);
      same(
        seen.map(({ trigger }) => trigger),
        ['manual'],
        'what asked for it, as the hook was told',
      );
      const count = seen[0]?.messageCount ?? 0;
      holds(
        count > 0 && count <= storedBefore,
        `the number of messages: expected 1 to ${storedBefore}, got ${count}`,
      );
      same(isCompacted, true, 'the history was compacted');
    },
  },
  {
    ...about,
    id: 'before_compaction.deny_prevents_it',
    says: 'A deny leaves the history as it is, and the model is not asked for a summary.',
    async run(bench) {
      const deny = async (): Promise<Decision> => ({ decision: 'deny', reason: 'not now' });
      const { isCompacted, seen } = await compacting(bench, deny);
      happened(seen.length, 'a run of the hook');
      same(isCompacted, false, 'the history was compacted');
    },
  },
  {
    ...about,
    id: 'before_compaction.failure_lets_it_happen',
    failing: ['before_compaction'],
    says: 'A hook that fails, hangs or answers nonsense lets the compaction happen.',
    async run(bench) {
      const ways: Array<() => Promise<never>> = [
        () => Promise.reject(new Error('no luck')),
        () => never(),
        returning({ decision: 'maybe' }),
      ];
      for (const [i, way] of ways.entries()) {
        const { seen, isCompacted } = await compacting(bench, way);
        happened(seen.length, `way ${i + 1}: a run of the hook`);
        same(isCompacted, true, `way ${i + 1}: the history was compacted`);
      }
    },
  },
  {
    ...about,
    id: 'before_compaction.thread_goes_on_afterwards',
    says: 'After a compaction, or one that was refused, the next message is answered.',
    async run({ open }) {
      for (const decision of ['allow', 'deny'] as const) {
        const decides = counted('before_compaction', async () => ({ decision }));
        const trial = await open(scoped([decides.hook]));
        for (const text of ['One', 'Two', 'Three']) await trial.send(text);
        await trial.compact().catch(() => {});
        happened(decides.runs, 'a run of the hook');
        const { status } = await trial.send('Four');
        same(status, 'completed', `after a hook that says ${decision}: what came of the next message`);
        same((await lines(trial)).slice(-2), ['user: Four', 'assistant: done'], 'what was stored last');
      }
    },
  },
];
