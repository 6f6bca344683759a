import { describe, expect, onTestFinished, test } from 'vitest';
import { call, turnUnder } from '../test/ruled-turn.ts';
import { folderWith } from '../test/temporary-folder.ts';
import { loadRules } from './create-rules.ts';
import { explainRule } from './explain-rule.ts';
import type { PlacedRule } from './placed-rules.ts';

const at = (rule: object, more: Partial<PlacedRule> = {}): PlacedRule => ({
  rule,
  position: { file: 'hub.json', line: 3 },
  ...more,
});

async function load(sources: Parameters<typeof loadRules>[0]) {
  const rules = await loadRules(sources);
  onTestFinished(() => rules.close());
  return rules;
}

describe('rules that were found in a file of another format', () => {
  test('are one set with rule files, by priority', async () => {
    const file = `${folderWith({ 'rules.json': '[{ "id": "of_file", "action": "log" }]' })}/rules.json`;
    const { rules, hooks } = await load([at({ id: 'of_hub', action: 'log', priority: 1 }), file]);
    expect(rules.map(({ id, position }) => [id, position])).toEqual([
      ['of_file', `${file}:1`],
      ['of_hub', 'hub.json:3'],
    ]);
    const { runs } = await turnUnder(hooks, { calls: [call('bash')] });
    expect(runs.map(({ id }) => id)).toEqual(['of_hub', 'of_file']);
  });

  test('one alone, and none', async () => {
    expect((await load(at({ action: 'log' }))).rules).toHaveLength(1);
    expect((await load([])).hooks).toEqual([]);
  });

  test('what is wrong is told with the line of its field, all of it in one error', async () => {
    const lines = { matcher: 4 };
    const bad = loadRules([at({ id: 'a', action: 'deny', matcher: '(' }, { lines }), at({ action: 'dney' })]);
    await expect(bad).rejects.toThrow(
      /hub\.json:4, rule a: matcher: [\s\S]*hub\.json:3, rule rules\[1\]: action/,
    );
  });

  test('two with one id are refused', async () => {
    const twins = loadRules([at({ id: 'a', action: 'log' }), at({ id: 'a', action: 'log' })]);
    await expect(twins).rejects.toThrow('Another rule has the id "a"');
  });
});

describe('a rule that must not run', () => {
  const refusal = 'hub.json does not run: it is not trusted.';

  test.each([
    [{ action: 'deny', matcher: 'bash', reason: 'mine' }],
    [{ action: 'script', script: 'return { decision: "allow" };', matcher: 'bash' }],
  ])('denies what it guards, and says why: %j', async (rule) => {
    const { rules, hooks } = await load([at({ id: 'a', ...rule }, { refusal })]);
    const { results, runs, ran } = await turnUnder(hooks, { calls: [call('bash'), call('fetch')] });
    expect(results[0]).toContain(`The rule "a" guards this, and cannot run. ${refusal}`);
    expect(results[0]).not.toContain('mine');
    expect(ran.map(({ name }) => name)).toEqual(['fetch']);
    expect(runs).toMatchObject([{ outcome: 'denied', why: refusal }]);
    expect(explainRule(rules[0]!, { toolName: 'bash' })).toMatchObject({
      applies: true,
      why: refusal,
      answer: { decision: 'deny' },
    });
  });

  test.each(['allow', 'log'])('is passed over, with a record: %s', async (action) => {
    const { rules, hooks } = await load([at({ id: 'a', action }, { refusal })]);
    const { ran, runs } = await turnUnder(hooks, { calls: [call('bash')] });
    expect(ran).toHaveLength(1);
    expect(runs).toMatchObject([{ outcome: 'skipped', why: refusal }]);
    expect(explainRule(rules[0]!, { toolName: 'bash' })).toMatchObject({ applies: false, why: refusal });
  });

  test('a deny of it hides no other: the others of the event are asked', async () => {
    const { hooks } = await load([
      at({ id: 'refused', event: 'Stop', action: 'deny', priority: 9 }, { refusal }),
      at({ id: 'sound', event: 'Stop', action: 'deny', reason: 'Not yet.' }),
    ]);
    const { runs } = await turnUnder(hooks, {});
    expect(runs.slice(0, 2)).toMatchObject([
      { id: 'refused', outcome: 'skipped' },
      { id: 'sound', outcome: 'denied' },
    ]);
  });
});
