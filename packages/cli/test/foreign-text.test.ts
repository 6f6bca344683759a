import { describe, expect, test } from 'vitest';
import { printable, printableInColour } from '../src/printable.ts';
import { projectFolder } from './project-folder.ts';

const ESC = '\u001b';
const call = { tool_name: `B${ESC}[31mash`, tool_input: {} };
const hooks = (matcher: string, command: string): object => ({
  hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] },
});

describe('a text of somebody else', { timeout: 60_000 }, () => {
  test('is shown and not obeyed; colours of our own stay, what else a terminal does is shown', () => {
    expect(printable(`a${ESC}[31mb\u202e\r\n\tc`)).toBe('a\\u{1b}[31mb\\u{202e}\\u{d}\n\tc');
    expect(printableInColour(`${ESC}[1m${ESC}[31mid${ESC}[39m${ESC}[22m${ESC}[2K${ESC}[8m`)).toBe(
      `${ESC}[1m${ESC}[31mid${ESC}[39m${ESC}[22m\\u{1b}[2K\\u{1b}[8m`,
    );
  });

  test('as the id of a conversation that cannot be replayed', async () => {
    const line = (content: string): string =>
      JSON.stringify({ id: `a${ESC}[2K`, messages: [{ role: 'user', content }] });
    const project = projectFolder({ 'talk.jsonl': `${line('one')}\n${line('two')}\n` });
    const { stdout } = await project.cli(['replay', 'talk.jsonl']);
    expect(stdout).toMatch(/line 2 \(a\\u\{1b\}\[2K\): /);
    expect(stdout).not.toContain(ESC);
  });

  test('as the name of a tool, a matcher or what a command says', async () => {
    const project = projectFolder({
      'tool.json': call,
      'call.json': { tool_name: 'Bash', tool_input: {} },
      'other.json': hooks(`Read${ESC}7`, 'exit 0'),
      'claude.json': hooks('Bash', `printf 'no\\033[2Kway' >&2; exit 2`),
    });
    const args = ['--event', 'PreToolUse', '--trust', '--config'];
    const explained = await project.cli(['explain', ...args, 'claude.json', '--input', 'tool.json']);
    expect(explained.stdout).toContain('B\\u{1b}[31mash');
    const ran = await project.cli(['run', ...args, 'claude.json', '--input', 'call.json']);
    expect(ran.stdout).toContain('reason: no\\u{1b}[2Kway');
    const listed = await project.cli(['list', '--config', 'other.json']);
    expect(listed.stdout).toContain('Read\\u{1b}7');
    for (const { stdout } of [explained, ran, listed]) expect(stdout).not.toContain(ESC);
  });
});
