import { chownSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pickShare } from '@spec/test-helpers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startCli } from './run-cli.ts';
import { type AgentSaid, type WarmProject, warmProject } from './warm-project.ts';

const BROKEN = /"deny".*Nobody has judged this/;
const nothing: AgentSaid = { stdout: '', stderr: '', code: 0 };

/** Says which process judged. A command `wait` stays until the file `go` is there, and `exit` ends the process. */
const guard = (word = 'Nothing is removed here'): string => `import { defineHook } from '@spec/hooks';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
appendFileSync('loaded', 'x');
export default [
  defineHook({ hook: 'before_tool_call', id: 'no_rm', match: 'Bash', timeout: '20s', execute: async (_, call) => {
    console.log('looking');
    const command = String(call.input.command);
    if (command === 'exit') process.exit(0);
    if (command === 'wait') {
      writeFileSync('waits', '');
      while (!existsSync('go')) await setTimeout(20);
    }
    return command.startsWith('rm') ? { decision: 'deny', reason: '${word}, says ' + process.pid + '.' } : null;
  } }),
  defineHook({ hook: 'after_tool_call_success', id: 'sees', execute: async () => {
    writeFileSync('sees', '');
    while (!existsSync('go')) await setTimeout(20);
  } }),
];
`;

const cases: Readonly<Record<string, (project: WarmProject) => Promise<void>>> = {
  'the first events start one daemon, however many come at once': async ({ tell, daemons }) => {
    const first = await Promise.all(Array.from({ length: 4 }, () => tell({ command: 'rm x' })));
    for (const said of first) expect(said.stdout).toContain('Nothing is removed here');
    await vi.waitUntil(async () => {
      const said = await tell({ command: 'rm x' });
      return daemons().length === 1 && said.stdout.includes(`says ${daemons()[0]}.`);
    }, 20_000);
  },

  'sessions of two agents that tell at once are answered each by itself': async ({ tell, warmUp, json }) => {
    const daemon = await warmUp();
    const told = Array.from({ length: 12 }, (_, at) => ({
      agent: at % 2 === 0 ? ('codex' as const) : ('claude-code' as const),
      session: `s${at % 3}`,
      command: at % 4 === 0 ? 'ls' : 'rm x',
    }));
    const said = await Promise.all(told.map(tell));
    told.forEach(({ command }, at) => {
      if (command === 'ls') expect(said[at]).toEqual(nothing);
      else expect(said[at]?.stdout).toContain(`says ${daemon}.`);
    });
    const { runs } = await json<{ runs: { threadId: string; outcome: string }[] }>(['log']);
    expect(runs.filter(({ outcome }) => outcome === 'denied')).toHaveLength(9);
    expect(new Set(runs.map(({ threadId }) => threadId)).size).toBe(6);
  },

  'killed in the middle, it denies what a guard was asked, and nothing else': async (project) => {
    const { tell, warmUp, daemons, has } = project;
    const daemon = await warmUp();
    const judged = tell({ command: 'wait' });
    const seen = tell({ event: 'PostToolUse' });
    await vi.waitUntil(() => has('waits') && has('sees'), 20_000);
    process.kill(daemon, 'SIGKILL');
    expect((await judged).stdout).toMatch(BROKEN);
    expect(await seen).toEqual(nothing);
    // Its socket is still there, and leads nowhere.
    expect(existsSync(project.socket)).toBe(true);
    expect((await tell({ command: 'rm x' })).stdout).toContain('Nothing is removed here');
    await vi.waitUntil(() => daemons().some((pid) => pid !== daemon), 20_000);
  },

  'hung, it is given up and its place taken': async (project) => {
    const { tell, warmUp, daemons, read, write } = project;
    const daemon = await warmUp();
    write('.spec-hooks/hook', read('.spec-hooks/hook').replace('-m 28', '-m 1'));
    process.kill(daemon, 'SIGSTOP');
    onTestFinished(() => void (daemons().includes(daemon) && process.kill(daemon, 'SIGKILL')));
    expect((await tell()).stdout).toMatch(BROKEN);
    expect((await tell({ command: 'rm x' })).stdout).not.toContain(`says ${daemon}.`);
    await vi.waitUntil(() => daemons().length === 2 && existsSync(project.socket), 20_000);
    process.kill(daemon, 'SIGCONT');
    write('.spec-hooks/other', ''); // What it would hear within a minute.
    await vi.waitUntil(() => !daemons().includes(daemon), 20_000);
    expect(existsSync(project.socket)).toBe(true);
  },

  'a guard that ends its process denies, and the next event is answered': async ({ tell, warmUp }) => {
    const daemon = await warmUp();
    expect((await tell({ command: 'exit' })).stdout).toMatch(BROKEN);
    expect((await tell({ command: 'rm x' })).stdout).toContain(`says ${daemon}.`);
  },

  'a module that changes is loaded anew once it is trusted, and not before': async (project) => {
    const { tell, warmUp, cli, read, write } = project;
    const daemon = await warmUp();
    await tell();
    const loaded = read('loaded').length;
    await tell({ command: 'rm x' });
    expect(read('loaded')).toHaveLength(loaded);
    write('hooks/guard.mjs', guard('Nothing goes'));
    const changed = await Promise.all([tell(), tell({ agent: 'claude-code' })]);
    for (const { stdout } of changed) expect(stdout).toMatch(/"deny".*has changed since it was trusted/);
    expect(read('loaded')).toHaveLength(loaded);
    await cli(['trust', 'hooks.config.mjs', '--yes']);
    expect((await tell({ command: 'rm x' })).stdout).toContain(`Nothing goes, says ${daemon}.`);
    await cli(['trust', 'hooks.config.mjs', '--remove', '--yes']);
    expect(await tell({ command: 'rm x' })).toEqual(nothing);
    expect((await tell({ event: 'SessionStart' })).stdout).toContain('nobody on this machine has trusted');
  },

  'what it cannot read is denied, and said': async ({ tell, warmUp }) => {
    await warmUp();
    const wrong = ['', '{', '[]', '{"session_id":"s1"}', `{"a":${'['.repeat(200_000)}`];
    for (const input of wrong) expect((await tell({ input })).stdout).toMatch(/"deny".*cannot be read/);
    const large = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'a'.repeat(34_000_000) } });
    expect((await tell({ input: large })).stdout).toMatch(/"deny".*do this in smaller pieces/);
    const long = JSON.stringify({
      tool_name: 'Bash',
      tool_input: { command: `rm ${'a'.repeat(5_000_000)}` },
    });
    expect((await tell({ input: long })).stdout).toMatch(/"deny".*has 5000003 characters/);
  },

  'what stands in the place of its socket is neither asked nor removed': async (project) => {
    const { tell, socket, daemons, warmUp } = project;
    process.kill(await warmUp(), 'SIGTERM');
    await vi.waitUntil(() => daemons().length === 0, 20_000);
    writeFileSync(socket, 'mine');
    expect((await tell({ command: 'rm x' })).stdout).toContain('Nothing is removed here');
    expect((await project.cli(['agents'])).stdout).toContain('is no socket of yours');
    rmSync(socket);
    const asked: string[] = [];
    const server = createServer((connection) => {
      connection.on('data', (data) => asked.push(String(data)));
      connection.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onTestFinished(() => void server.close());
    chownSync(socket, 12_345, 12_345);
    expect((await tell({ command: 'rm x' })).stdout).toContain('Nothing is removed here');
    expect(asked).toEqual([]);
  },

  'without curl there is none, and the answers are the same': async ({ tell, daemons, read, write }) => {
    write('.spec-hooks/local', read('.spec-hooks/local').replace(/^CURL=.*$/m, "CURL=''"));
    expect((await tell({ command: 'rm x' })).stdout).toContain('Nothing is removed here');
    expect(await tell()).toEqual(nothing);
    expect(daemons()).toEqual([]);
  },

  'it ends when the hooks are taken out, or nobody has asked for long': async (project) => {
    const { warmUp, daemons, cli, path, socket } = project;
    await warmUp();
    await cli(['uninstall', '--yes']);
    await vi.waitUntil(() => daemons().length === 0, 20_000);
    expect(existsSync(socket)).toBe(false);
    await cli(['install', 'codex', '--yes']);
    const place = ['--root', path, '--socket', socket];
    const child = startCli(['hook', '--serve', ...place, '--quiet', '300ms'], {
      env: { HOME: join(path, 'home'), XDG_STATE_HOME: '' },
    });
    await new Promise((resolve) => child.on('close', resolve));
    expect(child.exitCode).toBe(0);
    expect(existsSync(socket)).toBe(false);
  },
};

test.for(pickShare(Object.entries(cases), 5))('%s', { timeout: 90_000 }, async ([, judge]) => {
  await judge(await warmProject(guard()));
});
