import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonFile, write } from './guarded-project.ts';
import { runCli } from './run-cli.ts';

/** A guard whose matcher is no regular expression, beside an entry that is right. */
const wrong = {
  hooks: {
    PreToolUse: [
      { matcher: 'Bash(', command: 'exit 1', continueOnFailure: false },
      { matcher: 'Read', command: 'true' },
    ],
  },
};

const call = { tool_name: 'Bash', tool_input: { command: 'ls' } };

function project(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'spec-hooks-not-loaded-'));
  jsonFile(cwd, wrong, 'settings.json');
  jsonFile(cwd, call, 'call.json');
  return cwd;
}

const loading = ['--config', 'settings.json', '--trust'];

describe.concurrent('a guard that is not loaded is told by what runs hooks', { timeout: 60_000 }, () => {
  test('run: on standard error, in its JSON and by its exit code', async () => {
    const cwd = project();
    const args = ['run', '--event', 'PreToolUse', '--input', 'call.json', ...loading];
    const [shown, json] = await Promise.all([runCli(args, { cwd }), runCli([...args, '--json'], { cwd })]);
    expect(shown.code).toBe(1);
    expect(shown.stderr).toMatch(/^spec-hooks: .*settings\.json:1 is not loaded, and guards nothing: /);
    expect(JSON.parse(json.stdout).notLoaded).toEqual([
      { source: expect.stringMatching(/settings\.json:1$/), message: expect.any(String) },
    ]);
    expect([json.code, json.stderr]).toEqual([1, shown.stderr]);
  });

  test('run: what another guard denies is denied', async () => {
    const cwd = project();
    const denying = { hooks: { PreToolUse: [{ command: 'exit 1', continueOnFailure: false }] } };
    jsonFile(
      cwd,
      { hooks: { PreToolUse: [...wrong.hooks.PreToolUse, ...denying.hooks.PreToolUse] } },
      'settings.json',
    );
    const { code } = await runCli(['run', '--event', 'PreToolUse', '--input', 'call.json', ...loading], {
      cwd,
    });
    expect(code).toBe(3);
  });

  test('run: so is a variable that a guard finds empty', async () => {
    const cwd = project();
    const command = '[ "$DEPLOY_FREEZE" = 1 ] && exit 2; exit 0';
    const guard = { PreToolUse: [{ hooks: [{ type: 'command', command }] }] };
    jsonFile(cwd, { hooks: guard }, 'settings.json');
    const args = ['run', '--event', 'PreToolUse', '--input', 'call.json', ...loading];
    const env = { DEPLOY_FREEZE: '1' };
    const withheld = await runCli(args, { cwd, env });
    expect(withheld).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/settings\.json:1: \$DEPLOY_FREEZE is set/),
    });
    write(cwd, 'hooks.config.mjs', "export default { pass: ['DEPLOY_FREEZE'] };");
    expect(await runCli(args, { cwd, env })).toMatchObject({ code: 3, stderr: '' });
  });

  test('check: a host that may not be asked, until the configuration names it', async () => {
    const cwd = project();
    const guard = { hooks: [{ type: 'http', url: 'https://hooks.example.invalid/guard' }] };
    jsonFile(cwd, { hooks: { PreToolUse: [guard] } }, 'settings.json');
    const check = async () => (await runCli(['check', '--config', 'settings.json'], { cwd })).stdout;
    expect(await check()).toContain('name it in allowedHosts');
    write(cwd, 'hooks.config.mjs', "export default { allowedHosts: ['hooks.example.invalid'] };");
    expect(await check()).not.toMatch(/allowedHosts|may not be asked/);
  });

  test('test: no case can try it', async () => {
    const cwd = project();
    write(
      cwd,
      'read.hooks.yaml',
      'cases:\n  - name: reads\n    event: PreToolUse\n    input: { tool_name: Read, tool_input: {} }\n    expect: { decision: null }\n',
    );
    const { code, stdout } = await runCli(['test', ...loading, '--json'], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.stringMatching(/settings\.json:1 is not loaded: no case can try it\.$/),
    );
  });

  test('replay: a problem of the replay', async () => {
    const cwd = project();
    write(cwd, 'said.jsonl', `${JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] })}\n`);
    const { code, stdout } = await runCli(['replay', 'said.jsonl', ...loading, '--json'], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).problems).toEqual([
      { place: expect.stringMatching(/settings\.json:1$/), reason: 'this entry is not loaded' },
    ]);
  });
});
