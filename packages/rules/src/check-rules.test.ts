import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from '../test/temporary-folder.ts';
import { checkRules } from './check-rules.ts';
import { createRules, loadRules } from './create-rules.ts';
import { rulesInCode } from './load-rules.ts';
import { defineRule, type RuleInput, rulesJsonSchema } from './rule.ts';

const problems = (rule: unknown): string[] =>
  checkRules(rulesInCode([rule as RuleInput]))
    .findings.filter(({ level }) => level === 'error')
    .map(({ message }) => message);

test.each([
  [{ action: 'script' }, 'needs the field script'],
  [{ action: 'deny', script: ';' }, 'runs no script'],
  [{ action: 'log', reason: 'x' }, 'A reason is told only where a rule denies'],
  [{ action: 'deny', event: 'PostToolUse' }, 'At PostToolUse nothing is left to deny'],
  [{ action: 'allow', event: 'AgentEnd' }, 'At AgentEnd nothing is left to allow'],
  [{ action: 'allow', event: 'Stop' }, 'At Stop nothing is left to allow'],
  [{ action: 'log', event: 'Stop', matcher: 'x' }, 'At Stop there is no tool'],
  [{ action: 'log', event: 'Stop', inputMatchers: { prompt: 'x' } }, 'the only field is stopReason'],
  [{ action: 'log', event: 'UserPromptSubmit', inputMatchers: { text: 'x' } }, 'the only field is prompt'],
  [{ action: 'log', event: 'AgentStart', inputMatchers: { x: 'x' } }, 'there is no field'],
  [{ action: 'log', matcher: 'x'.repeat(1_025) }, 'matcher: '],
  [{ action: 'log', inputMatchers: { a: '[' } }, 'inputMatchers.a: /[/ is not a regular expression'],
  [{ action: 'log', inputMatchers: { a: 1 } }, 'inputMatchers.a: '],
  [{ action: 'log', priority: 'high' }, 'priority: '],
  [{ action: 'log', Action: 'deny' }, '"Action" is no field of a rule. Did you mean "action"?'],
  [{ action: 'log', xyzzy: 1 }, 'they are id, event, matcher'],
  [JSON.parse('{"action":"deny","inputMatchers":{"__proto__":"x"}}'), 'inputMatchers.__proto__: no field'],
  [{}, 'action must be one of'],
  [null, 'A rule must be an object'],
])('%j', (rule, message) => expect(problems(rule).join('\n')).toContain(message));

test.each([
  ['rules.json', '{ "rules": [{ "action": "deny", "inputMatchers": { "__proto__": "x" } }] }', 1],
  ['rules.yaml', 'rules:\n  - action: deny\n    inputMatchers:\n      __proto__: x\n', 4],
])('a matcher that no rule can have is refused where it stands: %s', async (name, text, line) => {
  await expect(loadRules(join(folderWith({ [name]: text }), name))).rejects.toThrow(
    new RegExp(`${name}:${line}, rule rules_1: inputMatchers\\.__proto__: no field`),
  );
});

test('a rule that is off is checked, and not loaded', async () => {
  const off: RuleInput = { action: 'deny', enabled: false };
  expect(checkRules(rulesInCode([off]))).toMatchObject({ rules: [], findings: [] });
  await expect(createRules([{ ...off, matcher: '(' }])).rejects.toMatchObject({ code: 'bad_definition' });
});

test('twins, in code', async () => {
  const rule = defineRule({ id: 'same', action: 'log' });
  await expect(createRules([rule, rule])).rejects.toThrow('Another rule has the id "same"');
});

test('a deadline that is none', async () => {
  await expect(createRules([{ action: 'log' }], { deadline: '0s' })).rejects.toMatchObject({
    code: 'bad_option',
  });
});

test('the schema that is published is the one of the code', () => {
  const published = readFileSync(join(import.meta.dirname, '../rules.schema.json'), 'utf8');
  expect(JSON.parse(published), 'npx tsx --conditions=@spec/source scripts/generate-docs.ts').toEqual(
    JSON.parse(JSON.stringify(rulesJsonSchema())),
  );
});

test('the JSON Schema knows every field, with its description', () => {
  const { properties } = rulesJsonSchema() as { properties: { rules: { items: Record<string, unknown> } } };
  const { items } = properties.rules;
  expect(items).toMatchObject({ required: ['action'], additionalProperties: false });
  const fields = Object.entries(items.properties as Record<string, { description?: string }>);
  expect(fields.map(([name]) => name)).toContain('inputMatchers');
  for (const [name, { description }] of fields) expect(description, name).toBeTruthy();
});
