import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { folderWith } from '../test/temporary-folder.ts';
import { actionNames } from './actions.ts';
import { loadRules } from './create-rules.ts';

const FILLED = { event: 'PreToolUse', priority: 0, continueOnError: true, enabled: true };

async function loaded(name: string, content: string): Promise<unknown> {
  const file = join(folderWith({ [name]: content }), name);
  const { rules, close } = await loadRules(file);
  await close();
  return rules.map(({ position, ...rule }) => ({ ...rule, position: position?.replace(file, name) }));
}

test('JSON, with tabs, a byte order mark and escapes', async () => {
  const content =
    '\ufeff{\n\t"$schema": "x",\n\t"rules": [\n\t\t{ "action": "deny",\n\t\t\t"matcher": "^\\u0062ash$", "reason": "\\ud83d\\ude00 a\\/b" }\n\t]\n}\n';
  expect(await loaded('rules.json', content)).toEqual([
    {
      ...FILLED,
      id: 'rules_1',
      action: 'deny',
      matcher: '^bash$',
      reason: '😀 a/b',
      position: 'rules.json:4',
    },
  ]);
});

test('JSON with comments, where they stand alone; texts keep what looks like one', async () => {
  const content = `// All of them
[ /* the
  first */ { "action": "deny", // "it's
    "matcher": "^a//b\\"/*c*/", # don't
    "reason": "https://x" /**/ } ] /* end`;
  expect(await loaded('rules.json', content)).toEqual([
    {
      ...FILLED,
      id: 'rules_1',
      action: 'deny',
      matcher: '^a//b"/*c*/',
      reason: 'https://x',
      position: 'rules.json:3',
    },
  ]);
  expect(await loaded('rules.yaml', '- action: deny\n  reason: a // b\n')).toMatchObject([
    { reason: 'a // b' },
  ]);
});

test('YAML, as a list too', async () => {
  const content =
    '# Rules\n- action: log\n- id: second\n  action: script\n  script: |\n    log(1);\n    log(2);\n';
  expect(await loaded('teamRules.v2.yaml', content)).toEqual([
    { ...FILLED, id: 'team_rules_1', action: 'log', position: 'teamRules.v2.yaml:2' },
    {
      ...FILLED,
      id: 'second',
      action: 'script',
      script: 'log(1);\nlog(2);\n',
      position: 'teamRules.v2.yaml:3',
    },
  ]);
});

test.each([
  [
    'rules.ts',
    "import { defineRule } from '@spec/rules';\nexport default [defineRule({ action: 'log' as const })];",
  ],
  ['rules.mts', "export default { rules: [{ action: 'log' }] } satisfies object;"],
  ['rules.js', "export default [{ action: 'log' }];"],
  ['rules.cjs', "module.exports = [{ action: 'log' }];"],
])('a module: %s', async (name, content) => {
  expect(await loaded(name, content)).toEqual([
    { ...FILLED, id: 'rules_1', action: 'log', position: `${name}, rules[0]` },
  ]);
});

test('several files are one set; ids come from the names', async () => {
  const folder = folderWith({
    'a.json': '[{ "action": "log" }]',
    '2nd-team.yaml': '- action: allow\n  priority: 5\n- { action: log, enabled: false }',
  });
  const paths = ['a.json', '2nd-team.yaml'].map((name) => join(folder, name));
  const { rules, hooks } = await loadRules([paths[0]!, pathToFileURL(paths[1]!)], { name: 'team' });
  expect(rules.map(({ id }) => id)).toEqual(['a_1', 'rules_2nd_team_1']);
  expect(hooks.map(({ id }) => id)).toEqual(['team_pre_tool_use']);
});

test('all that is wrong is told at once, with file, line, rule and field', async () => {
  const folder = folderWith({
    'a.yaml': [
      'rules:',
      '  - action: deny',
      "    matcher: 'ba(sh'",
      '  - id: Two',
      '    action: refuse',
      '    matchers: bash',
      '  - id: three',
      '    action: script',
      '    script: |',
      '      const a = 1;',
      '      let b = ;',
      '  - action: log',
      '    event: Pretooluse',
      '  - text',
    ].join('\n'),
    'b.json': '[{ "id": "three", "action": "log" }]',
  });
  const [a, b] = [join(folder, 'a.yaml'), join(folder, 'b.json')];
  const error = await loadRules([a, b]).catch((thrown: Error) => thrown);
  expect((error as Error).message.replaceAll(folder, '').split('\n')).toEqual([
    'Rules cannot be loaded, for 8 reasons:',
    `- /a.yaml:3, rule a_1: matcher: /ba(sh/ is not a regular expression: it breaks at position 2, at "(". Put a backslash before a character that is meant as itself, and close every bracket.`,
    '- /a.yaml:4, rule rules[1]: id: must be snake_case, such as no_env_files.',
    `- /a.yaml:5, rule rules[1]: action must be one of ${actionNames.join(', ')}.`,
    '- /a.yaml:4, rule rules[1]: "matchers" is no field of a rule. Did you mean "matcher"?',
    '- /a.yaml:13, rule rules[3]: event must be one of PreToolUse, PostToolUse, UserPromptSubmit, Stop, AgentStart, AgentEnd.',
    '- /a.yaml:14, rule rules[4]: A rule must be an object.',
    '- /b.json:1, rule three: Another rule has the id "three": rename one.',
    "- /a.yaml:7, rule three: Its script breaks in line 2, column 9: unexpected token in expression: ';'.",
  ]);
});

test.each([
  ['broken.json', '{ "rules": [ { "action": "secret" ', /not JSON or YAML: [a-z ]+ in line 1, column/],
  ['twice.json', '{ "rules": [], "rules": [] }', /duplicate key in line 1, column 16/],
  [
    'bomb.yaml',
    `a: &a [x]\nb: &b [${'*a,'.repeat(60)}]\nrules: [${'*b,'.repeat(60)}]`,
    /alias at most 100 times/,
  ],
  ['deep.json', '['.repeat(50_000), /not JSON or YAML/],
  ['other.json', '{ "hooks": {} }', /has fields that a rule file does not have: hooks/],
  ['text.yaml', 'secret', /must hold a list of rules/],
  ['latin.yaml', new Uint8Array([45, 32, 0xe9]), /is not in UTF-8/],
  ['large.yaml', ' '.repeat(4 * 1024 * 1024 + 1), /cannot be read: it has more than 4 MB \(too_large\)/],
  ['none.ts', 'export const rules = [];', /must hold a list of rules/],
])('%s is refused, and what it says is not told', async (name, content, message) => {
  const file = join(folderWith({ [name]: content }), name);
  const error = await loadRules(file).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'bad_definition', message: expect.stringMatching(message) });
  expect((error as Error).message).toContain(name);
  expect((error as Error).message).not.toContain('secret');
});

test('a module that breaks, and a file that is not there', async () => {
  const folder = folderWith({ 'broken.ts': 'export default [' });
  await expect(loadRules(join(folder, 'broken.ts'))).rejects.toMatchObject({
    code: 'bad_module',
    message: expect.stringMatching(/broken\.ts does not parse at 1:17/),
  });
  await expect(loadRules(join(folder, 'none.json'))).rejects.toMatchObject({
    code: 'bad_definition',
    message: expect.stringContaining('cannot be read: it is not there (ENOENT)'),
  });
});
