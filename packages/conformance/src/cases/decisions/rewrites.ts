import { type AnyHook, defineHook, type HookToolCall } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { FullTrial } from '../../subject.ts';
import { lines, onUntyped, scoped } from '../kit/index.ts';
import {
  asks,
  contains,
  lacks,
  makeCall,
  results,
  sentText,
  type WatchedTool,
  watchedTool,
} from '../kit/trials.ts';

const about = { section: 'control before_tool_call', level: 'ours', needs: ['control'] } as const;
const hooks = ['before_tool_call'] as const;

/** A hook that gives every call this input. */
function rewriter(id: string, input: Record<string, string>): AnyHook {
  return defineHook({ hook: 'before_tool_call', id, execute: async (_) => ({ input }) });
}

/** A hook that denies calls whose arguments have this word, and says what it saw. */
function guard(word: string, seen: string[], otherwise: 'allow' | null = 'allow'): AnyHook {
  return defineHook({
    hook: 'before_tool_call',
    id: 'guard',
    execute: async (_, call) => {
      seen.push(call.function.arguments);
      if (call.function.arguments.includes(word)) return { decision: 'deny', reason: `no ${word} here` };
      return otherwise === null ? null : { decision: otherwise };
    },
  });
}

interface Acted {
  readonly trial: FullTrial;
  readonly tool: WatchedTool;
}

/** A turn in which the model calls `act` with `{ path: 'tmp' }`. */
async function acting(
  bench: TestBench,
  policies: readonly AnyHook[],
  required?: readonly string[],
): Promise<Acted> {
  const tool = watchedTool();
  const trial = await bench.open({
    ...scoped(policies),
    tools: [required === undefined ? tool : { ...tool, required }],
    script: [asks(makeCall('act', { path: 'tmp' }))],
  });
  await trial.send('Go');
  return { trial, tool };
}

const shownAgain: readonly Case[] = [
  {
    ...about,
    hooks,
    id: 'decisions.rewritten_input_is_what_runs',
    says: 'The input that a hook rewrote is what the next hook sees and what the tool is run with.',
    async run(bench) {
      const seen: string[] = [];
      const { tool } = await acting(bench, [rewriter('rewrite', { path: 'home' }), guard('etc', seen)]);
      same(seen, ['{"path":"home"}'], 'what the hook behind the rewrite saw');
      same(tool.ran, [{ path: 'home' }], 'what the tool was run with');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.rewritten_input_is_shown_again',
    says: 'A hook that allowed a call is asked again when a later hook rewrites it, and its deny counts.',
    async run(bench) {
      const seen: string[] = [];
      const { tool, trial } = await acting(bench, [guard('etc', seen), rewriter('rewrite', { path: 'etc' })]);
      same(seen, ['{"path":"tmp"}', '{"path":"etc"}'], 'what the first hook was shown');
      same(tool.ran, [], 'what the tool was run with');
      contains((await results(trial))[0], 'no etc here', 'the stored result');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.rewritten_input_is_shown_to_those_without_opinion',
    says: 'A hook that had no opinion on a call is asked again too when a later hook rewrites it.',
    async run(bench) {
      const policies = [guard('etc', [], null), rewriter('rewrite', { path: 'etc' })];
      const { tool, trial } = await acting(bench, policies);
      same(tool.ran, [], 'what the tool was run with');
      contains((await results(trial))[0], 'no etc here', 'the stored result');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.rewritten_input_meets_the_matchers_again',
    says: 'A hook whose matcher did not fit is asked when a later hook rewrites the call so that it fits.',
    async run(bench) {
      const matching = defineHook({
        hook: 'before_tool_call',
        id: 'matching',
        match: { tools: 'act', input: { path: '^etc$' } },
        execute: async (_) => ({ decision: 'deny', reason: 'no etc here' }),
      });
      const { tool, trial } = await acting(bench, [matching, rewriter('rewrite', { path: 'etc' })]);
      same(tool.ran, [], 'what the tool was run with');
      contains((await results(trial))[0], 'no etc here', 'the stored result');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.hooks_that_agree_come_to_an_end',
    says: 'A rewrite that settles is run once, after every hook has seen the final input.',
    async run(bench) {
      const seen: string[] = [];
      const slash = defineHook({
        hook: 'before_tool_call',
        id: 'slash',
        execute: async (_, call: HookToolCall) => {
          const { path } = JSON.parse(call.function.arguments) as { path: string };
          return path.startsWith('/') ? null : { input: { path: `/${path}` } };
        },
      });
      const { tool } = await acting(bench, [guard('etc', seen), slash]);
      same(tool.ran, [{ path: '/tmp' }], 'what the tool was run with');
      same(seen.at(-1), '{"path":"/tmp"}', 'what the first hook saw last');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.at_most_three_rounds',
    says: 'Hooks that rewrite each other’s input are asked again at most three times, then the call is denied.',
    async run(bench) {
      const asked: string[] = [];
      const set = (id: string, path: string): AnyHook =>
        defineHook({
          hook: 'before_tool_call',
          id,
          execute: async (_) => {
            asked.push(id);
            return { decision: 'allow', input: { path } };
          },
        });
      const { tool, trial } = await acting(bench, [set('one', 'a'), set('two', 'b')]);
      same(tool.ran, [], 'what the tool was run with');
      for (const id of ['one', 'two']) {
        const times = asked.filter((each) => each === id).length;
        holds(
          times >= 2 && times <= 4,
          `hook "${id}": expected to be asked 2 to 4 times, was asked ${times}`,
        );
      }
      const [row] = await results(trial);
      holds(
        typeof row === 'string' && row.length > 0,
        'the denied call must have a stored result with a reason',
      );
    },
  },
];

const SECRET = 'marker-of-a-rewrite';

const validated: readonly Case[] = [
  {
    ...about,
    hooks,
    id: 'decisions.rewritten_input_is_checked_against_the_schema',
    says: 'A rewritten input that the tool’s schema does not accept does not run, whatever the hook allows, and its values are not told.',
    async run(bench) {
      for (const input of [{}, { path: 7, note: SECRET }]) {
        const allow = defineHook({
          hook: 'before_tool_call',
          id: 'allow',
          execute: async (_) => ({ decision: 'allow', input }),
        });
        const { tool, trial } = await acting(bench, [allow], ['path']);
        same(tool.ran, [], `what the tool was run with after a rewrite to ${JSON.stringify(input)}`);
        same((await results(trial)).length, 1, 'how many results were stored');
        lacks((await lines(trial)).join('\n'), SECRET, 'what was stored');
        lacks(sentText(trial), SECRET, 'what the model was sent');
      }
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.rewritten_input_must_be_an_object',
    says: 'A text, a list or what JSON cannot hold is no input of a tool call: the hook has answered nonsense, which denies.',
    async run(bench) {
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      for (const input of ['etc', ['etc'], circular, { size: 1n }]) {
        const odd = onUntyped('before_tool_call', async () => ({ decision: 'allow', input }), { id: 'odd' });
        const { tool, trial } = await acting(bench, [odd]);
        same(tool.ran, [], 'what the tool was run with');
        same((await results(trial)).length, 1, 'how many results were stored');
      }
    },
  },
  {
    section: 'control before_user_message',
    level: 'ours',
    needs: ['control'],
    hooks: ['before_user_message'],
    id: 'decisions.rewritten_message_is_shown_again',
    says: 'A hook that allowed a message of the user is asked again when a later hook rewrites its text.',
    async run(bench) {
      const seen: unknown[] = [];
      const noCards = defineHook({
        hook: 'before_user_message',
        id: 'no_cards',
        execute: async (_, { content }) => {
          seen.push(content);
          return content === 'my card' ? { decision: 'deny', reason: 'no cards' } : { decision: 'allow' };
        },
      });
      const rewrite = defineHook({
        hook: 'before_user_message',
        id: 'rewrite',
        execute: async (_) => ({ input: 'my card' }),
      });
      const trial = await bench.open(scoped([noCards, rewrite]));
      const { status } = await trial.send('hello');
      same(seen, ['hello', 'my card'], 'what the first hook was shown');
      same(status, 'denied', 'what became of the message');
      same(await lines(trial), [], 'what was stored');
    },
  },
];

/** What a rewritten input goes through before it runs. */
export const rewriteCases: readonly Case[] = [...shownAgain, ...validated];
