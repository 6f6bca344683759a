import { type LifecycleName, lifecycleTable } from '@spec/hooks';
import type { Case, TestBench } from '../../case.ts';
import type { FullTrial, Setup } from '../../subject.ts';
import { countedUntyped, happened, on, scoped } from '../kit/index.ts';
import { asks, lacks, makeCall, printed, watchedTool } from '../kit/trials.ts';

/** In messages, arguments, results and thrown errors; it may be stored, and told nowhere. */
const SECRET = 'marker-5105-1051';

const about = { section: 'C9', level: 'ours' } as const;

/** An error that shows its secret in every way in which an error can be printed. */
class Leaky extends Error {
  readonly payload: unknown = { token: SECRET };
  constructor() {
    super(`cannot reach https://user:${SECRET}@host`, { cause: new Error(SECRET) });
  }
}

/** What a hook that has a secret does wrong. */
const faults: Readonly<Record<string, () => unknown>> = {
  'throws an error': () => {
    throw new Leaky();
  },
  'rejects with a text': () => Promise.reject(SECRET),
  'rejects with an object': () => Promise.reject({ message: SECRET, stack: SECRET, secret: SECRET }),
  'returns what does not fit': async () => ({ [SECRET]: SECRET, id: 7, decision: SECRET }),
  'returns a text': async () => [SECRET],
};

interface Told {
  readonly trial: FullTrial;
  readonly errors: unknown[];
}

/** Whatever an operator may see of a trial that is no stored message. */
async function everythingTold({ trial, errors }: Told): Promise<string> {
  return [...errors.map((error) => printed(error)), await trial.told()].join('\n');
}

/** A turn in which everything has the secret, and an edit where there is one. */
async function goOverAll(trial: FullTrial, errors: unknown[]): Promise<void> {
  const note = (error: unknown): void => void errors.push(error);
  await trial.send(`Go, ${SECRET}`).catch(note);
  const [first] = await trial.messages();
  if (first !== undefined) await trial.update(first.id, { content: SECRET }).catch(note);
}

function secretiveTurn(): Setup {
  return {
    system: `Keep ${SECRET}.`,
    tools: [watchedTool('act', `the ${SECRET}`), watchedTool('fail', () => Promise.reject(new Leaky()))],
    script: [
      {
        text: `I have ${SECRET}.`,
        calls: [makeCall('act', { key: SECRET }, 'a'), makeCall('fail', { key: SECRET }, 'b')],
      },
      { text: SECRET },
    ],
  };
}

async function tellsNothing({ open }: TestBench, hook: LifecycleName): Promise<void> {
  for (const [what, fault] of Object.entries(faults)) {
    const leaky = countedUntyped(hook, fault, { id: 'leaky' });
    const trial = await open(scoped([leaky.hook], secretiveTurn()));
    const errors: unknown[] = [];
    await goOverAll(trial, errors);
    happened(leaky.runs, 'a run of the hook');
    lacks(
      await everythingTold({ trial, errors }),
      SECRET,
      `a ${hook} hook that ${what}: errors, events and ledger`,
    );
  }
}

const elsewhere: ReadonlySet<string> = new Set([
  ...['before_compaction', 'after_session_started', 'after_session_ended', 'after_notification'],
  ...['after_subagent_created', 'before_permission_request'],
]);

const byHook: readonly Case[] = (Object.keys(lifecycleTable) as LifecycleName[])
  .filter((hook) => !elsewhere.has(hook))
  .map((hook) => ({
    ...about,
    id: `${hook}.tells_no_secrets`,
    says: 'What the hook is given, throws or returns is in no error, no event, no log and no record of its run.',
    needs: [
      'ledger',
      'update',
      ...(lifecycleTable[hook].section.startsWith('design') ? (['control'] as const) : []),
    ],
    hooks: [hook],
    run: (bench) => tellsNothing(bench, hook),
  }));

/** Errors, logs, events and the ledger carry no data (C9). */
export const secretCases: readonly Case[] = [
  ...byHook,
  {
    ...about,
    id: 'invariants.a_turn_tells_no_secrets',
    says: 'A turn whose messages, arguments, results and errors hold a secret tells it nowhere but in its messages.',
    needs: ['ledger', 'update'],
    hooks: ['before_create_message'],
    async run({ open }) {
      const pass = on('before_create_message', async (_, message) => message);
      const trial = await open(scoped([pass], secretiveTurn()));
      const errors: unknown[] = [];
      await goOverAll(trial, errors);
      happened((await trial.runs()).length, 'the record of a run');
      lacks(await everythingTold({ trial, errors }), SECRET, 'errors, events and ledger');
    },
  },
  {
    ...about,
    id: 'invariants.a_turn_that_fails_tells_no_secrets',
    says: 'Where a turn fails, its error and its record tell nothing of what it was about.',
    needs: ['ledger', 'update'],
    hooks: ['before_create_message'],
    async run({ open }) {
      for (const role of ['user', 'assistant', 'tool']) {
        const guard = on('before_create_message', async (_, message) => {
          if (message.role === role) throw new Leaky();
          return message;
        });
        const trial = await open(scoped([guard], secretiveTurn()));
        const errors: unknown[] = [];
        await goOverAll(trial, errors);
        happened(errors.length + (await trial.runs()).length, `a failure for what is of the ${role}`);
        lacks(
          await everythingTold({ trial, errors }),
          SECRET,
          `refusing what is of the ${role}: errors, events and ledger`,
        );
      }
    },
  },
  {
    ...about,
    id: 'invariants.a_rewrite_that_does_not_fit_tells_no_secrets',
    says: 'Where a hook’s rewrite does not fit the tool, its values are told nowhere.',
    needs: ['ledger', 'control', 'update'],
    hooks: ['before_tool_call'],
    async run({ open }) {
      const rewrite = on('before_tool_call', async () => ({ decision: 'allow', input: { other: SECRET } }));
      const tool = { ...watchedTool(), required: ['path'] };
      const trial = await open(
        scoped([rewrite], { tools: [tool], script: [asks(makeCall('act', { path: 'a' }))] }),
      );
      const errors: unknown[] = [];
      await trial.send('Go').catch((error: unknown) => void errors.push(error));
      happened((await trial.runs()).length, 'the record of a run');
      lacks(await everythingTold({ trial, errors }), SECRET, 'errors, events and ledger');
      lacks((await trial.messages()).map(({ content }) => content).join(' | '), SECRET, 'what is stored');
    },
  },
];
