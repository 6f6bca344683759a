import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineHook } from '@spec/hooks';
import { afterEach, describe, expect, test } from 'vitest';
import { lines, onBothStores, thrownBy } from '../../test/kit.ts';
import { defineTool } from '../index.ts';
import { skillLoader } from './index.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'skills-test-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const skillFile = (name: string, body = 'Be careful.'): string =>
  `---\nname: ${name}\ndescription: Works with care\n---\n\n${body}\n`;

const hookFile = `import { defineHook } from '@spec/hooks';
export default defineHook({
  hook: 'before_tool_call',
  id: 'no_acting',
  match: 'act',
  execute: async (_) => ({ decision: 'deny', reason: 'Not with this skill.' }),
});`;

const load = async (folder: string, path: string): Promise<unknown> => skillLoader({ folder })(path);

describe('a folder of skills', () => {
  test('the text under the fields is the instructions, the modules in hooks are the hooks', async () => {
    const folder = folderWith({ 'careful/SKILL.md': skillFile('careful'), 'careful/hooks/no.ts': hookFile });
    const skill = await skillLoader({ folder })('careful');
    expect(skill).toMatchObject({ name: 'careful', instructions: 'Be careful.' });
    expect(skill.hooks.map(({ id }) => id)).toEqual(['no_acting']);
  });

  test('no hooks, nested, Windows line ends, a URL', async () => {
    const text = skillFile('deep', 'Dig.').replaceAll('\n', '\r\n');
    const folder = folderWith({ 'a/b/SKILL.md': text });
    const skill = await skillLoader({ folder: pathToFileURL(`${folder}/`) })('a/b');
    expect(skill).toEqual({ name: 'deep', instructions: 'Dig.', hooks: [] });
  });

  test.for([
    '# ---------------- guards ----------------',
    'description: Look before you leap ---',
    'note: |\n  before\n  ---\n  after',
    'mark: "---"\nend: x---',
  ])('only a line of its own ends the fields: %j', async (line) => {
    const folder = folderWith({ 'a/SKILL.md': `---\nname: ruled\n${line}\nrules: [rm]\n---\nWork.\n` });
    const read: unknown[] = [];
    const hooksOf = ({ fields }: { fields: Readonly<Record<string, unknown>> }): [] => {
      read.push(fields.rules);
      return [];
    };
    const loader = skillLoader({ folder, hooksOf });
    expect(await loader('a')).toMatchObject({ name: 'ruled', instructions: 'Work.' });
    expect(read).toEqual([['rm']]);
  });

  test('a skill is read once, one that could not be read again', async () => {
    const folder = folderWith({ 'careful/SKILL.md': '---\n---\n' });
    const loader = skillLoader({ folder });
    await expect(loader('careful')).rejects.toMatchObject({ code: 'bad_definition' });
    writeFileSync(join(folder, 'careful/SKILL.md'), skillFile('careful'));
    const [one, two] = await Promise.all([loader('careful'), loader('./careful/')]);
    expect(one).toBe(two);
  });

  test('other fields can be made into hooks', async () => {
    const folder = folderWith({ 'ruled/SKILL.md': '---\nname: ruled\nrules: [rm]\n---\n' });
    const loader = skillLoader({
      folder,
      hooksOf: ({ name, fields }) => [
        defineHook({
          hook: 'before_tool_call',
          id: `${name}_${(fields.rules as string[])[0]}`,
          execute: async (_) => ({ decision: 'deny' }),
        }),
      ],
    });
    expect((await loader('ruled')).hooks.map(({ id }) => id)).toEqual(['ruled_rm']);
  });
});

describe('what is refused', () => {
  test.for(['hooks', 'rules'])('%s of which nobody makes hooks', async (field) => {
    const folder = folderWith({ 'ruled/SKILL.md': `---\nname: ruled\n${field}: [rm]\n---\n` });
    await expect(skillLoader({ folder })('ruled')).rejects.toMatchObject({
      code: 'bad_definition',
      message: `SKILL.md of the skill "ruled" has ${field}, of which nothing here makes hooks. Give skillLoader the option hooksOf, such as skillRules() of @spec/rules.`,
    });
  });

  test.for([
    ['Hooks', 'hooks'],
    ['RULES', 'rules'],
    ['hook', 'hooks'],
    ['" rules "', 'rules'],
  ])('%s, which nobody would read', async ([written, meant]) => {
    const folder = folderWith({ 'ruled/SKILL.md': `---\nname: ruled\n${written}: [rm]\n---\n` });
    await expect(skillLoader({ folder, hooksOf: () => [] })('ruled')).rejects.toMatchObject({
      code: 'bad_definition',
      message: expect.stringMatching(
        new RegExp(`has a field ${written?.replaceAll('"', '')}, .* Write ${meant}\\.$`),
      ),
    });
  });

  test.for(['SKILL.md', 'hooks'])('a %s that is a link out of the folder', async (name) => {
    const outside = folderWith({ 'SKILL.md': skillFile('out'), 'hooks/no.ts': hookFile });
    const folder = folderWith({ [name === 'hooks' ? 'a/SKILL.md' : 'a/other.md']: skillFile('in') });
    symlinkSync(join(outside, name), join(folder, 'a', name));
    await expect(load(folder, 'a')).rejects.toMatchObject({
      code: 'bad_option',
      message: `The ${name} of the skill "a" is not inside the folder of skills, ${folder}.`,
    });
  });

  test('a SKILL.md and hooks that are links within the folder count', async () => {
    const folder = folderWith({ 'shared/S.md': skillFile('in'), 'shared/hooks/no.ts': hookFile, 'a/x': '' });
    symlinkSync('../shared/S.md', join(folder, 'a', 'SKILL.md'));
    symlinkSync('../shared/hooks', join(folder, 'a', 'hooks'));
    expect((await skillLoader({ folder })('a')).hooks.map(({ id }) => id)).toEqual(['no_acting']);
  });

  test('paths that lead out of the folder, by dots, from the root or through links', async () => {
    const outside = folderWith({ 'bad/SKILL.md': skillFile('bad') });
    const folder = folderWith({ 'careful/SKILL.md': skillFile('careful') });
    symlinkSync(join(outside, 'bad'), join(folder, 'linked'));
    for (const path of ['..', '.', '', 'linked', `../${outside.split('/').at(-1)}/bad`, join(outside, 'bad')])
      await expect(load(folder, path), path).rejects.toMatchObject({ code: 'bad_option' });
  });

  test.each([
    ['no fields', 'Be careful.', /must begin with its fields/],
    ['no name', '---\ndescription: x\n---\n', /needs a field name/],
    ['a name with capitals', '---\nname: Careful\n---\n', /needs a field name/],
    ['no YAML', '---\nname: [secret\n---\n', /has fields that are no YAML/],
    ['a list', '---\n- name\n---\n', /no map of names/],
  ])('%s', async (_name, text, message) => {
    const folder = folderWith({ 'careful/SKILL.md': text });
    const error = await thrownBy(load(folder, 'careful'));
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('secret');
    expect(error).toMatchObject({ code: 'bad_definition' });
  });

  test('a folder without SKILL.md, and one that is not there', async () => {
    const folder = folderWith({ 'empty/README.md': '' });
    await expect(load(folder, 'empty')).rejects.toMatchObject({ code: 'bad_definition' });
    await expect(load(folder, 'nowhere')).rejects.toMatchObject({ code: 'bad_option' });
  });
});

onBothStores('a skill from a folder, in a thread', async (kit) => {
  const folder = folderWith({ 'careful/SKILL.md': skillFile('careful'), 'careful/hooks/no.ts': hookFile });
  const { thread } = await kit.thread({
    skills: skillLoader({ folder }),
    tools: [defineTool({ name: 'act', execute: () => 'acted' })],
    script: [{ toolCalls: [{ name: 'act' }] }, 'ok'],
  });
  expect(await thread.startSkill('careful')).toBe('careful');
  await thread.send('Go');
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'user: Be careful.', 'assistant: null'],
    ...['tool: This tool call was denied by no_acting. Not with this skill.', 'assistant: ok'],
  ]);
});
