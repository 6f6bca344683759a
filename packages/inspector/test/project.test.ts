import { expect, test, vi } from 'vitest';
import type { HookFinding } from '../src/api.ts';
import type { HookProject } from '../src/index.ts';
import { writeTestCase } from '../src/reads/compare-rerun.ts';
import { isAbout, rememberProject } from '../src/reads/list-project.ts';

test('a project is looked at once for some seconds, and again after a failure', async () => {
  let looks = 0;
  const list = async () => {
    looks++;
    if (looks === 1) throw new Error('not now');
    return { hooks: [], problems: [`look ${looks}`] };
  };
  const look = rememberProject({ list } as unknown as HookProject);
  await expect(look()).rejects.toThrow('not now');
  expect(await look()).toEqual({ hooks: [], problems: ['look 2'], findings: [] });
  expect((await look()).problems).toEqual(['look 2']);
  vi.useFakeTimers({ now: Date.now() + 6_000 });
  expect((await look()).problems).toEqual(['look 3']);
  vi.useRealTimers();
});

const finding: HookFinding = { level: 'note', where: 'hooks/guard.ts:4', entry: 'no_deletes', message: '' };

test.each([
  ['its id in the same file', { id: 'no_deletes', source: 'hooks/guard.ts:2' }, true],
  ['its place', { id: 'claude_1', source: 'hooks/guard.ts:4' }, true],
  ['the same id in another file', { id: 'no_deletes', source: 'hooks/other.ts:2' }, false],
  ['another one of the file', { id: 'audit', source: 'hooks/guard.ts:9' }, false],
] as const)('a finding is shown beside a hook: %s', (_, hook, isShown) => {
  expect(isAbout(finding, hook)).toBe(isShown);
});

test('a re-run is kept as a case with what decided, and with characters that YAML does not take by their numbers', () => {
  const input = { tool_name: 'refund', tool_input: { note: 'a\u2028b: "c"' } };
  const runs = [{ id: 'guard', hook: 'before_tool_call', outcome: 'denied', ms: 1, changed: false }] as const;
  const again = { decision: 'deny', reason: 'Not here.', runs };
  expect(writeTestCase({ hook: 'before_tool_call', input }, again)).toBe(
    `cases:
  - name: "before_tool_call of refund"
    event: "before_tool_call"
    input: {"tool_name":"refund","tool_input":{"note":"a\\u2028b: \\"c\\""}}
    expect: {"decision":"deny","by":"guard","reason":"Not here."}
`,
  );
  const asked = writeTestCase(
    { hook: 'filter_messages', input: {} },
    { decision: null, reason: '/x/', runs: [] },
  );
  expect(asked).toContain('expect: {"decision":"none"}');
});
