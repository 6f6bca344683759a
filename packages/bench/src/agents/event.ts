import type { Bench } from '../bench.ts';
import { measure, type Series } from '../measure.ts';
import { inFolder } from '../scratch.ts';
import { type AgentProject, inWarmProject, main, runToEnd } from './agent-project.ts';

const SHELL = 'sh -c :';
const NODE = 'node -e 0';
const WARM = 'through client and daemon';
const COLD = 'cold, without modules';
const COLD_MODULE = 'cold, one module';
const WARM_LIMIT = `${SHELL} and 15 ms`;
const COLD_LIMIT = `1.5 × ${NODE} and 60 ms`;

export const agentEvent: Bench = {
  name: 'agent-event',
  about: 'one event of a coding agent, from the start of the hook command to its end',
  unit: 'ns',
  comparisons: [
    { of: WARM, against: WARM_LIMIT, atMost: 1 },
    { of: COLD, against: COLD_LIMIT, atMost: 1 },
    { of: WARM, against: COLD_MODULE },
  ],
  notes: ['The package as it is built. Each limit is taken from the starts of the same round.'],
  run: () => inFolder((empty) => inWarmProject((project) => measureEvents(project, empty))),
};

async function measureEvents({ path, env, tell }: AgentProject, empty: string): Promise<Series> {
  const hook = (root: string): (() => Promise<void>) => {
    const words = [
      process.execPath,
      main,
      'hook',
      '--agent',
      'codex',
      '--event',
      'PreToolUse',
      '--root',
      root,
    ];
    return () => runToEnd(words, { cwd: root, env });
  };
  const contenders = {
    [SHELL]: () => runToEnd(['/bin/sh', '-c', ':'], { cwd: path, env }),
    [NODE]: () => runToEnd([process.execPath, '-e', '0'], { cwd: path, env }),
    [WARM]: tell,
    [COLD]: hook(empty),
    [COLD_MODULE]: hook(path),
  };
  const series = await measure(contenders, { batch: 1, rounds: 9, time: 300 });
  return {
    ...series,
    [WARM_LIMIT]: series[SHELL].map((start) => start + 15e6),
    [COLD_LIMIT]: series[NODE].map((start) => 1.5 * start + 60e6),
  };
}
