import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compiledEntry, listCodes, occasion, readHooks, toolCall } from '../../../test/settings-file.ts';
import type { Occasion } from '../../normal-form.ts';
import { claude } from './index.ts';

const hook = { type: 'command', command: 'x' };

function isFor(matcher: string | undefined, given: Occasion, eventName = 'PreToolUse'): boolean {
  const group = matcher === undefined ? { hooks: [hook] } : { matcher, hooks: [hook] };
  return compiledEntry(claude, { [eventName]: [group] }).mismatch(given) === undefined;
}

describe('the matcher', () => {
  test.each([
    [undefined, 'Bash', true],
    ['', 'Bash', true],
    ['*', 'Bash', true],
    ['Bash', 'Bash', true],
    ['Bash', 'BashOutput', false],
    ['bash', 'Bash', false],
    ['Edit|Write', 'Write', true],
    ['Edit|Write', 'MultiEdit', false],
    ['Edit | Write', 'Write', true],
    ['Bash,PowerShell', 'PowerShell', true],
    ['Bash, PowerShell', 'PowerShell', true],
    ['Bash,PowerShell', 'Bash,PowerShell', false],
    ['code-reviewer', 'code-reviewer', true],
    ['code-reviewer', 'my-code-reviewer', false],
    ['code-reviewer', 'code-reviewer-2', false],
    ['^Bash$', 'Bash', true],
    ['^Bash$', 'Bash\n', false],
    ['^(Write|Edit|MultiEdit)$', 'Edit', true],
    ['Notebook.*', 'NotebookEdit', true],
    ['Edit.*', 'MultiEdit', true],
    ['mcp__memory__.*', 'mcp__memory__create', true],
    ['mcp__memory__.*', 'mcp__files__create', false],
    ['^mcp__claude-flow__.*$', 'mcp__claude-flow__swarm', true],
    ['.*', 'anything', true],
    ['mcp__a/b', 'mcp__a/b', true],
  ])('%s on %s: %s', (matcher, name, expected) => {
    expect(isFor(matcher, toolCall(name))).toBe(expected);
  });

  test.each<[string, string, Partial<Occasion>, boolean]>([
    ['SessionStart', 'startup', { reason: 'created' }, true],
    ['SessionStart', 'resume', { reason: 'created' }, false],
    ['SessionStart', 'startup|resume', { reason: 'opened' }, true],
    ['SessionStart', 'resume', { reason: 'resumed' }, true],
    ['SessionStart', 'compact', { reason: 'opened' }, false],
    ['SessionEnd', 'other', { reason: 'created' }, true],
    ['SessionEnd', 'logout', { reason: 'created' }, false],
    ['Notification', 'permission_prompt', { notification: { kind: 'permission', message: '' } }, true],
    ['Notification', 'idle_prompt', { notification: { kind: 'waiting', message: '' } }, true],
    ['Notification', 'failed', { notification: { kind: 'failed', message: '' } }, true],
    ['PreCompact', 'manual', { compaction: { trigger: 'manual', messageCount: 3 } }, true],
    ['PreCompact', 'manual', { compaction: { trigger: 'auto', messageCount: 3 } }, false],
    ['SubagentStop', 'researcher', { agentId: 'researcher' }, true],
    ['SubagentStop', 'researcher', { agentId: 'coder' }, false],
    ['SubagentStart', 'coder', { agentId: 'coder' }, true],
    ['PermissionRequest', 'Bash', { tool: { id: '1', name: 'Bash', input: {} } }, true],
    ['PostToolUse', 'Bash', { tool: { id: '1', name: 'Read', input: {} } }, false],
  ])('on %s, %s', (eventName, matcher, given, expected) => {
    expect(isFor(matcher, occasion(given), eventName)).toBe(expected);
  });

  test.each(['UserPromptSubmit', 'PostToolBatch', 'Stop'])(
    'is ignored on %s, and that is said',
    (eventName) => {
      const hooks = { [eventName]: [{ matcher: 'Bash', hooks: [hook] }] };
      expect(listCodes(readHooks(claude, hooks))).toEqual([
        `note matcher_ignored at hooks.${eventName}[0].matcher`,
      ]);
      expect(isFor('Bash', occasion(), eventName)).toBe(true);
    },
  );

  test('names tool and pattern where it does not match, never the input', () => {
    const entry = compiledEntry(claude, { PreToolUse: [{ matcher: 'Edit|Write', hooks: [hook] }] });
    const why = entry.mismatch(toolCall('Bash', { command: 'echo secret' }));
    expect(why).toBe('the matcher Edit|Write does not match Bash');
    expect(entry.isByToolName).toBe(true);
  });

  test('is refused alone where it is no regular expression', () => {
    expect(() => compiledEntry(claude, { PreToolUse: [{ matcher: '^(Bash', hooks: [hook] }] })).toThrow(
      /\^\(Bash.*position 1/,
    );
  });

  test('has a limit of time, so that no name makes it hang', () => {
    const entry = compiledEntry(claude, { PreToolUse: [{ matcher: '^(a+)+$', hooks: [hook] }] });
    expect(() => entry.mismatch(toolCall(`${'a'.repeat(40)}!`))).toThrow('did not finish within 50 ms');
  });
});

describe('if', () => {
  function holds(rule: string, call: Occasion): boolean {
    const entry = compiledEntry(claude, { PreToolUse: [{ hooks: [{ ...hook, if: rule }] }] });
    expect(entry.isByToolName).toBeUndefined();
    return entry.mismatch(call) === undefined;
  }
  const bash = (command: string) => toolCall('Bash', { command });

  test.each([
    ['git push', true],
    ['a && git push', true],
    ['FOO=bar git push', true],
    ['(cd x; git push)', true],
    ['echo `git push`', true],
    ['echo "$(git push)"', true],
    ['git status', true],
    ['echo git push', false],
    ['gitk', false],
    ["echo 'never closed", true],
  ])('Bash(git *) on %s: %s', (command, expected) => {
    expect(holds('Bash(git *)', bash(command))).toBe(expected);
    expect(holds('Bash(git:*)', bash(command))).toBe(expected);
  });

  test.each([
    ['Bash', bash('ls'), true],
    ['Bash(*)', bash('ls'), true],
    ['Bash', toolCall('Write'), false],
    ['Bash(git push *--force*)', bash('git push origin --force'), true],
    ['Bash(git push *--force*)', bash('git push origin main'), false],
    ['Bash(git push *-f*)', bash('git push -f'), true],
    ['Bash(npm run build)', bash('npm run build'), true],
    ['Bash(npm run build)', bash('npm run build:all'), false],
    ['Edit(*.ts)', toolCall('Edit', { file_path: '/work/project/src/deep/a.ts' }), true],
    ['Edit(*.ts)', toolCall('Edit', { file_path: 'src/a.tsx' }), false],
    ['Edit(*.ts)', toolCall('Write', { file_path: 'src/a.ts' }), false],
    ['Edit(src/**)', toolCall('Edit', { file_path: 'src/a.ts' }), true],
    ['Edit(src/**)', toolCall('Edit', { file_path: 'lib/src/a.ts' }), false],
    ['Edit(/src/**)', toolCall('Edit', { file_path: '/work/project/src/a.ts' }), true],
    ['Edit(./src/*)', toolCall('Edit', { file_path: 'src/a.ts' }), true],
    ['Read(//etc/**)', toolCall('Read', { file_path: '/etc/passwd' }), true],
    ['Read(//etc/**)', toolCall('Read', { file_path: '../../etc/passwd' }), true],
    ['Read(~/.ssh/**)', toolCall('Read', { file_path: join(homedir(), '.ssh/id') }), true],
    ['Read(node_modules)', toolCall('Read', { file_path: 'a/node_modules/b/c.js' }), true],
    ['Read(node_modules/)', toolCall('Read', { file_path: 'node_modules/b/c.js' }), true],
    ['Write(.env*)', toolCall('Write', { file_path: '/work/project/.env.local' }), true],
    ['Write(.env*)', toolCall('Write', { file_path: 'config/.env' }), true],
    ['Write(.env*)', toolCall('Write', { content: 'x' }), false],
    ['WebFetch(domain:example.com)', toolCall('WebFetch', { url: 'https://Example.com/x' }), true],
    ['WebFetch(domain:example.com)', toolCall('WebFetch', { url: 'https://evil-example.com/x' }), false],
    ['WebFetch(domain:*.example.com)', toolCall('WebFetch', { url: 'https://a.example.com' }), true],
    ['WebFetch(domain:example.com)', toolCall('WebFetch', { url: 'example.com' }), true],
    ...[
      'https://example.com./',
      'https://EXAMPLE.com',
      'https://user@example.com/',
      'https://evil.com:x@example.com:8443/',
      'https://ex%61mple.com/',
      'https://example\u3002com/',
      'https:\\\\example.com\\x',
      'https://evil.com\\@example.com',
      'example.com:443/x',
      'https://',
      ['https://example.com'],
    ].map((url): [string, Occasion, boolean] => [
      'WebFetch(domain:example.com)',
      toolCall('WebFetch', { url }),
      true,
    ]),
    ['WebFetch(domain:Example.com.)', toolCall('WebFetch', { url: 'https://example.com' }), true],
    ['WebFetch(domain:b\u00fccher.de)', toolCall('WebFetch', { url: 'https://xn--bcher-kva.de' }), true],
    ['WebFetch(domain:xn--bcher-kva.de)', toolCall('WebFetch', { url: 'https://b\u00dccher.de' }), true],
    ['WebFetch(domain:*.example.com)', toolCall('WebFetch', { url: 'https://a.example.com.' }), true],
    ['WebFetch(domain:example.com)', toolCall('WebFetch', { url: 'https://example.com@evil.com' }), false],
    ['WebFetch(domain:example.com)', toolCall('WebFetch', {}), false],
    ['Read(~/.ssh/**)', toolCall('Read', { file_path: '~/.ssh/id' }), true],
    ['Read(~/.ssh/**)', toolCall('Read', { file_path: '~/.sshx/id' }), false],
    ['Read(~)', toolCall('Read', { file_path: join(homedir(), 'x') }), true],
    ['mcp__files', toolCall('mcp__files__read'), true],
    ['mcp__files', toolCall('mcp__files2__read'), false],
    ['mcp__files__*', toolCall('mcp__files__read'), true],
    ['mcp__files__read', toolCall('mcp__files__read'), true],
    ['mcp__files__read', toolCall('mcp__files__write'), false],
    ['Task(Explore)', toolCall('Task', { subagent_type: 'Explore' }), true],
    ['Task(Explore)', toolCall('Task', { subagent_type: 'Plan' }), false],
    ['Task(Explore)', toolCall('Task', { subagent_type: ['Explore'] }), true],
    ['Skill(deploy)', toolCall('Skill', { skill: 'deploy' }), true],
  ])('%s: %#', (rule, call, expected) => {
    expect(holds(rule, call)).toBe(expected);
  });

  test('follows links, so that another name of a file does not get past it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'claude-if-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'secrets'));
    writeFileSync(join(folder, 'secrets/key'), '');
    symlinkSync('secrets', join(folder, 'harmless'));
    const call = toolCall('Read', { file_path: 'harmless/key' }, { projectDir: folder });
    expect(holds('Read(/secrets/**)', call)).toBe(true);
  });

  test.each([
    'git push',
    'Bash(git push',
    'Bash(git push) x',
    'WebFetch(example.com)',
    'WebSearch(x)',
    'Bash(a && b)',
  ])('%s is refused', (rule) => {
    expect(() => compiledEntry(claude, { PreToolUse: [{ hooks: [{ ...hook, if: rule }] }] })).toThrow(
      expect.objectContaining({ code: 'bad_matcher' }) as Error,
    );
  });

  test('on another event than of a tool never runs, and that is said', () => {
    const read = readHooks(claude, { Stop: [{ hooks: [{ ...hook, if: 'Bash(git *)' }] }] });
    expect(read.entries).toEqual([]);
    expect(listCodes(read)).toEqual(['error never_runs at hooks.Stop[0].hooks[0].if']);
  });
});

test('once runs once in a session', () => {
  const entry = compiledEntry(claude, { PreToolUse: [{ hooks: [{ ...hook, once: true }] }] });
  const call = toolCall('Bash');
  expect(entry.mismatch(call)).toBeUndefined();
  expect(entry.mismatch(call)).toBeUndefined();
  entry.invocation(call);
  expect(entry.mismatch(call)).toBe('it runs once in a session, and did');
  expect(entry.mismatch({ ...call, sessionId: 'another' })).toBeUndefined();
});
