import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProcessAgents } from '@spec/agents';
import { pickShare } from '@spec/test-helpers';
import { expect, test } from 'vitest';
import { type ProjectFolder, projectFolder } from './project-folder.ts';
import { cliEnv } from './run-cli.ts';

const guard = `import { defineHook } from '@spec/hooks';
export default defineHook({
  hook: 'before_tool_call',
  id: 'no_rm',
  match: 'Bash(rm:*)',
  execute: async () => ({ decision: 'deny', reason: 'Nothing is removed here.' }),
});
`;
/** Leaves a mark where it is imported. */
const trap = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL(import.meta.url.includes('/hooks/') ? '../imported' : './imported', import.meta.url), '');
`;
const project = {
  'hooks.config.mjs': `${trap}export default { policies: 'hooks' };`,
  'hooks/no_rm.mjs': `${trap}${guard}`,
  'home/.keep': '',
};

interface Seen {
  readonly prompt: string;
  /** Why each call was denied; `null` where it was not. */
  readonly denied: readonly (string | null)[];
}

/** What an agent sees that loads the file in a process of its own: a prompt, `ls` and `rm x`. */
function runAgent(folder: ProjectFolder, agent: string, file: string): Seen {
  const program = join(import.meta.dirname, 'in-agent-process.mjs');
  const args = [program, agent, join(folder.path, file), 'ls', 'rm x'];
  const env = { ...cliEnv(), HOME: join(folder.path, 'home'), XDG_STATE_HOME: '' };
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder.path, env, encoding: 'utf8' }));
}

const broken = expect.stringContaining('Nobody has judged this');
const each = inProcessAgents.map((agent) => [agent.name, agent.files] as const);

test.for(pickShare(each, each.length))(
  '%s loads the hooks of a project that a person trusts, and is denied what they guard when it cannot',
  { timeout: 60_000 },
  async ([agent, files]) => {
    const folder = projectFolder(project);
    const installed = await folder.cli(['install', agent, '--yes']);
    expect(installed).toMatchObject({ code: 1, stderr: '' });
    expect(installed.stdout).toContain('does not run before it is: spec-hooks trust hooks.config.mjs');
    const untrusted = runAgent(folder, agent, files.project);
    expect(untrusted.denied).toEqual([null, null]);
    expect(untrusted.prompt).toContain('nobody on this machine has trusted their code');
    expect(folder.has('imported')).toBe(false);

    await folder.cli(['trust', 'hooks.config.mjs', '--yes']);
    const denied = 'This tool call was denied by no_rm. Nothing is removed here.';
    expect(runAgent(folder, agent, files.project)).toEqual({ prompt: 'hello', denied: [null, denied] });
    expect(folder.has('imported')).toBe(true);
    expect((await folder.cli(['agents'])).code).toBe(0);
    const { runs } = await folder.json<{ runs: Record<string, unknown>[] }>(['log']);
    expect(runs.map(({ threadId, id, outcome }) => [threadId, id, outcome])).toEqual([
      [`${agent}:s1`, 'no_rm', 'skipped'],
      [`${agent}:s1`, 'no_rm', 'denied'],
    ]);

    expect((await folder.cli(['install', agent, '--yes'])).stdout).toContain('are installed already');
    expect(folder.read(files.project)).not.toContain(folder.path);
    const local = join(folder.path, '.spec-hooks/local');
    const text = readFileSync(local, 'utf8');
    writeFileSync(local, text.replace(/^CLI=.*$/m, "CLI='/nowhere/main.mjs'"));
    expect(runAgent(folder, agent, files.project)).toEqual({ prompt: 'hello', denied: [broken, broken] });
    writeFileSync(local, text);
    folder.write('hooks/no_rm.mjs', `${guard}// changed`);
    expect(runAgent(folder, agent, files.project).denied).toEqual([
      expect.stringContaining('has changed since it was trusted'),
      broken,
    ]);
    expect((await folder.cli(['uninstall', '--yes'])).code).toBe(0);
    expect([folder.has(files.project), folder.has('.spec-hooks')]).toEqual([false, false]);
  },
);

test('a file of somebody else is not changed, and a hook that the agent never runs is refused', async () => {
  const own = 'export const server = async () => ({});';
  const folder = projectFolder({ ...project, '.opencode/plugins/spec-hooks.js': own });
  const { code, stderr } = await folder.cli(['install', 'opencode', '--yes']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('spec-hooks has not made it'),
  });
  expect(folder.read('.opencode/plugins/spec-hooks.js')).toBe(own);
  folder.write(
    'hooks/no_rm.mjs',
    guard.replace("'before_tool_call'", "'filter_messages'").replace(/ {2}match.*\n/, ''),
  );
  await folder.cli(['trust', 'hooks.config.mjs', '--yes']);
  const refused = await folder.cli(['install', 'pi', '--yes']);
  expect(refused.stderr).toContain(
    'no_rm (filter_messages) never runs: its messages have a form of their own',
  );
  expect([folder.has('.pi'), folder.has('.spec-hooks')]).toEqual([false, false]);
});
