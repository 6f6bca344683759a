import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { allAgents } from '@spec/agents';
import { expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { cliEnv } from './run-cli.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/agents.md'), 'utf8');

const files = Object.fromEntries(
  Array.from(guide.matchAll(/```ts file=(\S+).*\n([\s\S]*?)```/g), ([, file = '', text = '']) => [
    file,
    text,
  ]),
);
const [, commands = ''] = /```sh no-run\n([\s\S]*?)```/.exec(guide) ?? [];

test('the guide "One guard in five agents" can be typed as it stands', { timeout: 120_000 }, async () => {
  const folder = projectFolder({
    ...files,
    // What "npm install" would bring.
    'package.json': { type: 'module' },
    'home/.keep': '',
  });
  const answers: Record<string, number | null> = {};
  const typed = commands.trim().split('\n');
  expect(typed.length).toBeGreaterThan(5);
  for (const line of typed) {
    const [npx, program, ...args] = line.split(' ');
    expect([npx, program]).toEqual(['npx', 'spec-hooks']);
    const yes = args[0] === 'agents' ? [] : ['--yes'];
    answers[args.join(' ')] = (await folder.cli([...args, ...yes])).code;
  }
  const installed = typed.flatMap((line) => /install (\S+)/.exec(line)?.[1] ?? []);
  expect(installed).toHaveLength(5);
  // No agent has told of anything yet, and "agents" says so.
  expect(Object.entries(answers).filter(([, code]) => code !== 0)).toEqual([['agents', 1]]);
  for (const name of installed)
    expect(await denyForcedPush(folder.path, name), name).toContain('open a pull request');
});

/** What an agent answers to a forced push, from what was installed in it. */
async function denyForcedPush(folder: string, name: string): Promise<string> {
  const agent = allAgents.find((one) => one.name === name);
  const file = join(folder, agent?.files.project ?? '');
  const command = 'git push origin main --force';
  const env = { ...cliEnv(), HOME: join(folder, 'home'), XDG_STATE_HOME: '' };
  const run = { cwd: folder, env, encoding: 'utf8' } as const;
  if (agent === undefined || !('events' in agent))
    return execFileSync(
      process.execPath,
      [join(import.meta.dirname, 'in-agent-process.mjs'), name, file, command],
      run,
    );
  mkdirSync(dirname(file), { recursive: true });
  const [event, tool] = name === 'gemini' ? ['BeforeTool', 'run_shell_command'] : ['PreToolUse', 'Bash'];
  const { hooks } = JSON.parse(readFileSync(file, 'utf8'));
  const input = JSON.stringify({ session_id: 's1', tool_name: tool, tool_input: { command } });
  return execFileSync('/bin/sh', ['-c', hooks[event as string].at(-1).hooks[0].command], { ...run, input });
}
