import { describe, expect, test } from 'vitest';
import { findPlaceOfFault } from '../src/event/payload.ts';
import { projectFolder } from './project-folder.ts';

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('the input of run and explain', { timeout: 60_000 }, () => {
  test.each([
    ['{"a": x}', ' (line 1, column 7)'],
    ['{"a": 1,\n "b" 2}', ' (line 2, column 6)'],
    ['[1, 2', ' (line 1, column 6)'],
    ['[1, ]', ' (line 1, column 5)'],
    ['{"a": 1,}', ' (line 1, column 9)'],
    ['{"a": "b\nc"}', ' (line 1, column 7)'],
    ['[01]', ' (line 1, column 3)'],
    ['{} {}', ' (line 1, column 4)'],
    ['[}', ' (line 1, column 2)'],
    ['"\\x"', ' (line 1, column 1)'],
    ['{"a": [true, null, -1.5e3, {}, [], "\\u00e9\u007f"]}\n', ''],
  ])('%j is not JSON at%s', (json, place) => {
    expect(findPlaceOfFault(json)).toBe(place);
    const parse = (): unknown => JSON.parse(json);
    if (place === '') expect(parse).not.toThrow();
    else expect(parse).toThrow(SyntaxError);
  });

  test.each(['run', 'explain'])('%s tells in one sentence what is wrong with it', async (command) => {
    const project = projectFolder();
    const told = async (json: string, event = 'PreToolUse'): Promise<string> => {
      const { code, stdout, stderr } = await project.cli([command, '--event', event, '--input', '-'], json);
      expect([code, stdout]).toEqual([1, '']);
      return stderr;
    };
    expect(await told('{"tool_name": Bash}')).toContain(
      'standard input is not JSON (line 1, column 15): it must',
    );
    expect(await told(`{"tool_name":"Bash","tool_input":${nested(5_000)}}`)).toBe(
      'spec-hooks: standard input is nested deeper than 200 levels: give an input that is less deep, as no hook gets one like it.\n',
    );
    expect(await told('{"tool_name":"Bash","tool_inptu":{"command":"rm"}}')).toBe(
      'spec-hooks: standard input has a field "tool_inptu" that is not known. Did you mean "tool_input"?\n',
    );
    expect(await told('{"tool_name":"Bash","tool_respnse":"x"}', 'PostToolUse')).toContain(
      'Did you mean "tool_response"?',
    );
    expect(await told('{"tool_name":5}')).toBe(
      'spec-hooks: standard input: "tool_name" must be a text, the name of the tool.\n',
    );
  });

  test('as deep as a store takes it, and with fields of a format that no hook of ours reads, it is taken', async () => {
    const project = projectFolder();
    const args = ['run', '--event', 'PostToolUse', '--input', '-'];
    const more = '"tool_use_id":"t","cwd":"/","prompt_id":"p","tool_output":"x"';
    expect(await project.cli(args, `{"tool_name":"Bash",${more}}`)).toMatchObject({ code: 0, stderr: '' });
    const deep = `{"tool_name":"Bash","tool_input":${nested(199)},"tool_response":""}`;
    expect(await project.cli(args, deep)).toMatchObject({ code: 0, stderr: '' });
  });
});
