import { describe, expect, test } from 'vitest';
import { idStart, parseSettings } from './settings-file.ts';

const name = { file: '.claude/settings.json', layer: 'project' } as const;
const parse = (text: string | Uint8Array) => parseSettings(text, name);

describe('parseSettings', () => {
  test('reads comments, trailing commas and a byte order mark, and tells where things stand', () => {
    const { settings, findings } = parse(`\uFEFF{
  // what runs
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", /* all of it */ "hooks": [{ "type": "command" }, { "command": "true" },], },
    ],
  },
}`);
    expect(findings).toEqual([]);
    expect(settings?.content).toEqual({
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command' }, { command: 'true' }] }],
      },
    });
    expect(settings?.findPosition(['hooks', 'PreToolUse', 0, 'hooks', 1])).toEqual({
      file: name.file,
      line: 5,
      column: 77,
      path: 'hooks.PreToolUse[0].hooks[1]',
    });
    expect(settings?.findPosition(['hooks', 'PreToolUse'])).toMatchObject({ line: 4, column: 5 });
    expect(settings?.findPosition(['hooks', 'Stop', 3])).toMatchObject({ line: 3, path: 'hooks.Stop[3]' });
    expect(settings?.findPosition([])).toMatchObject({ line: 1, path: '' });
  });

  test.for([
    ['{ "hooks": [...] }', 'invalid symbol: replace "..." with the entries it stands for'],
    ['{ "hooks": {', 'close brace expected'],
    ['', 'value expected'],
    ['[1]', 'it must be an object'],
    ['{} {}', 'end of file expected'],
    [`${'['.repeat(200_000)}`, 'it is nested too deep'],
  ])('what cannot be read is one finding: %#', ([text, why]) => {
    const { settings, findings } = parse(text as string);
    expect(settings).toBeUndefined();
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ level: 'error', code: 'bad_json' });
    expect(findings[0]?.message).toBe(`This file cannot be read: ${why}. None of its hooks is loaded.`);
  });

  test('says on which line', () => {
    expect(parse('{\n  "a": 1\n  "b": 2\n}').findings[0]?.position).toMatchObject({ line: 3, column: 3 });
  });

  test('bytes that are not UTF-8 are refused', () => {
    expect(parse(new Uint8Array([0x7b, 0xff, 0x7d])).findings[0]?.message).toContain('it is not UTF-8 text');
  });

  test('of more than 1 MB nothing is read, whether it is a text or bytes', () => {
    const long = `{"hooks": {}}${' '.repeat(2 ** 20)}`;
    for (const given of [long, new TextEncoder().encode(long)]) {
      const { settings, findings } = parse(given);
      expect(settings).toBeUndefined();
      expect(findings).toMatchObject([
        { code: 'unreadable_file', message: expect.stringContaining('it has more than 1 MB.') },
      ]);
    }
    expect(parse(long.slice(0, 2 ** 20)).findings).toEqual([]);
  });

  test('a key that stands twice is reported: the first would be lost in silence', () => {
    const { settings, findings } = parse('{ "hooks": { "Stop": [1],\n "Stop": [2] } }');
    expect(settings?.content).toEqual({ hooks: { Stop: [2] } });
    expect(findings).toMatchObject([
      { level: 'error', code: 'duplicate_key', position: { line: 2, path: 'hooks.Stop' } },
    ]);
    expect(settings?.findPosition(['hooks', 'Stop', 0])).toMatchObject({ line: 2 });
  });

  test('__proto__ is left out', () => {
    const { settings, findings } = parse('{ "hooks": { "__proto__": { "x": 1 } } }');
    expect(settings?.content.hooks).not.toHaveProperty('x');
    expect(findings).toHaveLength(1);
  });
});

describe('ids', () => {
  test('from dialect, layer, event and position', () => {
    const id = parse('{}').settings?.entryId;
    expect(id?.('claude', 'PreToolUse', 0)).toBe('claude_project_pre_tool_use_1');
    expect(id?.('claude', 'PreToolUse', 1)).toBe('claude_project_pre_tool_use_2');
    expect(id?.('claude', 'preToolUse', 0)).toBe('claude_project_pre_tool_use_2x_1');
    expect(id?.('hub', '???', 0)).toBe('hub_project_event_1');
  });

  test('of several files of one layer they differ, and so under a prefix', () => {
    expect(idStart({ ...name, ordinal: 2 }, 'claude')).toBe('claude_project_2');
    expect(idStart({ ...name, prefix: 'review' }, 'hub')).toBe('review_hub_project');
  });
});
