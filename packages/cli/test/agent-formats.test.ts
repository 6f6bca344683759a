import { expect, test } from 'vitest';
import type { CheckResult } from '../src/check/to-text.ts';
import { projectFolder } from './project-folder.ts';

const nested = (eventName: string) => ({
  hooks: { [eventName]: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'sh guard.sh' }] }] },
});
const flat = (eventName: string, entry: object) => ({ version: 1, hooks: { [eventName]: [entry] } });

/** A file of each agent with one guard, where its path says the format. */
const agents: readonly (readonly [format: string, file: string, content: object])[] = [
  ['codex', '.codex/hooks.json', nested('PreToolUse')],
  ['gemini', '.gemini/settings.json', nested('BeforeTool')],
  ['qwen', '.qwen/settings.json', nested('PreToolUse')],
  ['factory', '.factory/settings.json', nested('PreToolUse')],
  ['cursor', '.cursor/hooks.json', flat('beforeShellExecution', { command: 'sh guard.sh' })],
  ['copilot', '.github/hooks/guard.json', flat('preToolUse', { bash: 'sh guard.sh' })],
];

test.each(agents)(
  'the command reads, lists, trusts and converts a file of %s',
  { timeout: 60_000 },
  async (format, file, content) => {
    const project = projectFolder({ [file]: content, 'guard.sh': 'exit 2\n' });
    const checked = await project.json<CheckResult>(['check', '--config', file, '--trust']);
    expect([checked.code, checked.counts.error]).toEqual([0, 0]);
    const { stdout } = await project.cli(['list', '--config', file, '--trust']);
    expect(stdout).toContain('before_tool_call');
    expect((await project.cli(['check', '--config', file])).stdout).toMatch(/untrusted|not trusted/);
    expect((await project.cli(['trust', file, '--yes'])).code).toBe(0);
    expect((await project.cli(['check', '--config', file])).stdout).not.toMatch(/untrusted/);
    project.write('guard.sh', 'exit 0\n');
    expect((await project.cli(['check', '--config', file])).stdout).toMatch(/trust_changed|changed since/);
    const converted = await project.json<{ to: string; content: { hooks: object } }>([
      'convert',
      file,
      '--to',
      'claude',
    ]);
    expect(Object.keys(converted.content.hooks)).toEqual(['PreToolUse']);
    const back = await project.json<{ to: string; content: { hooks: object } }>([
      'convert',
      file,
      '--to',
      format,
    ]);
    expect([back.code, Object.keys(back.content.hooks)]).toEqual([
      0,
      Object.keys((content as { hooks: object }).hooks),
    ]);
  },
);
