import type { AnyHook, NotificationInfo } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { counted, happened, never, on, scoped } from '../kit/index.ts';
import { asks, makeCall, SHORT, watchedTool } from '../kit/trials.ts';

const about = {
  section: 'control after_notification',
  level: 'ours',
  needs: ['control', 'notifications'],
  hooks: ['after_notification'],
} as const;

function listening(heard: NotificationInfo[]): AnyHook {
  return on('after_notification', async (_, notification) => void heard.push({ ...notification }));
}

/** A call that needs a person who allows it. */
const asking = {
  tools: [{ ...watchedTool(), permission: 'ask' }],
  script: [asks(makeCall('act'))],
  onAsk: 'allow',
} as const;

/** after_notification: what a person is told. */
export const notificationCases: readonly Case[] = [
  {
    ...about,
    id: 'after_notification.hears_what_the_application_tells',
    says: 'What the application tells a person reaches the hook, with its kind and its text.',
    async run({ open }) {
      const heard: NotificationInfo[] = [];
      const trial = await open(scoped([listening(heard)]));
      await trial.notify('budget', 'Half of it is spent.');
      same(heard, [{ kind: 'budget', message: 'Half of it is spent.' }], 'what the hook was told');
    },
  },
  {
    ...about,
    id: 'after_notification.hears_of_a_question_to_the_person',
    says: 'A call that waits for a person is told as the kind "permission", once.',
    async run({ open }) {
      const heard: NotificationInfo[] = [];
      const trial = await open(scoped([listening(heard)], asking));
      await trial.send('Go');
      same(heard.filter(({ kind }) => kind === 'permission').length, 1, 'how many questions it heard of');
    },
  },
  {
    ...about,
    id: 'after_notification.hears_what_hooks_tell_the_person',
    says: 'What a hook says to the person is told as the kind "notice".',
    hooks: ['after_notification', 'before_user_message'],
    async run({ open }) {
      const heard: NotificationInfo[] = [];
      const notice = on('before_user_message', async () => ({ userMessage: 'Your message was checked.' }));
      const trial = await open(scoped([listening(heard), notice]));
      await trial.send('Go');
      const notices = heard.filter(({ kind }) => kind === 'notice').map(({ message }) => message);
      same(notices, ['Your message was checked.'], 'the notices it heard');
    },
  },
  {
    ...about,
    id: 'after_notification.hears_of_a_failed_turn',
    says: 'A turn that ends with an error is told as the kind "failed".',
    async run({ open }) {
      const heard: NotificationInfo[] = [];
      const trial = await open(scoped([listening(heard)], { script: [{ fails: true }] }));
      await trial.send('Go').catch(() => {});
      const kinds = heard.map(({ kind }) => kind);
      holds(
        kinds.includes('failed'),
        `the kinds it heard: expected "failed" among them, got ${kinds.join(', ')}`,
      );
    },
  },
  {
    ...about,
    id: 'after_notification.failure_changes_nothing',
    failing: ['after_notification'],
    says: 'A hook that fails or hangs holds up neither a question to the person nor the turn.',
    async run({ open }) {
      for (const execute of [() => Promise.reject(new Error('no luck')), () => never<void>()]) {
        const broken = counted('after_notification', execute, { timeout: SHORT });
        const trial = await open(scoped([broken.hook], asking));
        const { status } = await trial.send('Go');
        happened(broken.runs, 'a run of the hook');
        same(status, 'completed', 'how the turn ended');
      }
    },
  },
];
