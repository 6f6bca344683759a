import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { guardedProject, jsonFile } from './guarded-project.ts';
import { projectFolder } from './project-folder.ts';
import { runCli } from './run-cli.ts';

const session = join(import.meta.dirname, 'transcripts-of-formats/claude-session.jsonl');

/** Rows of tables begin with a blank. */
function tableLines(text: string): string[] {
  return text.split('\n').filter((line) => /^ \S/.test(line));
}

const file = '.claude/settings.json';

describe('the paragraphs of check and explain', { timeout: 60_000 }, () => {
  test.each([
    ['check'],
    ['explain', '--event', 'PreToolUse', '--input', 'call.json'],
    ['run', '--event', 'PreToolUse', '--input', 'call.json'],
  ])('break at words where a width is known, and nowhere else: %s', async (...args) => {
    const project = projectFolder({
      [file]: {
        hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] }] },
      },
      'call.json': { tool_name: 'Bash', tool_input: { command: 'ls' } },
    });
    const wrapped = await runCli(args, { cwd: project.path, env: { COLUMNS: '80' } });
    const lines = wrapped.stdout.split('\n');
    expect(lines.filter((line) => line.length > 80 && line.trim().includes(' '))).toEqual([]);
    const whole = await runCli(args, { cwd: project.path });
    expect(Math.max(...whole.stdout.split('\n').map((line) => line.length))).toBeGreaterThan(120);
    if (args[0] === 'check') expect(joinWords(wrapped.stdout)).toBe(joinWords(whole.stdout));
  });
});

function joinWords(text: string): string {
  return text.replace(/\s+/g, ' ');
}

describe.concurrent('the tables of all commands', { timeout: 120_000 }, () => {
  const cwd = guardedProject();
  const call = jsonFile(cwd, {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  });
  const recorded = runCli(['replay', session, '--db', 'threads.db'], { cwd });

  test.each([
    ['list'],
    ['list', '--all'],
    ['status'],
    ['stats'],
    ['log'],
    ['threads'],
    ['agents', 'codex'],
    ['run', '--event', 'PreToolUse', '--input', call],
    ['explain', '--event', 'PreToolUse', '--input', call],
    ['replay', session, '--bench'],
    ['replay'],
  ])('fit 80, 100 and 140 columns: %s', async (...args) => {
    await recorded;
    for (const width of [80, 100, 140]) {
      const { stdout, stderr } = await runCli(args, { cwd, env: { COLUMNS: String(width) } });
      const lines = tableLines(stdout);
      expect(lines, stderr).not.toEqual([]);
      expect(lines.filter((line) => line.length > width)).toEqual([]);
    }
  });
});
