import { describe, expect, test } from 'vitest';
import { type ProjectFolder, projectFolder } from './project-folder.ts';

const rule = '{ "id": "no_rm", "matcher": "Bash", "action": "deny" }';
const call = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'rm -rf /' } });
const config = (fields: string): string => `export default ${fields};\n`;
/** As somebody runs them who looks for a mistake in the configuration. */
const failing = async (project: ProjectFolder, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await project.cli(args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^spec-hooks: .*\n$/s);
  return stderr.slice('spec-hooks: '.length, -1);
};

describe('files for --config', { timeout: 60_000 }, () => {
  test.each([
    ['a byte order mark', `\uFEFF{ "rules": [${rule}] }`],
    ['a comma too many', `{ "rules": [${rule},], }`],
    ['comments of an editor', `// none\n{ /* none */ "rules": [${rule}] }`],
    ['comments', `{ # none\n "rules": [${rule}] }`],
    ['a list, with a comma too many', `[${rule},]`],
  ])('a rule file with %s guards', async (_, text) => {
    const project = projectFolder({ 'rules.json': text });
    const run = ['run', '--config', 'rules.json', '--event', 'PreToolUse', '--input', '-', '--json'];
    const { code, stdout, stderr } = await project.cli(run, call);
    expect(stderr).toBe('');
    expect([code, JSON.parse(stdout)]).toMatchObject([3, { decision: 'deny', runs: [{ id: 'no_rm' }, {}] }]);
  });

  test('settings with comments are settings', async () => {
    const entry = '{ "hooks": [{ "type": "command", "command": "true" }] }';
    const project = projectFolder({
      's.json': `\uFEFF{ // none\n "hooks": { "PreToolUse": [${entry},] } }`,
      'flat.json': { PreToolUse: [{ command: 'true' }] },
    });
    const { hooks } = await project.json<{ hooks: { source: string }[] }>([
      'list',
      '--config',
      's.json',
      'flat.json',
    ]);
    expect(hooks.map(({ source }) => source)).toEqual(['s.json:2', 'flat.json:3']);
  });

  test.each([
    ['{ "rule": [] }', 'x.json has neither hooks nor rules, but "rule". Did you mean "rules"?'],
    ['{ "Hooks": {} } // mine', 'x.json has neither hooks nor rules, but "Hooks". Did you mean "hooks"?'],
    ['{}', 'x.json has neither hooks nor rules, it is empty: --config takes settings files, {'],
    ['{ "triggers": [] }', 'but "triggers": --config takes settings files, {'],
    ['{ "triggers": [] }', '; files of triggers are named in hooks.config.ts.'],
    ['{ "Stop": [{ "hooks": [] }] }', 'but "Stop": put it into "hooks", as { "hooks": { "Stop": [ … ] } }.'],
  ])('%s is refused', async (text, sentence) => {
    const project = projectFolder({ 'x.json': text });
    const run = ['run', '--config', 'x.json', '--event', 'PreToolUse', '--input', '-'];
    expect((await project.cli(run, call)).stderr).toContain(sentence);
    expect(await project.json(['check', '--config', 'x.json'])).toMatchObject({
      code: 1,
      findings: [{ level: 'error', file: 'x.json', message: expect.stringContaining(sentence) }],
    });
  });

  test('settings without hooks that nobody named by an option are fine', async () => {
    const usual = projectFolder({ '.claude/settings.json': { model: 'x' } });
    expect((await usual.cli(['list'])).code).toBe(0);
    const named = projectFolder({
      'hooks.config.ts': config(`{ settings: ['s.json'] }`),
      's.json': { model: 'x' },
    });
    expect(await named.json(['check'])).toMatchObject({ code: 0, findings: [{ code: 'no_hooks' }] });
  });

  test('one that is wrong takes no other along', async () => {
    const project = projectFolder({
      'good.json': `{ "rules": [${rule}] }`,
      'bad.yaml': 'rules:\n\t- action: deny\n',
      'none.json': {},
    });
    const args = ['list', '--config', 'good.json', '--config', 'bad.yaml', '--config', 'none.json'];
    expect(await project.json(args)).toMatchObject({
      code: 1,
      hooks: [{ id: 'no_rm' }],
      problems: [{ file: 'none.json' }, { file: 'bad.yaml', part: 'rules' }],
    });
  });
});

describe('hooks.config.ts', { timeout: 60_000 }, () => {
  test.each([
    ['{ hooks: 5 }', '"hooks" must be a path, or a list of paths, not a number.'],
    ['{ hooks: "" }', '"hooks" must be a path, not an empty text.'],
    ['{ rules: { a: 1 } }', '"rules" must be a path, or a list of paths, not an object.'],
    ['{ triggers: [null] }', '"triggers[0]" must be a path, not null.'],
    ['{ settings: "x.json" }', '"settings" must be a list of settings files, not a text.'],
    ['{ settings: [5] }', '"settings[0]" must be a path, or { file: a path }, not a number.'],
    ['{ settings: [{ file: 5 }] }', '"settings[0].file" must be a path, not a number.'],
    [
      '{ settings: [{ file: "x", layr: "user" }] }',
      'has a field "layr" that "settings[0]" does not have. Did you mean "layer"?',
    ],
    [
      '{ policies: [5] }',
      '"policies[0]" must be the path of a folder, or a hook that defineHook made, not a number.',
    ],
    ['{ tools: "Bash" }', '"tools" must be a list of names of tools, not a text.'],
    ['{ agents: "x" }', '"agents" must be a list of agents and prompts, { name, hooks }, not a text.'],
    ['{ agents: [null] }', '"agents[0]" must be { name, hooks }, not null.'],
    [
      '{ agents: [{ name: "x", hooks: "y" }] }',
      '"agents[0].hooks" must be a list of ids of hooks, not a text.',
    ],
    [
      '{ harden: "block" }',
      '"harden" must be { onTimeout, onExit, onLaunchError, onInvalidOutput }, not a text.',
    ],
    [
      '{ harden: { onTimout: "block" } }',
      'has a field "onTimout" that "harden" does not have. Did you mean "onTimeout"?',
    ],
    [
      '{ harden: { onTimeout: "blok" } }',
      '"harden.onTimeout" must be one of continue, ask, block. Did you mean "block"?',
    ],
    ['{ harden: { onTimeout: 5 } }', '"harden.onTimeout" must be one of continue, ask, block, not a number.'],
    ['{ store: [] }', '"store" must be a path, not a list.'],
    ['{ setings: [] }', 'has a field "setings" that a configuration does not have. Did you mean "settings"?'],
    ['() => ({})', 'must export an object as its default'],
  ])('%s is refused', async (written, sentence) => {
    const said = await failing(projectFolder({ 'hooks.config.ts': config(written) }), 'list');
    expect(said).toMatch(/^hooks\.config\.ts\b/);
    expect(said).toContain(sentence);
  });

  test('tells everything that is wrong', async () => {
    const project = projectFolder({ 'hooks.config.ts': config('{ hooks: 5, tools: {}, x: 1 }') });
    expect((await failing(project, 'list')).split('\n')).toHaveLength(3);
  });

  test('may hold all that its type allows', async () => {
    const written = `import { defineConfig } from '@spec/cli';
      import { defineHook } from '@spec/hooks';
      const hook = defineHook({ hook: 'before_tool_call', id: 'own', execute: async () => null });
      export default defineConfig({
        hooks: [], policies: [hook], settings: ['s.json', { file: new URL('./t.json', import.meta.url), layer: 'user', dialect: 'claude' }],
        rules: [], triggers: [], store: 's.db', tools: ['Bash'], agents: [{ name: 'a' }, { name: 'b', hooks: [] }],
        harden: { onTimeout: 'block', onExit: undefined }, trust: 'trust.json',
      });`;
    const { code, hooks } = await projectFolder({ 'hooks.config.ts': written }).json<{ hooks: object[] }>([
      'list',
    ]);
    expect([code, hooks]).toMatchObject([0, [{ id: 'own' }]]);
  });

  test.each([
    ['does not parse', 'export default {\n  hooks: [,\n', /^hooks\.config\.ts does not parse at 3:1: .+\.$/],
    [
      'imports what is not there',
      "import 'not-there';\nexport default {};",
      /^hooks\.config\.ts imports "not-there", which is not installed: npm install not-there\.$/,
    ],
    ['is no text', '\u0000\u0001PNG\u0000', /^hooks\.config\.ts does not parse at 1:1: .+\.$/],
    [
      'throws',
      "throw new TypeError('sk-secret');",
      /^hooks\.config\.ts throws when it is imported: TypeError at .*hooks\.config\.ts:1\.$/,
    ],
  ])('that %s is told with its place, and why on --debug', async (_, text, sentence) => {
    const project = projectFolder({ 'hooks.config.ts': text });
    expect(await failing(project, 'list')).toMatch(sentence);
    const { stderr } = await project.cli(['--debug', 'list']);
    expect(stderr).toMatch(/\nCaused by: \w*Error: /);
  });

  test('triggers that are wrong are told with their file', async () => {
    const project = projectFolder({
      'hooks.config.ts': config(`{ triggers: ['good.json', 'bad.json'] }`),
      'good.json': '\uFEFF{ "triggers": [{ "id": "red", "message": "Mend them." }] }',
      'bad.json': { triggers: [{ id: 'Red', message: 'x' }] },
    });
    expect(await failing(project, 'test')).toMatch(
      /^bad\.json: The triggers cannot be loaded\.\n- triggers\.0\.id: /,
    );
  });
});
