import type { AnyHook, SessionInfo } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { counted, gate, happened, lines, never, on, returning, scoped, watch } from '../kit/index.ts';
import { asks, contains, makeCall, SHORT, sentText, soon } from '../kit/trials.ts';
import { reopenCases } from './reopen.ts';

const about = {
  section: 'control after_session_started',
  level: 'ours',
  needs: ['control', 'sessions'],
  hooks: ['after_session_started'],
} as const;
const ended = { ...about, section: 'control after_session_ended', hooks: ['after_session_ended'] } as const;

interface Heard extends SessionInfo {
  readonly what: 'started' | 'ended';
  readonly threadId: string;
}

/** Hooks that write down every session. */
function watching(heard: Heard[]): AnyHook[] {
  return [
    watch('after_session_started', ({ threadId }, session) =>
      heard.push({ what: 'started', threadId, ...session }),
    ),
    on(
      'after_session_ended',
      async ({ threadId }, session) => void heard.push({ what: 'ended', threadId, ...session }),
    ),
  ];
}

const started: readonly Case[] = [
  {
    ...about,
    id: 'after_session_started.runs_once_when_a_thread_is_created',
    says: 'The hook runs once when a thread is created, with its agent, without a parent, and not again with each turn.',
    async run({ open }) {
      const heard: Heard[] = [];
      const trial = await open(scoped(watching(heard)));
      await trial.send('One');
      await trial.send('Two');
      same(heard.length, 1, 'how many sessions it heard of');
      const [session] = heard;
      same(
        [session?.what, session?.source, session?.parentId],
        ['started', 'created', null],
        'what it heard',
      );
      same(session?.threadId, trial.threadId, 'the thread that it runs in');
      holds((session?.sessionId ?? '') !== '', 'expected the session to have an id');
    },
  },
  {
    ...about,
    id: 'after_session_started.does_not_run_when_an_open_thread_is_opened_again',
    hooks: ['after_session_started', 'after_session_ended'],
    says: 'A thread that is open has one session, however often it is opened in the same instance.',
    async run({ open }) {
      const heard: Heard[] = [];
      const trial = await open(scoped(watching(heard)));
      await trial.openAgain();
      await trial.send('Go');
      await trial.openAgain();
      await trial.close();
      same(
        heard.map(({ what }) => what),
        ['started', 'ended'],
        'what the hooks heard',
      );
    },
  },
  {
    ...about,
    id: 'after_session_started.texts_come_with_the_first_message',
    says: 'What hooks say of a session is one message of the user with the first turn; before it nothing is stored, and it is told once.',
    async run({ open }) {
      const says = (id: string, texts: string | string[]): AnyHook =>
        on('after_session_started', async () => texts, { id });
      const trial = await open(scoped([says('one', ['A.', 'B.']), says('two', 'C.')]));
      same(await lines(trial), [], 'what is stored before the first message');
      await trial.send('Go');
      const stored = (await lines(trial)).filter((line) => line.startsWith('user: '));
      same(stored.length, 2, `how many messages of the user there are: ${stored.join(' | ')}`);
      for (const text of ['A.', 'B.', 'C.']) {
        contains(
          stored.find((line) => line !== 'user: Go'),
          text,
          'the message of the session',
        );
        contains(sentText(trial, 0), text, 'what the model was sent');
      }
      await trial.send('Go on');
      same((await lines(trial)).slice(-2), ['user: Go on', 'assistant: done'], 'the second turn');
    },
  },
  {
    ...about,
    id: 'after_session_started.failure_goes_on',
    failing: ['after_session_started'],
    says: 'A hook that fails, hangs or returns what is no text leaves the thread as usable as before.',
    async run({ open }) {
      const ways: Array<() => Promise<never>> = [
        () => Promise.reject(new Error('no luck')),
        () => never(),
        returning({ text: 'an object' }),
      ];
      for (const [i, way] of ways.entries()) {
        const broken = counted('after_session_started', way, { timeout: SHORT });
        const trial = await open(scoped([broken.hook]));
        same((await trial.send('Go')).status, 'completed', `way ${i + 1}: how the turn ended`);
        happened(broken.runs, `way ${i + 1}: a run of the hook`);
        same(await lines(trial), ['user: Go', 'assistant: done'], `way ${i + 1}: what is stored`);
      }
    },
  },
  {
    ...about,
    needs: ['control', 'sessions', 'subagents', 'policies'],
    id: 'after_session_started.runs_for_a_subagent',
    says: 'A subagent has a session of its own, which names its parent.',
    async run({ open }) {
      const heard: Heard[] = [];
      const trial = await open({
        policies: watching(heard),
        script: [asks(makeCall('delegate', { task: 'Think.' }))],
        subagent: { script: [{ text: 'Thought.' }] },
      });
      await trial.send('Go');
      const found = heard.filter(({ what }) => what === 'started').map(({ parentId }) => parentId);
      same(found, [null, trial.threadId], 'the parents of the sessions that began');
      const [own, child] = heard;
      holds(
        own?.sessionId !== child?.sessionId,
        'expected the session of the subagent to have an id of its own',
      );
    },
  },
  {
    ...about,
    needs: ['control', 'sessions', 'resume'],
    id: 'after_session_started.is_told_of_a_turn_left_behind',
    says: 'Where a crash left a turn unfinished, the source of the next session is "resumed".',
    async run({ open }) {
      const heard: Heard[] = [];
      const reached = gate();
      let calls = 0;
      const dying = on('filter_messages', async (_, messages) => {
        if (calls++ > 0) return messages;
        reached.open();
        return never();
      });
      const trial = await open(scoped([...watching(heard), dying]));
      void trial.send('Go').catch(() => {});
      await soon(reached.opened, 'the hook in which the process dies');
      await soon(trial.crashAndResume(), 'the turn that was left behind');
      const sources = heard.filter(({ what }) => what === 'started').map(({ source }) => source);
      same(sources, ['created', 'resumed'], 'the sources of the sessions');
    },
  },
];

const over: readonly Case[] = [
  {
    ...ended,
    id: 'after_session_ended.runs_once_when_a_thread_is_closed',
    says: 'The hook runs once when a thread is closed, with the same session that was told as started.',
    async run({ open }) {
      const heard: Heard[] = [];
      const trial = await open(scoped(watching(heard)));
      await trial.send('Go');
      same(heard.length, 1, 'how many sessions began, and ended, before the close');
      await trial.close();
      same(
        heard.map(({ what }) => what),
        ['started', 'ended'],
        'what the hooks heard',
      );
      same(heard[1]?.sessionId, heard[0]?.sessionId, 'the id of the session that ended');
    },
  },
  {
    ...ended,
    id: 'after_session_ended.failure_keeps_no_thread_open',
    failing: ['after_session_ended'],
    says: 'A hook that fails or hangs keeps no thread open.',
    async run({ open }) {
      for (const execute of [() => Promise.reject(new Error('no luck')), () => never<void>()]) {
        const broken = counted('after_session_ended', execute, { timeout: SHORT });
        const trial = await open(scoped([broken.hook]));
        await trial.send('Go');
        await soon(trial.close(), 'the end of the close');
        happened(broken.runs, 'a run of the hook');
      }
    },
  },
  {
    ...ended,
    needs: ['control', 'sessions', 'reopen'],
    hooks: ['after_session_ended', 'after_session_started'],
    id: 'after_session_started.runs_again_when_a_thread_is_opened',
    says: 'A thread that is opened again has another session, whose source is "opened".',
    async run({ open }) {
      const heard: Heard[] = [];
      const trial = await open(scoped(watching(heard)));
      await trial.send('Go');
      await trial.reopen();
      const reported = heard.map(({ what, source }) => `${what} ${source}`);
      same(reported, ['started created', 'ended created', 'started opened'], 'what the hooks heard');
      holds(
        heard[0]?.sessionId !== heard[2]?.sessionId,
        'expected the second session to have an id of its own',
      );
    },
  },
];

/** The time in which a thread is open, and what another instance finds (design §7.1, §7.3). */
export const sessionCases: readonly Case[] = [...started, ...over, ...reopenCases];
