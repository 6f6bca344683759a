import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { guardedProject, jsonFile } from './guarded-project.ts';
import { runCli } from './run-cli.ts';

const session = join(import.meta.dirname, 'transcripts-of-formats/claude-session.jsonl');

/** Paragraphs are the terminal's to wrap; rows of tables begin with a blank. */
function tableLines(text: string): string[] {
  return text.split('\n').filter((line) => /^ \S/.test(line));
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
