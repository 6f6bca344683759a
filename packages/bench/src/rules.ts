import {
  createExecutor,
  createRegistry,
  type HookToolCall,
  type RunRecord,
  type ThreadState,
} from '@spec/hooks';
import { fakeState } from '@spec/hooks/testing';
import { createRules, type RuleInput } from '@spec/rules';
import type { Bench } from './bench.ts';
import { measure, type Series } from './measure.ts';

const RULES = 100;
const SIMPLE = `${RULES} rules with simple patterns`;
const TIMED = `${RULES} rules with patterns that get a limit of time`;
const SIMPLE_ALLOWED = '20 µs';
const TIMED_ALLOWED = '500 µs';

/** Rules for the tool that is called, whose patterns do not match what it is given. */
const rulesWith = (pattern: (n: number) => string): RuleInput[] =>
  Array.from({ length: RULES }, (_, n) => ({
    matcher: n % 2 === 0 ? '^bash$' : '^(bash|write_file)$',
    inputMatchers: { command: pattern(n) },
    action: 'deny',
  }));

const call: HookToolCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'bash', arguments: '{"command":"git status --short && npm test -- --watch=false"}' },
};

export const ruleEvaluation: Bench = {
  name: 'rules',
  about: 'a tool call that all rules look at and none matches, through the executor',
  unit: 'ns',
  comparisons: [
    { of: SIMPLE, against: SIMPLE_ALLOWED, atMost: 1 },
    { of: TIMED, against: TIMED_ALLOWED, atMost: 1 },
  ],
  async run() {
    const simple = await asked(rulesWith((n) => `\\.(env|key|pem)${n}$`));
    const timed = await asked(rulesWith((n) => `rm\\s+-rf.*${n}`));
    const series = await measure({ [SIMPLE]: simple, [TIMED]: timed }, { batch: 50 });
    return { ...series, ...allowed(series, { [SIMPLE_ALLOWED]: 20_000, [TIMED_ALLOWED]: 500_000 }) };
  },
};

const SCRIPT = 'a script in a warm worker';
const CALLING = 'a script that calls a tool';
const SCRIPT_ALLOWED = '2 ms';

export const ruleScript: Bench = {
  name: 'rule-script',
  about: 'a tool call about which the script of a rule decides, through the executor',
  unit: 'ns',
  comparisons: [
    { of: SCRIPT, against: SCRIPT_ALLOWED, atMost: 1 },
    { of: CALLING, against: SCRIPT_ALLOWED },
  ],
  async run() {
    const script = await asked([
      {
        action: 'script',
        script: "if (toolInput.command?.includes('rm -rf')) return { decision: 'deny', reason: 'No.' };",
      },
    ]);
    const calling = await asked([
      { action: 'script', script: "const { content } = await callTool('echo', { n: 1 }); log(content);" },
    ]);
    const series = await measure({ [SCRIPT]: script, [CALLING]: calling }, { batch: 5, rounds: 15 });
    return { ...series, ...allowed(series, { [SCRIPT_ALLOWED]: 2_000_000 }) };
  },
};

/** A chain in which rules are asked about one call. */
async function asked(rules: readonly RuleInput[]): Promise<() => unknown> {
  const { hooks } = await createRules(rules, { onLog: () => {} });
  const scope = createRegistry({ policies: hooks }).scope();
  const records: RunRecord[] = [];
  const state: ThreadState = fakeState({ tools: { echo: 'echo' } });
  const { run } = createExecutor({
    onRun(record) {
      if (records.push(record) === 1_000) records.length = 0;
    },
  });
  return () => run('before_tool_call', scope, state, call);
}

function allowed(series: Series, limits: Readonly<Record<string, number>>): Series {
  const [rounds = []] = Object.values(series);
  return Object.fromEntries(Object.entries(limits).map(([name, ns]) => [name, rounds.map(() => ns)]));
}
