import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../src/program.ts';
import { projectFolder } from './project-folder.ts';
import { runCli, runCliApart } from './run-cli.ts';

interface Named {
  readonly name: string;
  readonly command: Command;
}

function commandsBelow(command: Command, path: readonly string[] = []): Named[] {
  return command.commands.flatMap((one) => {
    const own = [...path, one.name()];
    return [{ name: own.join(' '), command: one }, ...commandsBelow(one, own)];
  });
}

/** Whether it cannot run without an argument or an option. */
function needsMore({ command }: Named): boolean {
  return (
    command.registeredArguments.some(({ required }) => required) ||
    command.options.some((one) => one.mandatory)
  );
}

/** What `--help` prints, with what stands behind the options. */
function readHelp(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe('--help', { timeout: 60_000 }, () => {
  test.each(commandsBelow(createProgram()))(
    'of $name has examples, exit codes and the shape of --json',
    ({ command }) => {
      const text = readHelp(command);
      expect(text).toMatch(/^Examples?:\n {2}\$ /m);
      expect(text).toMatch(/^Exit code: 0/m);
      if (command.options.some(({ long }) => long === '--json')) expect(text).toMatch(/^With --json.*:/m);
    },
  );

  test.each(commandsBelow(createProgram()))('of $name fits a screen of 80 columns', async ({ name }) => {
    const env = { COLUMNS: '80' };
    const { code, stdout } = await runCli([...name.split(' '), '--help'], { env });
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^Examples?:\n {2}\$ /m);
    const whole = await runCli(['help', ...name.split(' ')], { env });
    const hasJson = commandsBelow(createProgram())
      .find((one) => one.name === name)
      ?.command.options.some(({ long }) => long === '--json');
    if (hasJson) {
      expect(stdout).toContain(`spec-hooks help ${name} has the rest, and the shape of --json.`);
      expect(stdout).not.toContain('With --json');
      expect(whole.stdout).toMatch(/^With --json.*:/m);
    }
  });

  test.each(commandsBelow(createProgram()).filter(needsMore))(
    'of $name is shown by an example where something is missing',
    async ({ name }) => {
      const { code, stderr } = await runCli(name.split(' '));
      expect(code).toBe(2);
      expect(stderr).toMatch(/^error: (missing required argument|required option)/);
      const [, example = ''] = /^Such as: spec-hooks (.+)$/m.exec(stderr) ?? [];
      const words = example.split(' ');
      const program = createProgram();
      let ran = false;
      for (const { command } of commandsBelow(program))
        command.action(() => {
          ran = true;
        });
      await program.parseAsync(words, { from: 'user' });
      expect([example.startsWith(`${name} `), ran]).toEqual([true, true]);
    },
  );

  test('of a command that there is not says so', async () => {
    for (const name of ['rum', 'run']) {
      const { code, stdout, stderr } = await runCli(['help', name]);
      if (name === 'run')
        expect([code, stdout.split('\n')[0], stderr]).toEqual([0, 'Usage: spec-hooks run [options]', '']);
      else expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', "error: unknown command 'rum'"]);
    }
  });

  test.each(['', 'replay', 'conform', 'log', 'log show', 'log follow', 'stats'])('of "%s"', async (name) => {
    const { code, stdout, stderr } = await runCliApart([...name.split(' ').filter(Boolean), '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatchSnapshot();
  });
});

const loud = `import { defineHook } from '@spec/hooks';
console.log('a module may log');
process.stdout.write('and write\\n');
export default defineHook({ hook: 'before_tool_call', id: 'loud', execute: async () => {
  process.stdout.write('a hook may write\\n');
  return null;
} });
`;

const conversation = {
  id: 'c1',
  messages: [
    { role: 'user', content: 'list' },
    {
      role: 'assistant',
      tool_calls: [{ id: 't1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 't1', content: 'a.txt' },
    { role: 'assistant', content: 'a.txt' },
  ],
};

describe('--json', { timeout: 60_000 }, () => {
  test.each([
    ['list'],
    ['status'],
    ['check'],
    ['explain', '--event', 'PreToolUse', '--input', 'call.json'],
    ['run', '--event', 'PreToolUse', '--input', 'call.json'],
    ['test'],
    ['replay', 'c.jsonl', '--hooks', 'hooks'],
    ['replay', '--hooks', 'hooks'],
  ])('nothing that hooks print gets into it: %s', async (...args) => {
    const { cli } = projectFolder({
      'hooks.config.ts': "console.log('a configuration may log');\nexport default { hooks: 'hooks' };\n",
      'hooks/loud.ts': loud,
      'call.json': { tool_name: 'ls', tool_input: {} },
      'c.jsonl': JSON.stringify(conversation),
    });
    const { stdout, stderr } = await cli([...args, '--json']);
    expect(stdout, stderr).toMatch(/^\{[\s\S]*\}\n$/);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
    expect(stderr).toContain('a module may log\nand write\n');
    if (!args.includes('--hooks')) expect(stderr).toContain('a configuration may log\n');
  });
});
