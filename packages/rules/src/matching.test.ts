import { timedRegexes } from '@spec/hooks/node';
import { describe, expect, test } from 'vitest';
import { call, ruledTurn } from '../test/ruled-turn.ts';
import { checkRules } from './check-rules.ts';
import { rulesInCode } from './load-rules.ts';
import { compileRules, type Match } from './matching.ts';
import type { RuleInput } from './rule.ts';

const evil = `${'a'.repeat(40)}!`;
const SLOW = '^(a+)+$';

function makeMatcher(
  rules: readonly RuleInput[],
): (input: Record<string, unknown>, toolName?: string) => readonly Match[] {
  const { matching } = compileRules(checkRules(rulesInCode(rules)).rules, timedRegexes(20));
  return (input, toolName = 'bash') => matching({ toolName, input });
}

const told = (matches: readonly Match[]): string[] =>
  matches.map(({ rule, untested }) => (untested === undefined ? rule.id : `${rule.id}: ${untested.code}`));

describe('a field that is no text', () => {
  const find = makeMatcher([
    { id: 'env', action: 'deny', inputMatchers: { path: '^a \\.env$|^\\.env$|^5$' } },
  ]);

  test.each([['.env'], [['x', '.env']], [{ a: [['.env']] }], [['a', '.env']], [5]])(
    'is tested by its texts: %j',
    (path) => {
      expect(told(find({ path }))).toEqual(['env']);
    },
  );

  test.each([[['x']], [{}], [[]], [null], [{ '.env': 1 }]])(
    'does not match without such a text: %j',
    (path) => {
      expect(told(find({ path }))).toEqual([]);
    },
  );

  test('takes no longer than one that is', () => {
    const slow = makeMatcher([{ id: 'slow', action: 'deny', inputMatchers: { path: SLOW } }]);
    expect(told(slow({ path: ['b', [evil]] }))).toEqual(['slow: regex_timeout']);
  });
});

describe('a pattern that takes too long', () => {
  test('leaves its rule untested, and the others tested', () => {
    const find = makeMatcher([
      { id: 'quick', action: 'log', inputMatchers: { command: 'a' } },
      { id: 'slow', action: 'deny', inputMatchers: { command: SLOW } },
      { id: 'timed', action: 'log', inputMatchers: { command: 'a+!' } },
      { id: 'other', action: 'log', inputMatchers: { command: 'b+' } },
    ]);
    const matches = find({ command: evil });
    expect(told(matches)).toEqual(['quick', 'slow: regex_timeout', 'timed']);
    const [, slow] = matches;
    expect(slow?.untested?.message).toContain(
      `/${SLOW}/ of inputMatchers.command of rule "slow" (on a text of 41 characters)`,
    );
    expect(slow?.untested?.message).not.toContain(evil);
  });

  test('keeps its rule in quarantine: it is untested wherever its quick conditions hold', () => {
    const find = makeMatcher([
      { id: 'slow', action: 'deny', matcher: '^bash$', inputMatchers: { command: SLOW } },
    ]);
    expect(told(find({ command: 'aaa' }))).toEqual(['slow']);
    expect(told(find({ command: 'b' }))).toEqual([]);
    find({ command: evil });
    expect(told(find({ command: evil }))).toEqual(['slow: regex_timeout']);
    expect(told(find({ command: 'b' }))).toEqual(['slow: regex_timeout']);
    expect(told(find({ command: 'b' }, 'files'))).toEqual([]);
    expect(told(find({}))).toEqual([]);
  });

  test('many of them are not all waited for: two limits are enough for one event', () => {
    const find = makeMatcher(
      Array.from({ length: 20 }, (_, i) => ({
        id: `r${i}`,
        action: 'log',
        inputMatchers: { command: SLOW },
      })),
    );
    const matches = find({ command: evil });
    expect(matches).toHaveLength(20);
    const untested = matches.filter((match) => match.untested?.message.includes('was not tested'));
    expect(untested.length).toBeGreaterThanOrEqual(18);
  });

  test('denies through a deny rule, and does nothing through another; the record says why', async () => {
    const rules: RuleInput[] = [
      { id: 'log_it', action: 'log', inputMatchers: { a: SLOW } },
      { id: 'deny_it', action: 'deny', inputMatchers: { b: SLOW } },
    ];
    const { results, runs, ran } = await ruledTurn(rules, {
      calls: [call('bash', { a: evil }), call('bash', { b: evil }), call('bash', { b: 'harmless' })],
    });
    expect(ran).toEqual([{ name: 'bash', input: { a: evil } }]);
    expect(results[1]).toContain('The rule "deny_it" could not be tested, so this is denied.');
    expect(results[2]).toContain('could not be tested');
    expect(runs.map(({ id, outcome, code }) => [id, outcome, code])).toEqual([
      ['log_it', 'failed', 'regex_timeout'],
      ['deny_it', 'denied', 'regex_timeout'],
      ['deny_it', 'denied', 'regex_timeout'],
    ]);
    expect(JSON.stringify([runs, results])).not.toContain(evil);
  });
});

describe('a text that is too long', () => {
  const long = 'x'.repeat(1_048_577);

  test('is not cut: the rule counts as untested, unless another condition of it fails', () => {
    const find = makeMatcher([
      { id: 'one', action: 'log', matcher: '^bash$', inputMatchers: { command: 'rm' } },
      { id: 'two', action: 'log', matcher: '.*bash.*', inputMatchers: { command: 'rm' } },
      { id: 'three', action: 'deny', inputMatchers: { command: 'rm\\s+', path: 'x' } },
    ]);
    expect(told(find({ command: long, path: 'x' }))).toEqual([
      'one: invalid_input',
      'two: invalid_input',
      'three: invalid_input',
    ]);
    expect(told(find({ command: long, path: 'y' }))).toEqual(['one: invalid_input', 'two: invalid_input']);
    expect(told(find({ command: long, path: 'y' }, 'files'))).toEqual([]);
    expect(told(find({ command: `rm ${long.slice(4)}` }))).toEqual(['one', 'two']);
  });

  test('denies through a deny rule', async () => {
    const { results } = await ruledTurn([{ action: 'deny', inputMatchers: { content: 'API_KEY' } }], {
      calls: [call('write_file', { content: `${long}API_KEY` })],
    });
    expect(results[0]).toContain('a text of 1048584 characters is too long to be tested');
  });
});

test('inherited properties are no fields', () => {
  const find = makeMatcher([{ action: 'deny', inputMatchers: { constructor: '.*', toString: '.*' } }]);
  expect(find({})).toEqual([]);
  expect(find(JSON.parse('{"__proto__": {"constructor": "x", "toString": "x"}}'))).toEqual([]);
});

test('no rule behind one that certainly denies is looked at', () => {
  const find = makeMatcher([
    { id: 'behind', action: 'deny', inputMatchers: { command: SLOW } },
    { id: 'first', action: 'deny', priority: 1 },
  ]);
  expect(told(find({ command: evil }))).toEqual(['first']);
});
