import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '@spec/commands';
import { createExecutor, createRegistry, type HookToolCall, type RunRecord } from '@spec/hooks';
import type { Bench } from './bench.ts';
import { measure, type Series } from './measure.ts';
import { inFolder } from './scratch.ts';
import { stateAtRest } from './state-at-rest.ts';

const HOOKS = 100;

/** Hooks as files have them, each for other tools than the one that is called. */
const settings = {
  hooks: {
    PreToolUse: Array.from({ length: HOOKS }, (_, i) => ({
      matcher: ['Write|Edit', 'mcp__.*', 'Read', 'Notebook.*'][i % 4],
      hooks: [{ type: 'command', command: `echo ${i}` }],
    })),
  },
};

const call: HookToolCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'Bash', arguments: '{"command":"git status"}' },
};

const OURS = `${HOOKS} hooks, none of them for the call`;
const ALLOWED = '5 µs';

export const commandsNoMatch: Bench = {
  name: 'commands-no-match',
  about: 'a tool call that none of the hooks of a settings file is for',
  unit: 'ns',
  comparisons: [{ of: OURS, against: ALLOWED, atMost: 1 }],
  notes: [
    'That a hook is for other tools is recorded at the first call of a tool in a thread; this is every other call.',
  ],
  run: () => inFolder(runIn),
};

async function runIn(folder: string): Promise<Series> {
  const file = join(folder, 'settings.json');
  writeFileSync(file, JSON.stringify(settings));
  const loaded = await loadSettings([file], { trust: 'all', projectDir: folder });
  const scope = createRegistry({ policies: loaded.hooks }).scope();
  const records: RunRecord[] = [];
  const { run } = createExecutor({
    onRun(record) {
      if (records.push(record) === 1_000) records.length = 0;
    },
  });
  const series = await measure({ [OURS]: () => run('before_tool_call', scope, stateAtRest, call) });
  await loaded.close();
  return { ...series, [ALLOWED]: series[OURS].map(() => 5_000) };
}
