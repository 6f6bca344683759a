import { createOpenCodePlugin, type OpenCodeHooks } from '@spec/agents/opencode';
import { type AnyHook, defineHook } from '@spec/hooks';
import pTimeout from 'p-timeout';
import type { Bench } from './bench.ts';
import { measure } from './measure.ts';

const OURS = 'a call with a guard';
const LIMITED = 'the same guard by hand, with a limit';
const BARE = 'the same guard by hand';
const LIMIT = '100 µs';

/** What a plugin is told before a tool runs. */
const call = { tool: 'bash', sessionID: 's1', callID: 'c1' };
const args = { command: 'git status', description: 'see what has changed' };
const isForced = ({ command }: typeof args): boolean => /^git push .*--force/.test(command);

export const inProcess: Bench = {
  name: 'in-process',
  about:
    'a call of a tool in OpenCode, which loads hooks into its process: asked of a guard, with our limit and catch around it',
  unit: 'ns',
  comparisons: [
    { of: OURS, against: LIMIT, atMost: 1 },
    { of: OURS, against: LIMITED, atMost: 4 },
    { of: OURS, against: BARE },
    { of: 'a call without hooks', against: BARE },
  ],
  async run() {
    const guarded = await openPlugin(
      defineHook({
        hook: 'before_tool_call',
        id: 'guard',
        match: 'Bash',
        execute: async (_, { input }) => (isForced(input as typeof args) ? { decision: 'deny' } : null),
      }),
    );
    const empty = await openPlugin();
    const byHand = async (input: typeof args): Promise<void> => {
      if (isForced(input)) throw new Error('denied');
    };
    const series = await measure({
      [OURS]: () => guarded['tool.execute.before'](call, { args }),
      [LIMITED]: () => pTimeout(byHand(args), { milliseconds: 5_000, signal: AbortSignal.timeout(25_000) }),
      [BARE]: () => byHand(args),
      'a call without hooks': () => empty['tool.execute.before'](call, { args }),
    });
    return { ...series, [LIMIT]: series[OURS].map(() => 100e3) };
  },
};

function openPlugin(...policies: readonly AnyHook[]): Promise<OpenCodeHooks> {
  return createOpenCodePlugin({ policies })({ directory: '/app' });
}
