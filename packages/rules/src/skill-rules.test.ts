import { createRuntime, defineAgent, definePrompt, defineTool, memoryStore } from '@spec/runtime';
import { skillLoader } from '@spec/runtime/skills';
import { scriptedModel } from '@spec/runtime/testing';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith } from '../test/temporary-folder.ts';
import { skillRules } from './skill-rules.ts';

const skillFile = (rules: string): string => `---\nname: careful-writer\n${rules}---\n\nBe careful.\n`;

const RULES = `rules:
  - id: no_bash
    matcher: ^bash$
    action: deny
    reason: Not with this skill.
  - action: script
    event: UserPromptSubmit
    script: "return { context: 'Careful with ' + prompt };"
`;

const HOOKS = `hooks:
  PreToolUse:
    - id: no_bash
      matcher: ^bash$
      action: deny
      reason: Not with this skill.
  UserPromptSubmit:
    - action: script
      script: "return { context: 'Careful with ' + prompt };"
`;

test.for([
  ['rules', RULES, 'rules[0]'],
  ['hooks', HOOKS, 'hooks.PreToolUse[0]'],
] as const)('%s run from the start of the skill to the end of its session', async ([, fields, place]) => {
  const folder = folderWith({ 'careful/SKILL.md': skillFile(fields) });
  const bash = { toolCalls: [{ name: 'bash' }] };
  const runtime = createRuntime({
    store: memoryStore(),
    skills: skillLoader({ folder, hooksOf: skillRules() }),
    models: { scripted: scriptedModel([bash, 'ok', bash, 'ok', bash, 'ok']) },
    tools: [defineTool({ name: 'bash', execute: () => 'bash ran' })],
    prompts: [definePrompt({ name: 'worker', tools: ['bash'] })],
    agents: [defineAgent({ name: 'worker', prompt: 'worker' })],
  });
  onTestFinished(() => runtime.close());
  const thread = await runtime.createThread({ agent: 'worker' });
  await thread.send('one');
  await thread.startSkill('careful');
  await thread.send('two');
  await thread.close();
  const again = await runtime.openThread(thread.id);
  await again.send('three');
  const lines = (await again.messages()).map(({ role, content }) => `${role}: ${content}`);
  expect(lines.filter((line) => line.startsWith('tool'))).toEqual([
    'tool: bash ran',
    expect.stringContaining('Not with this skill.'),
    'tool: bash ran',
  ]);
  expect(lines.filter((line) => line.includes('Careful with'))).toEqual([
    expect.stringContaining('Careful with two'),
  ]);
  const [run] = await again.runs({ id: 'no_bash' });
  expect(run).toMatchObject({
    outcome: 'denied',
    source: `skill:careful-writer (SKILL.md of the skill "careful-writer", ${place})`,
  });
});

test('what is wrong with them is told with the skill and the rule', async () => {
  const folder = folderWith({
    'careful/SKILL.md': skillFile("rules:\n  - action: deny\n  - action: deny\n    matcher: '('\n"),
    'one/SKILL.md': skillFile('rules: { action: log }\n'),
    'none/SKILL.md': skillFile(''),
  });
  const load = skillLoader({ folder, hooksOf: skillRules() });
  await expect(load('careful')).rejects.toMatchObject({
    code: 'bad_definition',
    message: expect.stringContaining(
      'SKILL.md of the skill "careful-writer", rules[1], rule rule_2: matcher: /(/',
    ),
  });
  expect((await load('one')).hooks.map(({ id }) => id)).toEqual(['skill_careful_writer_pre_tool_use']);
  expect((await load('none')).hooks).toEqual([]);
});

test.for([
  [
    'hooks:\n  PreToolUse:\n    - hooks: [{ type: command, command: exit 2 }]\n',
    /hooks\.PreToolUse\[0\] has no "action"\. Hooks of a skill are rules/,
  ],
  ['hooks:\n  PreToolUse:\n    - command: exit 2\n', /put a command into a settings file/],
  ['hooks: [x]\n', /hooks must hold a list of rules for each event/],
  ['hooks: { PreToolUse: x }\n', /hooks must hold a list of rules for each event/],
  ['hooks: { PreTolUse: [{ action: deny }] }\n', /hooks\.PreTolUse\[0\].*event must be one of PreToolUse/],
] as const)('hooks that cannot hold are refused: %j', async ([fields, message]) => {
  const loader = skillLoader({
    folder: folderWith({ 'careful/SKILL.md': skillFile(fields) }),
    hooksOf: skillRules(),
  });
  await expect(loader('careful')).rejects.toMatchObject({
    code: 'bad_definition',
    message: expect.stringMatching(message),
  });
});
