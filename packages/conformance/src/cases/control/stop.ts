import type { StopInfo } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { counted, happened, never, on, returning, scoped, watch } from '../kit/index.ts';
import { asks, contains, makeCall, SHORT, sentText, storedAs, watchedTool } from '../kit/trials.ts';

const about = {
  section: 'control before_stop',
  level: 'ours',
  needs: ['control'],
  hooks: ['before_stop'],
} as const;

const MAX_KEPT_GOING = 8;

/** before_stop: the end of a turn that a hook may put off. */
export const stopCases: readonly Case[] = [
  {
    ...about,
    id: 'before_stop.runs_where_the_model_is_done',
    says: 'The hook runs once where the model calls no tool any more, and null lets the turn end.',
    async run({ open }) {
      const seen: StopInfo[] = [];
      const look = watch('before_stop', (_, stop) => seen.push({ ...stop }));
      const script = [asks(makeCall('act')), { text: 'That was it.' }];
      const trial = await open(scoped([look], { tools: [watchedTool()], script }));
      const { status, text } = await trial.send('Go');
      same(seen, [{ reason: 'completed', keptGoing: 0 }], 'what the hook was told');
      same([status, text], ['completed', 'That was it.'], 'how the turn ended');
      same(trial.sent().length, 2, 'how often the model was called');
    },
  },
  {
    ...about,
    id: 'before_stop.keeps_the_turn_going_with_its_reason',
    says: 'Where the hook keeps the turn going, the model is called again and reads the reason.',
    async run({ open }) {
      const once = on('before_stop', async (_, { keptGoing }) =>
        keptGoing === 0 ? { keepGoing: 'Run the tests first.' } : null,
      );
      const trial = await open(scoped([once], { script: [{ text: 'Done?' }, { text: 'Done!' }] }));
      const { status, text } = await trial.send('Go');
      same([status, text], ['completed', 'Done!'], 'how the turn ended');
      same(trial.sent().length, 2, 'how often the model was called');
      contains(sentText(trial, 1), 'Run the tests first.', 'what the model was sent next');
    },
  },
  {
    ...about,
    id: 'before_stop.one_of_several_is_enough',
    says: 'Of several hooks one that keeps the turn going is enough, in whichever place.',
    async run({ open }) {
      const agree = on('before_stop', async () => null, { id: 'agree' });
      const once = on(
        'before_stop',
        async (_, { keptGoing }) => (keptGoing === 0 ? { keepGoing: 'More.' } : null),
        {
          id: 'once',
        },
      );
      for (const hooks of [
        [agree, once],
        [once, agree],
      ]) {
        const trial = await open(scoped(hooks));
        await trial.send('Go');
        same(
          trial.sent().length,
          2,
          `${hooks.map(({ id }) => id).join(', ')}: how often the model was called`,
        );
      }
    },
  },
  {
    ...about,
    id: 'before_stop.is_heard_at_most_eight_times',
    says: 'A turn is kept going at most eight times, and the hook is told how often it was.',
    async run({ open }) {
      const counts: number[] = [];
      const forever = on('before_stop', async (_, { keptGoing }) => {
        counts.push(keptGoing);
        return { keepGoing: `Again, ${keptGoing}.` };
      });
      const trial = await open(scoped([forever]));
      const { status } = await trial.send('Go');
      same(status, 'completed', 'how the turn ended');
      same(trial.sent().length, 1 + MAX_KEPT_GOING, 'how often the model was called');
      const expected = Array.from({ length: MAX_KEPT_GOING }, (_, i) => i);
      same(counts.slice(0, MAX_KEPT_GOING), expected, 'how often it was kept going, as the hook was told');
    },
  },
  {
    ...about,
    id: 'before_stop.count_begins_anew_with_each_turn',
    says: 'The next turn may be kept going as often again.',
    async run({ open }) {
      const counts: number[] = [];
      const once = on('before_stop', async (_, { keptGoing }) => {
        counts.push(keptGoing);
        return keptGoing === 0 ? { keepGoing: 'More.' } : null;
      });
      const trial = await open(scoped([once]));
      await trial.send('One');
      await trial.send('Two');
      same(counts, [0, 1, 0, 1], 'how often the turn was kept going, as the hook was told');
    },
  },
  {
    ...about,
    id: 'before_stop.failure_lets_the_turn_end',
    failing: ['before_stop'],
    says: 'A hook that fails, hangs or answers nonsense lets the turn end.',
    async run({ open }) {
      const ways: Array<() => Promise<never>> = [
        () => Promise.reject(new Error('no luck')),
        () => never(),
        returning({ keepGoing: true }),
        returning('go on'),
      ];
      for (const [i, way] of ways.entries()) {
        const broken = counted('before_stop', way, { timeout: SHORT });
        const trial = await open(scoped([broken.hook], { script: [{ text: 'The end.' }] }));
        const { status, text } = await trial.send('Go');
        happened(broken.runs, `way ${i + 1}: a run of the hook`);
        same([status, text], ['completed', 'The end.'], `way ${i + 1}: how the turn ended`);
        same(trial.sent().length, 1, `way ${i + 1}: how often the model was called`);
      }
    },
  },
  {
    ...about,
    id: 'before_stop.reason_passes_the_create_chain',
    says: 'Where the reason becomes a message, that passes its create chain.',
    hooks: ['before_stop', 'before_create_message'],
    async run({ open }) {
      const once = on('before_stop', async (_, { keptGoing }) =>
        keptGoing === 0 ? { keepGoing: 'the marker' } : null,
      );
      const created: unknown[] = [];
      const see = watch('before_create_message', (_, message) => created.push(message.content));
      const trial = await open(scoped([once, see]));
      await trial.send('Go');
      const stored = (await storedAs(trial, 'user')).filter(({ content }) => content?.includes('the marker'));
      const seen = created.filter((content) => String(content).includes('the marker'));
      contains(
        sentText(trial, 1),
        'the marker',
        'what the model was sent after the hook had kept the turn going',
      );
      same(
        seen.length,
        stored.length,
        'how many messages with the reason passed the chain, and how many are stored',
      );
    },
  },
];
