import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../src/program.ts';
import { projectFolder } from './project-folder.ts';

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

describe('spec-hooks completion', { timeout: 60_000 }, () => {
  test('bash completes commands, options and their values, and files elsewhere', async () => {
    const project = projectFolder();
    const { code, stdout } = await project.cli(['completion', 'bash']);
    expect(code).toBe(0);
    const script = join(project.path, 'try.bash');
    writeFileSync(
      script,
      `${stdout}
try() { COMP_WORDS=(spec-hooks "$@"); COMP_CWORD=$#; _spec_hooks; echo "\${COMPREPLY[*]}"; }
try ''; try ch; try doctor --st; try convert x --to s; try completion ''; try replay ''; try check --config ''
`,
    );
    const lines = execFileSync('bash', [script], { encoding: 'utf8' }).split('\n');
    const names = createProgram().commands.flatMap((command) => [command.name(), ...command.aliases()]);
    expect(lines[0]?.split(' ')).toEqual(names);
    expect(lines.slice(1)).toEqual(['check', '--strict', 'settings service', 'bash zsh fish', '', '', '']);
  });

  test.each(['zsh', 'fish'])('%s: every command is in the script, and the shell reads it', async (shell) => {
    const project = projectFolder();
    const { stdout } = await project.cli(['completion', shell]);
    for (const command of createProgram().commands)
      expect(stdout).toContain(command.description().replaceAll("'", '_').slice(0, 20));
    if (!isThere(shell)) return console.log(`${shell} is not installed: its script was not read by it`);
    const script = join(project.path, 'script');
    writeFileSync(script, stdout);
    expect(spawnSync(shell, ['-n', script]).status).toBe(0);
  });

  test('says how it is used, and which shells there are', async () => {
    const project = projectFolder();
    expect((await project.cli(['completion', '--help'])).stdout).toMatchSnapshot();
    expect(await project.cli(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Allowed choices are bash, zsh, fish'),
    });
  });
});
