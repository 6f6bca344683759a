import { describe, expect, test } from 'vitest';
import { ruledTurn } from '../test/ruled-turn.ts';
import { checkRules } from './check-rules.ts';
import { evaluateRules, type RuleAnswer, type RuleRun, type ScriptAnswer } from './evaluate.ts';
import { rulesInCode } from './load-rules.ts';
import { compileRules } from './matching.ts';
import type { RuleInput } from './rule.ts';

type Scripts = Readonly<Record<string, (input: Record<string, unknown>) => ScriptAnswer | RuleAnswer>>;

/** Evaluates rules whose scripts are functions, by their ids. */
async function evaluated(
  rules: readonly RuleInput[],
  scripts: Scripts = {},
): Promise<{ answer: RuleAnswer; ran: readonly string[] }> {
  const filled = rules.map((rule) => (rule.action === 'script' ? { script: ';', ...rule } : rule));
  const runs: RuleRun[] = [];
  const answer = await evaluateRules(
    compileRules(checkRules(rulesInCode(filled)).rules),
    { event: 'PreToolUse', agentId: 'agent', toolName: 'bash', toolInput: { n: 0 } },
    {
      log: () => {},
      script: async ({ id }, { toolInput = {} }) => {
        const given = scripts[id]?.(toolInput) ?? {};
        return 'answer' in given || 'failed' in given ? given : { answer: given };
      },
      onRun: (run) => runs.push(run),
    },
  );
  return { answer, ran: runs.map(({ rule, outcome }) => `${rule.id} ${outcome}`) };
}

const script = (id: string, more: Partial<RuleInput> = {}): RuleInput => ({ id, action: 'script', ...more });

describe('decisions', () => {
  test('ask beats allow, deny beats ask, and its reason is told', async () => {
    const ask = (): RuleAnswer => ({ decision: 'ask', reason: 'Sure?' });
    expect(await evaluated([script('a'), { id: 'b', action: 'allow' }], { a: ask })).toEqual({
      answer: { decision: 'ask', reason: 'Sure?' },
      ran: ['a asked', 'b ok'],
    });
    const deny = await evaluated([script('a'), { id: 'b', action: 'deny', reason: 'No.' }], { a: ask });
    expect(deny.answer).toEqual({ decision: 'deny', reason: 'No.' });
  });

  test('an allow whose pattern is about a command counts for one plain command', async () => {
    const allow: RuleInput = { id: 'a', action: 'allow', inputMatchers: { command: '^git status' } };
    const answers = async (rule: RuleInput, command: string) => {
      const { results, ran, runs, thread } = await ruledTurn([rule], {
        calls: [{ name: 'bash', input: { command } }],
        permissionMode: 'deny',
      });
      await thread.close();
      return { ran: ran.length, results: results.length, why: runs[0]?.why };
    };
    expect(await answers(allow, 'git status -s')).toEqual({ ran: 1, results: 1, why: undefined });
    for (const line of ['git status; rm -rf ~', 'git status $(rm x)', 'git status > x', 'git status && $X'])
      expect(await answers(allow, line)).toEqual({
        ran: 0,
        results: 1,
        why: expect.stringContaining('does not count'),
      });
    const byTool: RuleInput = { id: 'a', action: 'allow', matcher: '^bash$' };
    expect(await answers(byTool, 'git status; ls')).toMatchObject({ ran: 1 });
    const deny: RuleInput = { ...allow, action: 'deny' };
    expect(await answers(deny, 'git status; ls')).toMatchObject({ ran: 0, why: undefined });
  });

  test.each<[string, Record<string, unknown>]>([
    ['another command', { cmd: 'git status', command: 'rm x' }],
    ['arguments', { cmd: 'git status', args: ['push'] }],
    ['variables', { cmd: 'git status', env: { PAGER: 'rm x' } }],
  ])('an allow on a command does not count beside %s', async (_, input) => {
    const allow: RuleInput = { id: 'a', action: 'allow', inputMatchers: { cmd: '^git status' } };
    const { ran, runs, thread } = await ruledTurn([allow], {
      calls: [{ name: 'bash', input }],
      permissionMode: 'deny',
    });
    await thread.close();
    expect({ ran: ran.length, why: runs[0]?.why }).toEqual({
      ran: 0,
      why: expect.stringContaining('does not count'),
    });
  });

  test('an allow on both fields of commands counts for both', async () => {
    const inputMatchers = { cmd: '^git status', command: '^git log' };
    const { ran, thread } = await ruledTurn([{ id: 'a', action: 'allow', inputMatchers }], {
      calls: [{ name: 'bash', input: { cmd: 'git status', command: 'git log' } }],
      permissionMode: 'deny',
    });
    await thread.close();
    expect(ran).toHaveLength(1);
  });

  test('an allow counts for fields that are texts', async () => {
    const allow: RuleInput = { id: 'a', action: 'allow', inputMatchers: { path: '^src/' } };
    const runs = async (rule: RuleInput, path: string | string[]) => {
      const turn = await ruledTurn([rule], {
        calls: [{ name: 'bash', input: { path } }],
        permissionMode: 'deny',
      });
      await turn.thread.close();
      return turn.ran.length;
    };
    expect(await runs(allow, 'src/a')).toBe(1);
    expect(await runs(allow, ['src/a', '/etc/passwd'])).toBe(0);
    expect(await runs({ ...allow, action: 'deny' }, ['/etc/passwd', 'src/a'])).toBe(0);
  });

  test('contexts are gathered, also from before a deny', async () => {
    const { answer } = await evaluated([script('a'), script('b')], {
      a: () => ({ context: 'one' }),
      b: () => ({ decision: 'deny', context: 'two' }),
    });
    expect(answer).toEqual({ decision: 'deny', context: 'one\n\ntwo' });
  });

  test('behind a deny nothing runs', async () => {
    const deny = (): RuleAnswer => ({ decision: 'deny', reason: 'No.' });
    expect(await evaluated([script('a'), script('b')], { a: deny, b: deny })).toEqual({
      answer: { decision: 'deny', reason: 'No.' },
      ran: ['a denied'],
    });
  });

  test('a failing script denies where it may not go on, and only there', async () => {
    const fails = (): ScriptAnswer => ({ failed: 'failed', why: 'why', message: 'message' });
    const rules = [script('a'), script('b', { continueOnError: false }), script('c')];
    expect(await evaluated(rules, { a: fails, b: fails, c: fails })).toEqual({
      answer: { decision: 'deny', reason: 'The script of the rule "b" failed: message' },
      ran: ['a failed', 'b failed'],
    });
  });
});

describe('rewriting the input', () => {
  test('all rules are asked again about the new one, without the one that made it', async () => {
    const seen: unknown[] = [];
    const { answer, ran } = await evaluated(
      [script('watch'), script('double'), { id: 'last', action: 'log' }],
      {
        watch: (input) => {
          seen.push(input.n);
          return {};
        },
        double: () => ({ input: { n: 2 }, context: 'doubled' }),
      },
    );
    expect(seen).toEqual([0, 2]);
    expect(answer).toEqual({ input: { n: 2 }, context: 'doubled' });
    expect(ran).toEqual(['watch ok', 'double changed', 'watch ok', 'last ok']);
  });

  test('a deny about the new input wins, and an allow about the old one is forgotten', async () => {
    const { answer } = await evaluated([script('gate', { priority: 5 }), script('rewrite')], {
      gate: ({ n }) => (n === 0 ? { decision: 'allow' } : { decision: 'deny', reason: 'not 1' }),
      rewrite: () => ({ input: { n: 1 } }),
    });
    expect(answer).toMatchObject({ decision: 'deny', reason: 'not 1' });
  });

  test('a deny beside a new input is a deny, and nothing is asked about that input', async () => {
    const { answer, ran } = await evaluated([script('a'), script('b')], {
      a: () => ({ decision: 'deny', reason: 'No.', input: { n: 1 } }),
    });
    expect(answer).toEqual({ decision: 'deny', reason: 'No.' });
    expect(ran).toEqual(['a denied']);
  });

  test('what a script decides about the input that it gives holds, unless another rule is stricter about it', async () => {
    const rewrite = (): RuleAnswer => ({ decision: 'ask', reason: 'Sure?', input: { n: 1 } });
    const asked = await evaluated([script('a'), script('b')], { a: rewrite });
    expect(asked.answer).toEqual({ decision: 'ask', reason: 'Sure?', input: { n: 1 } });
    const allowed = await evaluated([script('a'), { id: 'b', action: 'allow' }], { a: rewrite });
    expect(allowed.answer).toEqual({ decision: 'ask', reason: 'Sure?', input: { n: 1 } });
    const denied = await evaluated([script('a'), { id: 'b', action: 'deny', reason: 'No.' }], { a: rewrite });
    expect(denied.answer).toMatchObject({ decision: 'deny', reason: 'No.' });
  });

  test('what a script decided about an input that another one replaced is asked anew', async () => {
    const { answer } = await evaluated([script('a'), script('b')], {
      a: ({ n }) => (n === 0 ? { decision: 'ask', input: { n: 1 } } : {}),
      b: ({ n }) => (n === 1 ? { input: { n: 2 } } : {}),
    });
    expect(answer).toEqual({ input: { n: 2 } });
  });

  test('scripts that give back what is there already come to an end', async () => {
    const { answer } = await evaluated([script('a'), script('b')], {
      a: (input) => ({ input: { ...input, a: true } }),
      b: (input) => ({ input: { ...input, b: true } }),
    });
    expect(answer).toEqual({ input: { n: 0, a: true, b: true } });
  });

  test('scripts that never agree are denied', async () => {
    const { answer } = await evaluated([script('a'), script('b')], {
      a: () => ({ input: { n: 1 } }),
      b: () => ({ input: { n: 2 } }),
    });
    expect(answer).toEqual({
      decision: 'deny',
      reason: expect.stringContaining('after 3 rounds it is denied'),
    });
  });
});
