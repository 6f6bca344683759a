import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '../test/project-folder.ts';
import { type LoadedSettings, loadSettings, type SettingsOptions } from './load-settings.ts';
import { trustStore } from './trust/store.ts';

const deny = { matcher: '^bash$', action: 'deny' };

const store = (folder: string) => trustStore(join(folder, 'trust.json'));

async function load(content: object | string, options: SettingsOptions = {}): Promise<LoadedSettings> {
  const folder = projectFolder({ 'hub.json': content });
  const file = join(folder.path, 'hub.json');
  const loaded = await loadSettings([file], {
    trust: 'all',
    rules: 'hand-over',
    projectDir: folder.path,
    ...options,
  });
  onTestFinished(() => loaded.close());
  return loaded;
}

describe('declarative rules of a hub file', () => {
  test('make it a hub file by themselves, and are handed over as data with their places', async () => {
    const { rules, files, findings, hooks, report } = await load(
      '{"hooks": {\n"PreToolUse": [\n{ "matcher": "^bash$",\n"action": "deny", "description": "why" },\n{ "id": "mine", "action": "log" }],\n"Stop": [{ "action": "log" }]\n}}',
    );
    expect(rules).toMatchObject([
      {
        rule: { id: 'hub_project_pre_tool_use_1', event: 'PreToolUse', matcher: '^bash$', action: 'deny' },
        position: { line: 3, path: 'hooks.PreToolUse[0]' },
        lines: { matcher: 3, action: 4 },
      },
      { rule: { id: 'mine', event: 'PreToolUse' }, position: { line: 5 } },
      { rule: { id: 'hub_project_stop_1', event: 'Stop' }, position: { line: 6 } },
    ]);
    expect(rules[0]?.rule).not.toHaveProperty('description');
    expect(structuredClone(rules)).toEqual(rules);
    expect(findings).toEqual([]);
    expect(files).toMatchObject([{ dialect: 'hub', chosenBy: 'shape', entryCount: 0, ruleCount: 3 }]);
    expect(report).toMatch(/hub \(by its shape\), 0 hooks, 3 rules$/);
    expect(hooks.filter(({ id }) => !id.endsWith('_drain'))).toEqual([]);
  });

  test('stand beside commands, each with an id of its own', async () => {
    const { rules, entries } = await load({
      hooks: { PreToolUse: [deny, { matcher: 'x', command: 'true', continueOnError: true }] },
    });
    const ids = [...rules.map(({ rule }) => rule.id), ...entries.map(({ id }) => id)];
    expect(ids).toEqual(['hub_project_pre_tool_use_1', 'hub_project_pre_tool_use_2']);
  });

  test.each([
    ['a command and an action', { ...deny, command: 'true' }, 'bad_shape'],
    ['an event that is another than its list', { ...deny, event: 'Stop' }, 'bad_value'],
    ['an action that is no text', { dialect: 'hub', action: 1 }, 'bad_value'],
  ])('%s: it is left out, and told', async (_, entry, code) => {
    const content = { dialect: 'hub', hooks: { PreToolUse: [entry] } };
    const { rules, entries, findings } = await load(content);
    expect([rules, entries]).toEqual([[], []]);
    expect(findings).toContainEqual(expect.objectContaining({ level: 'error', code }));
  });

  test('that nobody takes are an error for each, and a refusal where errors refuse', async () => {
    const content = { hooks: { PreToolUse: [deny, { ...deny, matcher: 'x' }] } };
    const { rules, findings, files } = await load(content, { rules: 'leave-out' });
    expect(rules).toEqual([]);
    expect(files[0]).toMatchObject({ ruleCount: 0 });
    expect(findings.map(({ level, code, position: { path } }) => [level, code, path])).toEqual([
      ['error', 'rules_not_taken', 'hooks.PreToolUse[0]'],
      ['error', 'rules_not_taken', 'hooks.PreToolUse[1]'],
    ]);
    expect(findings[0]?.message).toContain("rules: 'hand-over'");
    const refused = load(content, { rules: 'leave-out', onBadEntry: 'refuse' });
    await expect(refused).rejects.toMatchObject({
      code: 'bad_definition',
      message: expect.stringContaining('rules_not_taken'),
    });
  });

  test('of a file that nobody trusts carry why they must not run; trusted, they carry nothing', async () => {
    const folder = projectFolder({ 'hub.json': { hooks: { PreToolUse: [deny] } } });
    const file = join(folder.path, 'hub.json');
    const options = { trust: store(folder.path), rules: 'hand-over', projectDir: folder.path } as const;
    const before = await loadSettings([file], options);
    expect(before.files[0]?.trust?.status).toBe('unknown');
    expect(before.findings).toMatchObject([{ level: 'error', code: 'untrusted' }]);
    expect(before.rules[0]?.refusal).toMatch(/hub\.json.* it is not trusted/);
    await store(folder.path).trust(file, before.files[0]?.trust?.fingerprint ?? '');
    const trusted = await loadSettings([file], options);
    expect(trusted.files[0]?.trust?.status).toBe('trusted');
    expect(trusted.rules[0]).not.toHaveProperty('refusal');
    writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [{ ...deny, matcher: '^b$' }] } }));
    const changed = await loadSettings([file], options);
    expect(changed.rules[0]?.refusal).toMatch(/it has changed since it was trusted/);
    writeFileSync(file, JSON.stringify({ hooks: {} }));
    const gone = await loadSettings([file], options);
    expect(gone.findings.map(({ code }) => code)).toContain('trust_changed');
    await Promise.all([before, trusted, changed, gone].map((one) => one.close()));
  });

  test('say nothing of the format beside entries of another: its guards stay, and the rule is told', async () => {
    const nested = { matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 2' }] };
    const claude = await load({ hooks: { PreToolUse: [nested, deny] } });
    expect(claude.files[0]).toMatchObject({ dialect: 'claude', entryCount: 1, ruleCount: 0 });
    const flat = { matcher: 'Bash', command: 'exit 2', continueOnFailure: false };
    const settings = await load({ hooks: { PreToolUse: [flat, deny] } });
    expect(settings.files[0]).toMatchObject({ dialect: 'settings', entryCount: 1, ruleCount: 0 });
    for (const { findings } of [claude, settings])
      expect(findings).toContainEqual(
        expect.objectContaining({
          level: 'error',
          position: expect.objectContaining({ path: expect.stringContaining('hooks.PreToolUse[1]') }),
        }),
      );
  });
});
