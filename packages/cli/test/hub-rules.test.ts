import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, trustStore } from '@spec/commands';
import type { AnyHook } from '@spec/hooks';
import { loadRules, type RuleLog, type Rules } from '@spec/rules';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { jsonFile, write } from './guarded-project.ts';
import { type CliResult, runCli } from './run-cli.ts';

const deny = { matcher: '^bash$', action: 'deny', reason: 'no shell here' };
const hub = { hooks: { PreToolUse: [deny] } };
const bash = { tool_name: 'bash', tool_input: { command: 'ls' } };
const firing = ['run', '--event', 'PreToolUse', '--input', 'call.json'];

/** A project with a hub file, where `spec-hooks` runs. */
function hubProject(hubContent: object) {
  const cwd = mkdtempSync(join(tmpdir(), 'spec-hooks-hub-'));
  const writeHub = (content: object): string => write(cwd, 'hub.json', JSON.stringify(content, undefined, 2));
  writeHub(hubContent);
  jsonFile(cwd, bash, 'call.json');
  const cli = (args: readonly string[]): Promise<CliResult> =>
    runCli(args, { cwd, env: { HOME: join(cwd, 'home') } });
  const json = async (args: readonly string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await cli([...args, '--json'])).stdout);
  return { cwd, cli, json, writeHub };
}

describe.concurrent('spec-hooks with rules in hub.json', { timeout: 120_000 }, () => {
  test('run: a rule denies, alone and beside commands, whatever an allow of a higher priority says', async () => {
    const allow = { matcher: 'bash', action: 'allow', priority: 100 };
    const command = { matcher: 'bash', command: 'true', continueOnError: true };
    for (const list of [[deny], [allow, deny], [command, deny, allow]]) {
      const { code, stdout } = await hubProject({ hooks: { PreToolUse: list } }).cli([...firing, '--trust']);
      expect([code, stdout]).toEqual([3, expect.stringContaining('no shell here')]);
    }
  });

  test('run: not trusted, what a rule guards is denied, and an allow or a log does not count', async () => {
    const folder = hubProject(hub);
    const { code, stdout, stderr } = await folder.cli(firing);
    expect(code).toBe(3);
    expect(stdout).toContain('is not trusted');
    expect(stdout).not.toContain('no shell here');
    expect(stderr).toContain('hub.json is not trusted yet');
    folder.writeHub({ hooks: { PreToolUse: [{ action: 'allow' }, { action: 'log' }] } });
    const allowed = await folder.cli([...firing, '--json']);
    expect(JSON.parse(allowed.stdout).decision ?? null).toBeNull();
    folder.writeHub({ hooks: { PreToolUse: [{ action: 'script', script: 'return 1;' }] } });
    expect((await folder.cli(firing)).code).toBe(3);
  });

  test('trust: shows the rules with their scripts, and counts them; a changed rule has to be looked at again', async () => {
    const script = { action: 'script', script: "return { decision: 'deny', reason: 'by script' };" };
    const folder = hubProject({ hooks: { PreToolUse: [deny, script] } });
    const shown = await folder.cli(['trust', '--yes']);
    expect(shown.code).toBe(0);
    for (const text of ['2 rules', '^bash$', 'deny', 'no shell here', "reason: 'by script'"])
      expect(shown.stdout).toContain(text);
    const json = await folder.json(['trust']);
    const rules = [{ event: 'PreToolUse', rule: deny }, { rule: script }];
    expect(json).toMatchObject({ files: [{ status: 'trusted', rules }] });
    expect((await folder.cli(firing)).stdout).toContain('no shell here');
    folder.writeHub({ hooks: { PreToolUse: [{ ...deny, matcher: '^b$' }, script] } });
    expect((await folder.cli(firing)).stdout).toContain('has changed since it was trusted');
  });

  test('list, status, explain and check know the rules, with their places', async () => {
    const folder = hubProject(hub);
    const { hooks } = await folder.json(['list']);
    expect(hooks).toMatchObject([
      { id: 'hub_project_pre_tool_use_1', from: 'rules', source: 'hub.json:4', matcher: '^bash$' },
    ]);
    const untrusted = await folder.json(['status']);
    expect(untrusted).toMatchObject({ enabled: false, hooks: 1, files: [{ hooks: 1, trust: 'unknown' }] });
    const explained = await folder.json(['explain', '--event', 'PreToolUse', '--input', 'call.json']);
    expect(explained).toMatchObject({
      hooks: [{ runs: true, decision: 'deny', why: expect.stringContaining('not trusted') }],
    });
    await folder.cli(['trust', '--yes']);
    expect(await folder.json(['status'])).toMatchObject({ enabled: true, hooks: 1 });
    expect(await folder.json(['check'])).toMatchObject({ ok: true, hooks: 1, files: [{ hooks: 1 }] });
    const clear = await folder.json(['explain', '--event', 'PreToolUse', '--input', 'call.json']);
    expect(clear).toMatchObject({ hooks: [{ runs: true, decision: 'deny' }] });
  });

  test('a bad rule is a finding with its place for check, and ends a run', async () => {
    const folder = hubProject({ hooks: { PreToolUse: [deny, { action: 'deny', matcher: 'ba(sh' }] } });
    const { findings } = await folder.json(['check', '--trust']);
    expect(findings).toContainEqual(
      expect.objectContaining({
        level: 'error',
        file: 'hub.json',
        line: 11,
        entry: 'hub_project_pre_tool_use_2',
        message: expect.stringContaining('ba(sh'),
      }),
    );
    const { code, stderr } = await folder.cli([...firing, '--trust']);
    expect(code).toBe(1);
    expect(stderr).toContain('hub.json:11');
  });

  test('test runs them', async () => {
    const cases =
      'cases:\n  - name: no shell\n    event: PreToolUse\n    input: { tool_name: bash, tool_input: { command: ls } }\n    expect: { decision: deny }\n';
    const folder = hubProject(hub);
    write(folder.cwd, 'rule.hooks.yaml', cases);
    expect((await folder.cli(['test', '--trust'])).code).toBe(0);
  });
});

/** A runtime whose model asks for the tool `bash` once for each turn. */
function living(policies: readonly AnyHook[]) {
  const ran: string[] = [];
  const script = Array.from({ length: 5 }, () => [
    { toolCalls: [{ name: 'bash', input: { command: 'rm -rf x' } }] },
    'Done.',
  ]);
  const runtime = createRuntime({
    policies,
    models: { scripted: scriptedModel(script.flat()) },
    tools: [
      defineTool({
        name: 'bash',
        parameters: { type: 'object' },
        execute: () => {
          ran.push('bash');
          return 'ok';
        },
      }),
    ],
    prompts: [definePrompt({ name: 'main', tools: ['bash'] })],
    agents: [defineAgent({ name: 'helper', prompt: 'main' })],
  });
  onTestFinished(() => runtime.close());
  return { runtime, ran };
}

function hubFile(content: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-hub-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'hub.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

describe('a program that hands the rules of settings files to loadRules', () => {
  test('each action, inputMatchers, priority, reason and continueOnError hold as in a rule file', async () => {
    const logs: RuleLog[] = [];
    const file = hubFile({
      hooks: {
        PreToolUse: [
          { matcher: 'bash', action: 'log', priority: 5 },
          { action: 'allow', priority: 100 },
          { inputMatchers: { command: 'rm\\s+-rf' }, action: 'deny', reason: 'no rm here', priority: -1 },
        ],
        UserPromptSubmit: [
          {
            action: 'script',
            script: 'throw new Error("broken");',
            continueOnError: false,
            inputMatchers: { prompt: 'break' },
          },
        ],
      },
    });
    const loaded = await loadSettings([file], { trust: 'all', rules: 'hand-over' });
    const rules = await loadRules(loaded.rules, { onLog: (entry) => logs.push(entry) });
    onTestFinished(async () => void (await Promise.all([loaded.close(), rules.close()])));
    const { runtime, ran } = living([...loaded.hooks, ...rules.hooks]);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Go');
    const messages = await thread.messages();
    expect(messages.find(({ role }) => role === 'tool')?.content).toContain('no rm here');
    expect([ran, logs.length]).toEqual([[], 1]);
    const runs = await thread.runs({ id: 'hub_project_pre_tool_use_3' });
    expect(runs).toMatchObject([{ outcome: 'denied', source: `policy (${file}:1)` }]);
    expect(await thread.send('break')).toMatchObject({ status: 'denied' });
  });

  test('a new version of a watched file brings its rules, and a bad one leaves those that hold', async () => {
    const file = hubFile({ hooks: { PreToolUse: [{ action: 'log' }] } });
    const replace = (content: object): void => {
      writeFileSync(`${file}.new`, JSON.stringify(content));
      renameSync(`${file}.new`, file);
    };
    const refused: string[] = [];
    let rules: Rules | undefined;
    let swap = (_: readonly AnyHook[]): void => {};
    const watch = await loadSettings([file], {
      trust: 'all',
      rules: 'hand-over',
      watch: true,
      interval: 20,
      onSwap: async (next) => {
        rules = await loadRules(next.rules);
        swap([...next.hooks, ...rules.hooks]);
      },
      onRefused: ({ message }) => void refused.push(message),
    });
    onTestFinished(() => watch.close());
    const first = await loadRules(watch.current.rules);
    const { runtime, ran } = living([...watch.current.hooks, ...first.hooks]);
    swap = (hooks) => runtime.swapPolicies(hooks);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Go');
    expect(ran).toEqual(['bash']);
    replace({ hooks: { PreToolUse: [deny] } });
    await vi.waitFor(() => expect(rules).toBeDefined(), { timeout: 30_000, interval: 20 });
    await thread.send('Go');
    expect(ran).toEqual(['bash']);
    replace({ hooks: { PreToolUse: [{ action: 'deny', matcher: '(' }] } });
    await vi.waitFor(() => expect(refused.join()).toContain('hub.json:1'), { timeout: 30_000, interval: 20 });
    await thread.send('Go');
    expect(ran).toEqual(['bash']);
  });

  test('what is not trusted denies what it guards, and is recorded as what it is', async () => {
    const file = hubFile({ hooks: { PreToolUse: [deny, { action: 'log', priority: 1 }] } });
    const loaded = await loadSettings([file], { trust: trustStore(`${file}.trust`), rules: 'hand-over' });
    const rules = await loadRules(loaded.rules);
    onTestFinished(async () => void (await Promise.all([loaded.close(), rules.close()])));
    const { runtime, ran } = living([...loaded.hooks, ...rules.hooks]);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Go');
    expect(ran).toEqual([]);
    const runs = (await thread.runs()).filter(({ id }) => id.startsWith('hub_project_pre_tool_use'));
    expect(runs.map(({ outcome, why }) => [outcome, why])).toEqual([
      ['skipped', expect.stringContaining('it is not trusted')],
      ['denied', expect.stringContaining('it is not trusted')],
    ]);
  });
});
