import { describe, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';

const command = (line: string): object => ({ type: 'command', command: line });
const call = { tool_name: 'Bash', tool_input: { command: 'rm -rf /' } };
const calls = JSON.stringify([
  { id: 'call_1', type: 'function', function: { name: 'Bash', arguments: JSON.stringify(call.tool_input) } },
]);
const talk = {
  id: 'one',
  messages: [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: null, tool_calls: JSON.parse(calls) },
    { role: 'tool', tool_call_id: 'call_1', content: 'done' },
    { role: 'assistant', content: 'Done.' },
  ],
};

function guarded(line: string): ReturnType<typeof projectFolder> {
  return projectFolder({
    '.claude/settings.json': {
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [command(line), command('true')] }] },
    },
    'call.json': call,
    'talk.jsonl': JSON.stringify(talk),
  });
}

/** The lines of a table that name a hook of the settings file. */
function hookLines(stdout: string): string[] {
  return stdout
    .split('\n')
    .filter((line) => /^ \S*claude_project_|^ before_tool_call +claude_project_/.test(line))
    .map((line) => line.trim().split(/ {2,}/).slice(0, 3).join(' '));
}

const run = ['run', '--trust', '--event', 'PreToolUse', '--input', 'call.json'];

describe('an entry and the hook around it', { timeout: 60_000 }, () => {
  test('are one line in what run did', async () => {
    const { stdout } = await guarded('echo no >&2; exit 2').cli(run);
    expect(hookLines(stdout).toSorted()).toEqual([
      'claude_project_pre_tool_use_1 before_tool_call denied',
      'claude_project_pre_tool_use_2 before_tool_call ok',
    ]);
    expect(stdout).toContain('Runs  2 runs');
  });

  test('are one line in the summary of a replay', async () => {
    const { stdout } = await guarded('echo no >&2; exit 2').cli(['replay', 'talk.jsonl', '--trust']);
    const lines = stdout.split('\n').filter((line) => line.startsWith(' before_tool_call'));
    expect(lines.map((line) => line.split(/ +/)[2]).toSorted()).toEqual([
      'claude_project_pre_tool_use_1',
      'claude_project_pre_tool_use_2',
    ]);
  });
});
