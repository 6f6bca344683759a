import { describe, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { runCli } from './run-cli.ts';

const handler = [{ hooks: [{ type: 'command', command: 'exit 2' }] }];
const files: Readonly<Record<string, object>> = {
  'claude.json': { disableAllHooks: true, hooks: { PreToolUse: handler } },
  'service.json': { dialect: 'service', hooks: { enabled: false, PreToolUse: handler } },
};
const says: Readonly<Record<string, string>> = {
  'claude.json': '"disableAllHooks": true switches the hooks of this file off: none is loaded.',
  'service.json': '"enabled": false switches the hooks of this file off: none is loaded.',
};
const input = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'ls' } });

const commands: Readonly<Record<string, readonly string[]>> = {
  run: ['--event', 'PreToolUse', '--input', 'input.json'],
  explain: ['--event', 'PreToolUse', '--input', 'input.json'],
  list: [],
  status: [],
};

describe('a settings file that is switched off', { timeout: 60_000 }, () => {
  for (const [file, content] of Object.entries(files)) {
    test.each(Object.entries(commands))(`${file} is told of by %s`, async (command, args) => {
      const project = projectFolder({ [file]: JSON.stringify(content), 'input.json': input });
      const told = await project.cli([command, ...args, '--config', file]);
      expect(told.stderr).toContain(says[file]);
      const { stdout } = await project.cli([command, ...args, '--config', file, '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ switchedOff: [{ file, message: says[file] }] });
    });
  }

  test('by a variable is told of with its name', async () => {
    const project = projectFolder({
      'service.json': JSON.stringify({ dialect: 'service', hooks: { PreToolUse: handler } }),
      'input.json': input,
    });
    const run = ['run', ...(commands.run ?? []), '--config', 'service.json', '--trust'];
    const env = { HOME: project.path, HOOKS_ENABLED: '0' };
    expect(await runCli(run, { cwd: project.path, env })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('HOOKS_ENABLED switches the hooks of this file off: none is loaded.'),
    });
  });
});

test('an entry that can never be asked is told of by run, explain and list', {
  timeout: 60_000,
}, async () => {
  const hooks = [{ type: 'http', url: 'https://example.invalid/guard' }];
  const project = projectFolder({
    'claude.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }),
    'input.json': input,
  });
  for (const command of ['run', 'explain', 'list']) {
    const { stderr } = await project.cli([
      command,
      ...(commands[command] ?? []),
      '--config',
      'claude.json',
      '--trust',
    ]);
    expect(stderr).toContain('the host example.invalid may not be asked: name it in allowedHosts');
  }
});
