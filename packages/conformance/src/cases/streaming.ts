import type { AnyHook, HookOptions } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../case.ts';
import type { FullTrial, Setup } from '../subject.ts';
import { counted, happened, never, on, pause, scoped, until } from './kit/index.ts';
import { asks, contains, lacks, makeCall, SHORT, soon, watchedTool } from './kit/trials.ts';

const about = {
  section: 'design 7.1',
  level: 'ours',
  needs: ['streaming'],
  hooks: ['before_create_message'],
} as const;

const RAW = 'the marker of an answer';
const REDACTED = 'the *** of an answer';

type Options = Partial<HookOptions<'before_create_message'>>;

/** A hook over what is created; it may say how it is limited. */
function redacting(options: Options = {}, id: string = 'redacting'): AnyHook {
  return on(
    'before_create_message',
    async (_, message) => ({ ...message, content: String(message.content).replace('marker', '***') }),
    { ...options, id },
  );
}

/** A hook that notes what has left by the time it sees an answer; a text that is on its way may arrive. */
function listening(
  trialOf: () => FullTrial,
  heard: string[],
  options: Options & { ms?: number } = {},
): AnyHook {
  const { ms = 20, ...rest } = options;
  return on(
    'before_create_message',
    async (_, message) => {
      if (message.role !== 'assistant') return message;
      const end = performance.now() + ms;
      while (performance.now() < end && !trialOf().streamed().includes(RAW)) await pause(5);
      heard.push(trialOf().streamed());
      return message;
    },
    { id: 'listening', ...rest },
  );
}

const answering = (text: string = RAW): Setup => ({ script: [{ text }] });

const heldBack: readonly Case[] = [
  {
    ...about,
    id: 'streaming.text_is_held_back_from_a_hook_that_could_change_it',
    says: 'No text leaves before the hooks that could still change it have seen it; what leaves is what is stored.',
    async run({ open }) {
      const heard: string[] = [];
      let trial: FullTrial | undefined;
      const listen = listening(() => trial as FullTrial, heard);
      trial = await open(scoped([listen, redacting()], answering()));
      await trial.send('Go');
      same(heard, [''], 'what had left when the hook saw the answer');
      const { streamed } = trial;
      await until(() => streamed().includes(REDACTED), 'the text of the answer as it is stored');
      lacks(streamed(), 'marker', 'what left');
    },
  },
  {
    ...about,
    id: 'streaming.second_hook_is_waited_for_too',
    says: 'Text waits for all hooks, also where only a later one could change it.',
    async run({ open }) {
      const pass = on('before_create_message', async (_, message) => message, {
        id: 'pass',
        changes: ['metadata'],
      });
      const trial = await open(scoped([pass, redacting()], answering()));
      await trial.send('Go');
      const { streamed } = trial;
      await until(() => streamed().includes(REDACTED), 'the text of the answer as it is stored');
      lacks(trial.streamed(), 'marker', 'what left');
    },
  },
  {
    ...about,
    needs: ['streaming', 'policies'],
    id: 'streaming.policies_are_waited_for_too',
    says: 'Text waits for the hooks that run everywhere, under a prompt that names none.',
    async run({ open }) {
      const trial = await open({ ...answering(), policies: [redacting()], promptHooks: [] });
      await trial.send('Go');
      const { streamed } = trial;
      await until(() => streamed().includes(REDACTED), 'the text of the answer as it is stored');
      lacks(trial.streamed(), 'marker', 'what left');
    },
  },
  {
    ...about,
    id: 'streaming.refused_answer_never_leaves',
    says: 'The text of an answer whose create chain fails or hangs never leaves.',
    async run({ open }) {
      for (const way of [() => Promise.reject(new Error('no luck')), () => never<never>()]) {
        const guard = on(
          'before_create_message',
          (_, message) => (message.role === 'assistant' ? way() : Promise.resolve(message)),
          { timeout: SHORT },
        );
        const trial = await open(scoped([guard], answering()));
        await trial.send('Go').catch(() => {});
        happened(trial.sent().length, 'a call of the model');
        await pause(20);
        lacks(trial.streamed(), 'marker', 'what left');
      }
    },
  },
  {
    ...about,
    id: 'streaming.text_beside_calls_is_held_back_too',
    says: 'The text of an answer that calls tools waits like any other, and leaves as it is stored.',
    async run({ open }) {
      const script = [{ text: RAW, calls: [makeCall('act')] }, { text: 'Done.' }];
      const trial = await open(scoped([redacting()], { tools: [watchedTool()], script }));
      await trial.send('Go');
      const { streamed } = trial;
      await until(() => streamed().includes(REDACTED), 'the text of the answer as it is stored');
      lacks(streamed(), 'marker', 'what left');
    },
  },
  {
    ...about,
    needs: ['streaming', 'policies', 'subagents'],
    id: 'streaming.text_of_a_subagent_is_held_back_too',
    says: 'Nothing that a policy changes in a subagent leaves as it was.',
    async run({ open }) {
      const script = [asks(makeCall('delegate', { task: 'Think.' })), { text: 'I see.' }];
      const trial = await open({ policies: [redacting()], script, subagent: { script: [{ text: RAW }] } });
      await trial.send('Go');
      const { streamed } = trial;
      await until(() => streamed().includes('I see.'), 'the text of the last answer');
      lacks(trial.streamed(), 'marker', 'what left');
    },
  },
];

const released: readonly Case[] = [
  {
    ...about,
    id: 'streaming.everything_stored_has_left_in_the_end',
    says: 'In the end the text of each stored answer has left.',
    async run({ open }) {
      const passes = counted('before_create_message', async (_, message) => message);
      for (const hooks of [[], [passes.hook]]) {
        const trial = await open(scoped(hooks, { script: [{ text: 'One.' }, { text: 'Two.' }] }));
        const { streamed } = trial;
        await trial.send('1');
        await until(() => streamed().includes('One.'), `the first text, behind ${hooks.length} hooks`);
        await trial.send('2');
        await until(() => streamed().includes('Two.'), `the second text, behind ${hooks.length} hooks`);
      }
      happened(passes.runs, 'a run of the hook');
    },
  },
  {
    ...about,
    id: 'streaming.passes_a_hook_that_leaves_the_text_alone',
    says: 'Text leaves before a hook that says it changes other fields only.',
    async run({ open }) {
      const heard: string[] = [];
      let trial: FullTrial | undefined;
      const listen = listening(() => trial as FullTrial, heard, { changes: ['metadata'], ms: 500 });
      trial = await open(scoped([listen], answering()));
      await trial.send('Go');
      same(heard, [RAW], 'what had left when the hook saw the answer');
    },
  },
  {
    ...about,
    hooks: ['before_create_message'],
    id: 'streaming.a_hook_that_lied_changes_nothing',
    says: 'A hook that says it changes other fields only and changes the text has failed: its text is not stored.',
    async run({ open }) {
      const lying = counted(
        'before_create_message',
        async (_, message) =>
          message.role === 'assistant' ? { ...message, content: 'another text' } : message,
        { changes: ['metadata'] },
      );
      const trial = await open(scoped([lying.hook], answering()));
      await soon(
        trial.send('Go').catch(() => {}),
        'the end of the turn',
      );
      happened(trial.sent().length, 'a call of the model');
      happened(lying.runs, 'a run of the hook');
      const stored = (await trial.messages()).map(({ content }) => content).join(' | ');
      lacks(stored, 'another text', 'what is stored');
    },
  },
  {
    ...about,
    id: 'streaming.raw_is_an_explicit_choice',
    says: 'Where the setup asks for it, text leaves at once, past every hook.',
    async run({ open }) {
      const heard: string[] = [];
      let trial: FullTrial | undefined;
      const listen = listening(() => trial as FullTrial, heard, { ms: 500 });
      trial = await open(scoped([listen, redacting()], { ...answering(), stream: 'raw' }));
      await trial.send('Go');
      contains(heard[0], 'marker', 'what had left when the hook saw the answer');
    },
  },
];

/** Text that leaves before its message is stored (design §7.1). */
export const streamingCases: readonly Case[] = [...heldBack, ...released];
