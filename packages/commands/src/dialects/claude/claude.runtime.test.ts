// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the dialect fills in

import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defineHook } from '@spec/hooks';
import { defineAgent, defineTool } from '@spec/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { calls, parseCallArguments, type SceneOptions, stage } from '../../../test/scene.ts';
import { claude } from './index.ts';

/** Sends one message to an agent whose hooks these are. */
async function play(files: object | readonly object[], more: Partial<SceneOptions> = {}) {
  const list = (Array.isArray(files) ? files : [files]) as readonly object[];
  const scene = await stage({ dialect: claude, files: list, ...more });
  const result = await scene.thread.send('Hello');
  const messages = await scene.thread.messages();
  const texts = messages.map(({ role, content }) => `${role}: ${content}`);
  return { ...scene, result, texts, outcomes: await scene.outcomes() };
}

const command = (line: string, more: object = {}): object => ({ type: 'command', command: line, ...more });
const group = (line: string, more: object = {}, matcher?: string): object => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [command(line, more)],
});
const say = (value: object): string => `echo '${JSON.stringify(value)}'`;
const decide = (fields: object): string =>
  say({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });

const noRm = defineHook({
  hook: 'before_tool_call',
  id: 'no_rm',
  execute: async (_state, call) =>
    String(parseCallArguments(call).command).startsWith('rm') ? { decision: 'deny', reason: 'No rm.' } : null,
});

describe('regressions that users reported', () => {
  test.each([
    ['contrary', decide({ permissionDecision: 'allow' })],
    ['invalid', `echo '{"hookSpecificOutput": {'`],
  ])('exit code 2 with %s JSON on standard output blocks', async (_, stdout) => {
    const { ran, texts, outcomes } = await play({ PreToolUse: [group(`${stdout}; echo stop >&2; exit 2`)] });
    expect([ran, outcomes]).toEqual([[], ['1_pretooluse_1 denied']]);
    expect(texts.join()).toContain('stop');
  });

  test("a hook's allow never beats a deny rule, before it or after", async () => {
    const files = { PreToolUse: [group(decide({ permissionDecision: 'allow' }))] };
    const script = [calls('Bash', { command: 'rm x' }), 'Done.'];
    expect((await play(files, { script, before: [noRm] })).ran).toEqual([]);
    expect((await play(files, { script, after: [noRm] })).ran).toEqual([]);
  });

  test('ask never downgrades deny, whichever is first', async () => {
    const [deny, ask] = [
      group(decide({ permissionDecision: 'deny' })),
      group(decide({ permissionDecision: 'ask' })),
    ];
    for (const PreToolUse of [
      [deny, ask],
      [ask, deny],
    ]) {
      const { ran, outcomes } = await play({ PreToolUse }, { onAsk: async () => true });
      expect(ran).toEqual([]);
      expect(outcomes.map((line) => line.split(' ')[1]).sort()).toEqual(['asked', 'denied']);
    }
  });

  test('updatedInput is checked against the deny rules again', async () => {
    const files = {
      PreToolUse: [group(decide({ permissionDecision: 'allow', updatedInput: { command: 'rm -r x' } }))],
    };
    const { ran, texts } = await play(files, { before: [noRm] });
    expect(ran).toEqual([]);
    expect(texts.join()).toContain('No rm.');
  });

  test('additionalContext is kept when the tool then fails', async () => {
    const files = { PreToolUse: [group(decide({ additionalContext: 'the disk is full' }))] };
    const { texts, sent } = await play(files, { failing: ['Bash'] });
    expect(texts.some((text) => text.startsWith('tool:') && text.includes('the tool broke'))).toBe(true);
    expect(sent()).toContain('the disk is full');
  });

  test('two files with the same command both run; in one file it runs once', async () => {
    const twice = {
      PreToolUse: [group('echo x >> log', {}, 'Bash'), group('echo x >> log', {}, 'Bash|Read')],
    };
    const { folder, outcomes } = await play([twice, twice]);
    expect(folder.read('log')).toBe('x\nx\n');
    expect(outcomes.map((line) => line.split(' ')[1]).sort()).toEqual(['ok', 'ok', 'skipped', 'skipped']);
  });

  test('identical commands with different conditions are different hooks', async () => {
    const PreToolUse = ['Bash(git commit *)', 'Bash(git push *)', 'Bash(npm *)'].map((rule) =>
      group('echo x >> log', { if: rule }),
    );
    const script = [calls('Bash', { command: 'git commit && git push' }), 'Done.'];
    expect((await play({ PreToolUse }, { script })).folder.read('log')).toBe('x\nx\n');
  });

  test('a hook does not fire twice when a thread is opened again', async () => {
    const { runtime, thread, folder } = await play({ SessionStart: [group('cat >> log; echo >> log')] });
    await thread.close();
    const again = await runtime.openThread(thread.id);
    await again.close();
    const sources = folder
      .read('log')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { source: string }).source);
    expect(sources).toEqual(['startup', 'resume']);
  });

  test('a removed hook stops at once', async () => {
    const { runtime, thread, ran } = await play(
      { PreToolUse: [group('exit 2')] },
      { script: [calls('Bash'), 'Refused.', calls('Bash'), 'Done.'] },
    );
    expect(ran).toEqual([]);
    runtime.swapPolicies([]);
    await thread.send('Again');
    expect(ran).toHaveLength(1);
  });

  test('a timeout is not told as a refusal: the tool goes ahead, and the record says what happened', async () => {
    const { ran, texts, outcomes } = await play({ PreToolUse: [group('sleep 30', { timeout: 0.3 })] });
    expect([ran.length, outcomes]).toEqual([1, ['1_pretooluse_1 timed_out']]);
    expect(texts.join()).not.toContain('denied');
  });

  test('a project folder that is deleted in the middle of a session is a failure, and named', async () => {
    const scene = await stage({ dialect: claude, files: [{ PreToolUse: [group('true')] }] });
    rmSync(scene.folder.path, { recursive: true });
    await scene.thread.send('Hello');
    const [run] = (await scene.runtime.ledger.runs()).filter(({ id }) => id.endsWith('pretooluse_1'));
    expect(run).toMatchObject({ outcome: 'failed', why: expect.stringContaining('bad_folder') });
    expect(scene.ran).toHaveLength(1);
  });

  test('what async hooks decide comes too late, and is recorded so', async () => {
    const scene = await play({ PreToolUse: [group('echo no >&2; exit 2', { async: true })] });
    await scene.thread.close();
    const [run] = (await scene.runtime.ledger.runs()).filter(({ id }) => id.endsWith('pretooluse_1'));
    expect(run).toMatchObject({ outcome: 'ok', why: expect.stringContaining('comes too late') });
    expect(scene.ran).toHaveLength(1);
  });

  test('async hooks are not waited for, and ended with the session', async () => {
    const files = { PostToolUse: [group('sleep 60; touch late', { async: true })] };
    const startedAt = performance.now();
    const { thread, folder } = await play(files, { options: { drainMs: 300 } });
    await thread.close();
    await delay(300);
    expect(performance.now() - startedAt).toBeLessThan(50_000); // It sleeps for 60 s.
    expect(() => folder.read('late')).toThrow();
  });
});

describe('a whole turn', () => {
  test('all hooks start together, and are merged in their order', async () => {
    const waits = ['a', 'b', 'c'].map((name, i) =>
      group(
        `touch ${name}; while ! [ -e a -a -e b -a -e c ]; do sleep 0.05; done; sleep 0.${3 - i}; ${decide({ additionalContext: `from ${name}` })}`,
        { timeout: 10 },
      ),
    );
    const { sent, outcomes } = await play({ PreToolUse: waits });
    expect(outcomes).toHaveLength(3);
    expect(sent()).toMatch(/from a.*from b.*from c/s);
  });

  test('updatedInput takes the place of the whole input', async () => {
    const { ran } = await play({ PreToolUse: [group(decide({ updatedInput: { other: 1 } }))] });
    expect(ran).toEqual(['Bash {"other":1}']);
  });

  test('a prompt that is blocked is erased', async () => {
    const { result, texts, model } = await play({ UserPromptSubmit: [group('echo "not now" >&2; exit 2')] });
    expect(JSON.stringify(result)).toContain('not now');
    expect([texts.length, model.calls.length]).toEqual([0, 0]);
  });

  test('text on standard output is context for a prompt and for a session', async () => {
    const { model } = await play({
      UserPromptSubmit: [group('echo "branch: main"')],
      SessionStart: [group('echo "be brief"')],
    });
    const first = JSON.stringify(model.calls[0]?.prompt);
    expect(first).toContain('branch: main');
    expect(first).toContain('be brief');
  });

  test('after a tool: another output, and feedback by exit code 2', async () => {
    const output = say({
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'shorter' },
    });
    const { texts, sent } = await play({
      PostToolUse: [group(output), group('echo "3 warnings" >&2; exit 2')],
    });
    expect(texts).toContain('tool: shorter');
    expect(sent()).toContain('3 warnings');
  });

  test('a stop hook keeps the turn going, at most 8 times in a row', async () => {
    const script = Array.from({ length: 12 }, (_, i) => `Answer ${i + 1}.`);
    const { model, outcomes } = await play({ Stop: [group('echo "not yet" >&2; exit 2')] }, { script });
    expect(model.calls).toHaveLength(9);
    expect(outcomes.filter((line) => line === '1_stop_1 denied')).toHaveLength(9 - 1);
  });

  test('a stop hook that heeds stop_hook_active ends by itself', async () => {
    const line = `grep -q '"stop_hook_active":false' && { echo "run the tests" >&2; exit 2; }; exit 0`;
    const { model } = await play({ Stop: [group(line)] }, { script: ['One.', 'Two.', 'Three.'] });
    expect(model.calls).toHaveLength(2);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain('run the tests');
  });

  test('continue: false ends the turn, and the tool does not run', async () => {
    const { ran, model } = await play({
      PreToolUse: [group(say({ continue: false, stopReason: 'enough' }))],
    });
    expect([ran.length, model.calls.length]).toEqual([0, 1]);
  });

  test('exit code 2 after a batch of tools ends the turn, and the person is told why', async () => {
    const scene = await stage({
      dialect: claude,
      files: [{ PostToolBatch: [group('echo "look first" >&2; exit 2')] }],
    });
    const heard: unknown[] = [];
    scene.thread.on((event) => void (event.type === 'custom' && heard.push(event.data)));
    await scene.thread.send('Hello');
    expect([scene.ran.length, scene.model.calls.length, heard]).toEqual([1, 1, [{ message: 'look first' }]]);
  });

  test('hooks of main threads and of subagents are told apart', async () => {
    const note = (name: string): object[] => [group(`echo ${name} >> log`)];
    const helper = defineAgent({ name: 'researcher', prompt: 'plain' });
    const { folder } = await play(
      {
        Stop: note('main'),
        SubagentStop: note('subagent'),
        SubagentStart: note('start'),
        UserPromptSubmit: note('prompt'),
      },
      {
        agents: [helper],
        tools: [defineTool({ name: 'research', agent: 'researcher' } as never)],
        script: [calls('research', { message: 'Look.' }), 'Found.', 'Done.'],
      },
    );
    expect(folder.read('log').trim().split('\n')).toEqual(['prompt', 'start', 'subagent', 'main']);
  });
});

describe('handlers that are no commands', () => {
  test('http', async () => {
    const server = createServer((request, response) => {
      request
        .resume()
        .on('end', () => response.end(JSON.stringify({ decision: 'block', reason: 'says the server' })));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { ran, texts } = await play({ PreToolUse: [{ hooks: [{ type: 'http', url }] }] });
    expect(ran).toEqual([]);
    expect(texts.join()).toContain('says the server');
  });

  test.each(['prompt', 'agent'])('%s asks the model that it names', async (type) => {
    const small = ['```json\n{"ok": false, "reason": "too risky"}\n```'];
    const hooks = { PreToolUse: [{ hooks: [{ type, prompt: 'May it? $ARGUMENTS', model: 'small' }] }] };
    const { ran, texts } = await play(hooks, { models: { small } });
    expect(ran).toEqual([]);
    expect(texts.join()).toContain('too risky');
  });

  test("prompt asks the thread's own model where it names none that is known", async () => {
    const script = [calls('Bash', { command: 'ls' }), '{"ok": true}', 'Done.'];
    const hooks = { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'May it?', model: 'haiku' }] }] };
    const { ran, model, outcomes } = await play(hooks, { script, models: { other: [] } });
    expect([ran.length, model.calls.length, outcomes]).toEqual([1, 3, ['1_pretooluse_1 ok']]);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain('\\"tool_name\\":\\"Bash\\"');
  });

  test('a model that fails, or talks instead of answering, decides nothing', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'May it?', model: 'small' }] }] };
    for (const [small, outcome] of [
      [[new Error('down')], 'failed'],
      [['Looks good to me!'], 'invalid_result'],
    ] as const) {
      const { ran, outcomes } = await play(hooks, { models: { small } });
      expect([ran.length, outcomes]).toEqual([1, [`1_pretooluse_1 ${outcome}`]]);
    }
  });

  test('mcp_tool calls a tool of the runtime with fields of the payload', async () => {
    const check = defineTool({
      name: 'mcp__guard__check',
      parameters: { type: 'object' },
      execute: (input) => JSON.stringify({ decision: 'block', reason: `checked ${JSON.stringify(input)}` }),
    });
    const handler = {
      type: 'mcp_tool',
      server: 'guard',
      tool: 'check',
      input: { line: '${tool_input.command}' },
    };
    const { ran, texts } = await play(
      { PreToolUse: [{ matcher: 'Bash', hooks: [handler] }] },
      { tools: [check] },
    );
    expect(ran).toEqual([]);
    expect(texts.join()).toContain('checked {"line":"ls"}');
  });

  test('a tool that is not there is a failure, and decides nothing', async () => {
    const { ran, outcomes } = await play({
      PreToolUse: [{ hooks: [{ type: 'mcp_tool', tool: 'missing' }] }],
    });
    expect([ran.length, outcomes]).toEqual([1, ['1_pretooluse_1 failed']]);
  });
});

describe('an output that says async', () => {
  const entry = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });
  const going = `echo '{"async":true,"asyncTimeout":60000}'; until [ -e go ]; do sleep 0.02; done; touch done; exit 3`;

  test('lets the turn go on, and the record says how it ended', async () => {
    const { thread, folder, runtime } = await stage({
      dialect: claude,
      files: [{ SessionStart: [entry(going)] }],
    });
    await thread.send('Go on.');
    expect(existsSync(join(folder.path, 'done'))).toBe(false);
    folder.write('go', '');
    await thread.close();
    expect(existsSync(join(folder.path, 'done'))).toBe(true);
    const runs = (await runtime.ledger.runs()).filter(({ id }) => /_\d+$/.test(id));
    expect(runs).toMatchObject([{ outcome: 'failed', why: 'it exited with code 3 in the background' }]);
  });

  test('is ended by its own time', async () => {
    const command = `echo '{"async":true,"asyncTimeout":50}'; sleep 30`;
    const { thread, runtime } = await stage({ dialect: claude, files: [{ SessionStart: [entry(command)] }] });
    await thread.send('Go on.');
    await thread.close();
    const runs = (await runtime.ledger.runs()).filter(({ id }) => /_\d+$/.test(id));
    expect(runs).toMatchObject([{ outcome: 'timed_out', why: expect.stringContaining('asyncTimeout') }]);
  });

  test('does not send a guard away', async () => {
    const command = `echo '{"async":true}'; sleep 0.1; echo no >&2; exit 2`;
    const { thread, ran } = await stage({ dialect: claude, files: [{ PreToolUse: [entry(command)] }] });
    await thread.send('Go on.');
    expect(ran).toEqual([]);
  });
});
