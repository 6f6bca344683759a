import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../src/check/to-text.ts';
import { projectFolder } from './project-folder.ts';

const FILE = '.claude/settings.json';
const command = { type: 'command', command: 'node .claude/guard.mjs' };
const guarded = (groups: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  [FILE]: { hooks: groups },
  '.claude/guard.mjs': '',
});

async function checkFile(groups: Readonly<Record<string, unknown>>, ...args: string[]): Promise<CheckResult> {
  return projectFolder(guarded(groups)).json<CheckResult>(['check', '--trust', ...args]);
}

/** What `check` says of one matcher, by level and message. */
async function judge(matcher: string, event = 'PreToolUse', more: object = {}): Promise<string[]> {
  const { findings } = await checkFile({ [event]: [{ matcher, hooks: [{ ...command, ...more }] }] });
  return findings.filter(({ level }) => level !== 'risk').map(({ level, message }) => `${level} ${message}`);
}

describe('spec-hooks check of an ordinary file of Claude Code', { timeout: 60_000 }, () => {
  const ordinary = {
    PreToolUse: [{ matcher: 'Bash', hooks: [command] }],
    PostToolUse: [{ matcher: 'Write|Edit|MultiEdit', hooks: [{ type: 'command', command: 'date >> log' }] }],
    Stop: [{ hooks: [{ type: 'command', command: 'echo done >&2' }] }],
  };

  test('passes, and says what is a risk by the rules of the format; strictly it fails', async () => {
    const project = projectFolder(guarded(ordinary));
    const { code, ok, counts, findings } = await project.json<CheckResult>(['check', '--trust']);
    expect([code, ok, counts]).toEqual([0, true, { error: 0, warning: 0, risk: 1, note: 0 }]);
    expect(findings).toMatchObject([{ level: 'risk', code: 'fails_open', file: FILE }]);
    const { stdout } = await project.cli(['check', '--trust']);
    expect(stdout).toMatch(/^ {2}risk {2}fails_open/m);
    expect(stdout).toMatch(/3 hooks checked: 0 errors, 0 warnings, 1 risk, 0 notes\.\n$/);
    expect((await project.cli(['check', '--trust', '--strict'])).code).toBe(1);
  });

  test('fails where something is wrong with it', async () => {
    const groups = { PreToolUse: [{ matcher: 'Bash', hooks: [{ ...command, timeout: 60_000 }] }] };
    expect(await checkFile(groups)).toMatchObject({ code: 1, ok: false, counts: { warning: 1, risk: 1 } });
  });
});

describe('a matcher of Claude Code', { timeout: 60_000 }, () => {
  const none = 'warning Claude Code 2.1.330 has no tool';

  test.each<[matcher: string, said: string]>([
    ['bash', `${none} "bash", so this never runs. Write "Bash".`],
    ['webfetch', `${none} "webfetch", so this never runs. Write "WebFetch".`],
    ['Wirte', `${none} "Wirte", so this never runs. Write "Write".`],
    ['bash|write', `${none} "bash", so this never runs. Write "Bash".`],
    ['Bash|write', `${none} "write", so this part of the matcher never fits. Write "Write".`],
    ['Edit, multiedit', `${none} "multiedit", so this part of the matcher never fits. Write "MultiEdit".`],
    [
      '^bash$',
      'warning The matcher ^bash$ fits no tool of Claude Code 2.1.330 as it is written: case counts. Write "Bash".',
    ],
    [
      'Bash(git *)',
      'warning A matcher is compared with the name of the tool alone, so Bash(git *) never fits. Write "matcher": "Bash", and "if": "Bash(git *)" beside the command.',
    ],
    [
      'Bash(rm:*)|Write',
      'warning A matcher is compared with the name of the tool alone, so Bash(rm:*) never fits. Write "matcher": "Bash", and "if": "Bash(rm:*)" beside the command.',
    ],
    [
      'mcp__memory',
      `${none} "mcp__memory", so this never runs. For all tools of the server, write "mcp__memory__.*".`,
    ],
    [
      'ReadInvoice',
      'note Claude Code 2.1.330 has no tool "ReadInvoice", so this never runs there. If your runtime has one, name it under "tools" in hooks.config.ts.',
    ],
    [
      'issue_refund',
      'note Claude Code 2.1.330 has no tool "issue_refund", so this never runs there. If your runtime has one, name it under "tools" in hooks.config.ts.',
    ],
  ])('that never fits is told, with what to write: %s', async (matcher, said) => {
    const [first] = await judge(matcher);
    expect(first).toBe(said);
  });

  test.each([
    '*',
    '',
    'Bash',
    'Write|Edit|MultiEdit',
    'Task',
    'mcp__memory__create',
    'mcp__memory__.*',
    'mcp__.*__write.*|Bash',
    '.*',
    'Notebook.*',
    '^(Write|Edit)$',
    'Edit|Write, Bash',
  ])('that fits says nothing: %s', async (matcher) => {
    expect(await judge(matcher)).toEqual([]);
  });

  test('is compared with what the event is about', async () => {
    expect(await judge('Startup', 'SessionStart')).toEqual([
      'warning SessionStart of Claude Code 2.1.330 never has "Startup", so this never runs. Write "startup".',
    ]);
    expect(await judge('manuel', 'PreCompact')).toEqual([
      'warning PreCompact of Claude Code 2.1.330 never has "manuel", so this never runs. Write "manual".',
    ]);
    expect(await judge('startup|clear|compact', 'SessionStart')).toEqual([]);
    expect(await judge('my-own-agent', 'SubagentStop')).toEqual([]);
  });

  test('is told of by "if", too, where it names no tool or another one', async () => {
    expect(await judge('*', 'PreToolUse', { if: 'bash(git *)' })).toEqual([
      `${none} "bash", so this never runs. Write "Bash".`,
    ]);
    expect(await judge('Write', 'PreToolUse', { if: 'Bash(git *)' })).toEqual([
      'warning The matcher Write does not fit Bash, which "if" asks for, so this never runs. Write "matcher": "Bash".',
    ]);
    for (const [matcher, rule] of [
      ['Bash', 'Bash(git *)'],
      ['Write', 'Edit(*.ts)'],
      ['mcp__a__b', 'mcp__a'],
      ['.*', 'WebFetch(domain:example.com)'],
    ] as const)
      expect(await judge(matcher, 'PreToolUse', { if: rule })).toEqual([]);
  });

  test('that is a permission rule and no regular expression is refused with what to write', async () => {
    const [first] = await judge('Bash(*)');
    expect(first).toMatch(/^error .*Write "matcher": "Bash", and "if": "Bash\(\*\)" beside the command\./);
  });

  test('is held against the tools of hooks.config.ts where they are named', async () => {
    const project = projectFolder({
      ...guarded({ PreToolUse: [{ matcher: 'bash', hooks: [command] }] }),
      'hooks.config.ts': `export default { settings: ['${FILE}'], tools: ['bash'] };`,
    });
    const { findings } = await project.json<CheckResult>(['check', '--trust']);
    expect(findings.filter(({ level }) => level !== 'risk')).toEqual([]);
  });

  test('that never fits guards nothing, so that nothing is said of its failures', async () => {
    const { findings } = await checkFile({ PreToolUse: [{ matcher: 'bash', hooks: [command] }] });
    expect(findings.map(({ level }) => level)).toEqual(['warning']);
  });
});
