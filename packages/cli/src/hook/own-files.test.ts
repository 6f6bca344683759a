import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentHost, findAgent } from '@spec/agents';
import { realPaths } from '@spec/hooks/node';
import { expect, test } from 'vitest';
import { type HookScope, stateHome } from '../agent-state/places.ts';
import { cacheFolder } from '../project/cache-folder.ts';
import { guardOwnFiles } from './own-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'own-files-'));
mkdirSync(join(folder, '.spec-hooks'));
symlinkSync('.spec-hooks', join(folder, 'link'));

/** What Claude Code is told before it calls a tool. */
async function judge(tool: string, input: object, scope: HookScope = 'project'): Promise<string | undefined> {
  const agent = findAgent('claude-code');
  const policies = guardOwnFiles({ agent, scope });
  const host = createAgentHost({ agent, policies, environment: realPaths(folder) });
  const payload = { session_id: 's', cwd: folder, tool_name: tool, tool_use_id: 'a', tool_input: input };
  const { stdout } = await host.answer({ event: 'PreToolUse', input: JSON.stringify(payload) });
  return stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
}

const write = (path: string): readonly [string, object] => ['Write', { file_path: path, content: '' }];
const run = (command: string): readonly [string, object] => ['Bash', { command }];

test.each([
  write(join(folder, '.spec-hooks/hook')),
  write('.spec-hooks/local'),
  write('link/local'),
  write('.claude/settings.json'),
  write('.codex/hooks.json'),
  ['mcp__files__move', { source: 'x', destination: join(folder, '.spec-hooks/hook') }] as const,
  write('.claude/settings.local.json'),
  write('.codex/config.toml'),
  write('.github/copilot/settings.json'),
  write('~/.claude/settings.json'),
  write('~/.codex/config.toml'),
  write(join(cacheFolder(), 'hooks-guard.1234.mjs')),
  write(join(stateHome(), 'agents/1234/session-1.json')),
  run(`rm ${cacheFolder()}/*`),
  run(`echo "{}" > ${stateHome()}/agents/1234/session-1.json`),
  run('echo "{}" > "$HOME/.config/spec-hooks/trusted.json"'),
  run('echo "{\\"disableAllHooks\\": true}" > .claude/settings.local.json'),
  ['PowerShell', { command: 'Remove-Item .spec-hooks/local' }] as const,
  ['mcp__shell__run', { cmd: 'rm .spec-hooks/local' }] as const,
  run('echo GUARDS= > .spec-hooks/local'),
  run('rm -rf "$PWD/.spec-hooks"'),
  run('sed -i d .claude/settings.json'),
  run('npx spec-hooks trust hooks.config.ts --yes'),
  run('cd x && ./node_modules/.bin/spec-hooks  --debug uninstall --yes'),
])('a person is asked before an agent changes what guards it: %j %j', async (tool, input) => {
  expect(await judge(tool, input)).toBe('ask');
});

test.each([
  write('src/hook'),
  write('hooks/guard.ts'),
  ['Read', { file_path: '.spec-hooks/hook' }] as const,
  write('.claude/agents/reviewer.md'),
  write('.codex/prompts/x.md'),
  ['apply_patch', { command: '*** Update File: README.md\n+ls .spec-hooks' }] as const,
  run('npx spec-hooks list'),
  run('npx spec-hooks log; npm install'),
  run('git commit -m "install the hooks"'),
])('nobody is asked about anything else: %j %j', async (tool, input) => {
  expect(await judge(tool, input)).toBeUndefined();
});

test('of a person’s own hooks the launcher and the agents’ files at home are guarded, and not the modules', async () => {
  expect(await judge(...write(join(folder, 'hook')), 'user')).toBe('ask');
  expect(await judge(...write(join(homedir(), '.claude/settings.json')), 'user')).toBe('ask');
  expect(await judge(...write('~/.codex/hooks.json'), 'user')).toBe('ask');
  expect(await judge(...write(join(folder, 'hooks/guard.ts')), 'user')).toBeUndefined();
});
