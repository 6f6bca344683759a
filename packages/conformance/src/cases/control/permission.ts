import type { AnyHook, Decision, PermissionRequest } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import { counted, happened, on, scoped } from '../kit/index.ts';
import { asks, contains, makeCall, results, watchedTool } from '../kit/trials.ts';

const about = {
  section: 'control before_permission_request',
  level: 'ours',
  needs: ['control'],
  hooks: ['before_permission_request'],
} as const;

type Person = 'allow' | 'deny' | undefined;

interface Asked {
  /** The inputs that the tool ran with. */
  readonly ran: readonly Record<string, unknown>[];
  /** The stored result. */
  readonly row: string | null | undefined;
}

interface Asking {
  readonly hooks: readonly AnyHook[];
  readonly person?: Person;
  /** The tool asks by itself. */
  readonly permission?: 'ask';
}

/** One call of `act` with `{ n: 1 }`. */
async function call({ open }: TestBench, { hooks, person, permission }: Asking): Promise<Asked> {
  const tool = watchedTool();
  const trial = await open(
    scoped(hooks, {
      tools: [permission === undefined ? tool : { ...tool, permission }],
      script: [asks(makeCall('act', { n: 1 }))],
      ...(person === undefined ? {} : { onAsk: person }),
    }),
  );
  await trial.send('Go');
  return { ran: tool.ran, row: (await results(trial))[0] };
}

const ask = on('before_tool_call', async () => ({ decision: 'ask', reason: 'it costs money' }));

function permits(decision: Decision | null, requests: PermissionRequest[] = []): AnyHook {
  return on('before_permission_request', async (_, request) => {
    requests.push(request);
    return decision;
  });
}

/** before_permission_request: an answer in the place of the person's. */
export const permissionCases: readonly Case[] = [
  {
    ...about,
    id: 'before_permission_request.runs_where_a_hook_asks',
    says: 'The hook runs where before_tool_call asks, and is shown the call and the reason.',
    hooks: ['before_permission_request', 'before_tool_call'],
    async run(bench) {
      const requests: PermissionRequest[] = [];
      await call(bench, { hooks: [ask, permits(null, requests)], person: 'allow' });
      const [request] = requests;
      same(requests.length, 1, 'how often it ran');
      const { name, arguments: json } = request?.toolCall.function ?? {};
      same([name, json, request?.reason], ['act', '{"n":1}', 'it costs money'], 'tool, arguments and reason');
    },
  },
  {
    ...about,
    id: 'before_permission_request.runs_where_the_tool_asks',
    says: 'A tool that needs permission brings the hook into play, unless a hook allowed the call.',
    async run(bench) {
      const requests: PermissionRequest[] = [];
      const asked = await call(bench, {
        hooks: [permits(null, requests)],
        person: 'allow',
        permission: 'ask',
      });
      same([requests.length, asked.ran.length], [1, 1], 'how often the hook and the tool ran');
      const allow = on('before_tool_call', async () => ({ decision: 'allow' }));
      const allowed = await call(bench, { hooks: [allow, permits(null, requests)], permission: 'ask' });
      same([requests.length, allowed.ran.length], [1, 1], 'how often both ran where a hook allowed the call');
    },
  },
  {
    ...about,
    id: 'before_permission_request.does_not_run_where_nobody_asks',
    says: 'The hook does not run for a call that is allowed, denied, or not asked about.',
    hooks: ['before_permission_request', 'before_tool_call'],
    async run(bench) {
      const requests: PermissionRequest[] = [];
      const look = permits(null, requests);
      for (const decision of [{ decision: 'allow' }, { decision: 'deny' }, null] as const) {
        const decides = counted('before_tool_call', async () => decision);
        const { row } = await call(bench, { hooks: [decides.hook, look], person: 'allow' });
        happened(decides.runs, 'a decision');
        happened(row === undefined ? 0 : 1, 'the storing of a result');
      }
      same(requests.length, 0, 'how often it ran');
      await call(bench, { hooks: [ask, look], person: 'allow' });
      same(requests.length, 1, 'how often it had run after a call that was asked about');
    },
  },
  {
    ...about,
    id: 'before_permission_request.answers_for_the_person',
    says: 'Its allow runs the call though nobody is there, and its deny beats a person who would allow.',
    async run(bench) {
      const allowed = await call(bench, { hooks: [ask, permits({ decision: 'allow' })] });
      same(allowed.ran, [{ n: 1 }], 'what ran after its allow');
      const deny = permits({ decision: 'deny', reason: 'never that' });
      const denied = await call(bench, { hooks: [ask, deny], person: 'allow' });
      same(denied.ran, [], 'what ran after its deny');
      contains(denied.row, 'never that', 'the stored result');
    },
  },
  {
    ...about,
    id: 'before_permission_request.null_and_ask_leave_it_to_the_person',
    says: 'Without its decision, or where it asks too, the person answers.',
    async run(bench) {
      for (const decision of [null, { decision: 'ask' }] as const) {
        const requests: PermissionRequest[] = [];
        const ranWith = async (person: Person): Promise<number> =>
          (await call(bench, { hooks: [ask, permits(decision, requests)], person })).ran.length;
        const ran = [await ranWith('allow'), await ranWith('deny'), await ranWith(undefined)];
        happened(requests.length, 'a run of the hook');
        same(ran, [1, 0, 0], `a hook that says ${JSON.stringify(decision)}: how often the tool ran`);
      }
    },
  },
  {
    ...about,
    id: 'before_permission_request.result_answers_the_call',
    says: 'A result answers the call, and the tool does not run.',
    async run(bench) {
      const answer = permits({ decision: 'allow', result: { status: 'success', result: 'from the hook' } });
      const { ran, row } = await call(bench, { hooks: [ask, answer] });
      same(ran, [], 'what ran');
      contains(row, 'from the hook', 'the stored result');
    },
  },
  {
    ...about,
    id: 'before_permission_request.rewrite_is_decided_on_anew',
    says: 'A call that was rewritten for permission is shown to before_tool_call again, and its deny counts.',
    hooks: ['before_permission_request', 'before_tool_call'],
    async run(bench) {
      const guard = on('before_tool_call', async (_, { function: { arguments: json } }) =>
        json === '{"n":666}' ? { decision: 'deny', reason: 'evil' } : { decision: 'ask' },
      );
      const rewrite = (n: number): AnyHook => permits({ decision: 'allow', input: { n } });
      const denied = await call(bench, { hooks: [guard, rewrite(666)], person: 'allow' });
      same(denied.ran, [], 'what ran after a rewrite that is denied');
      contains(denied.row, 'evil', 'the stored result');
      const allowed = await call(bench, { hooks: [guard, rewrite(2)] });
      same(allowed.ran, [{ n: 2 }], 'what ran after a rewrite that is not');
    },
  },
];
