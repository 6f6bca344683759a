import { setTimeout as delay } from 'node:timers/promises';
import type { ScriptedStep } from '@spec/runtime/testing';
import { describe, expect, test, vi } from 'vitest';
import { type PlainEntry, plainDialect, plainFile, sampleRuntime } from '../../test/plain-dialect.ts';
import { projectFolder } from '../../test/project-folder.ts';
import { commandHooks } from './command-hooks.ts';
import type { CommandOptions, CompiledFile } from './options.ts';

const bash = (input: Record<string, unknown> = { command: 'ls' }): ScriptedStep => ({
  toolCalls: [{ name: 'Bash', input }],
});

interface Scene {
  readonly script?: readonly ScriptedStep[];
  readonly file?: Partial<CompiledFile>;
  readonly options?: CommandOptions;
}

/** Sends one message to an agent whose hooks are these, and tells what came of it. */
async function play(
  entries: readonly PlainEntry[],
  { script = [bash(), 'Done.'], file, options }: Scene = {},
) {
  const folder = projectFolder();
  const hooks = commandHooks([plainFile(entries, file)], { projectDir: folder.path, ...options });
  const { runtime, model, ran } = sampleRuntime(hooks, script);
  const thread = await runtime.createThread({ agent: 'helper' });
  const heard: unknown[] = [];
  thread.on((event) => void (event.type === 'custom' && heard.push(event)));
  const result = await thread.send('Hello');
  const messages = await thread.messages();
  const runs = (await thread.runs()).filter(({ id }) => /^plain_\d/.test(id));
  const outcomes = runs.map(({ id, outcome }) => `${id} ${outcome}`);
  const toolResult = messages.find(({ role }) => role === 'tool')?.content;
  return { folder, hooks, runtime, thread, model, ran, result, messages, runs, outcomes, toolResult, heard };
}

const json = (value: unknown): string => `echo '${JSON.stringify(value)}'`;
const gate = (command: string, rest: Partial<PlainEntry> = {}): PlainEntry => ({
  event: 'before_tool_call',
  command,
  ...rest,
});

describe('one member for all entries of a file for an event', () => {
  test('runs the entry that matches, records the others as skipped with their clause', async () => {
    const { hooks, runs, ran } = await play([
      gate('true', { matcher: 'Read' }),
      gate('true', { matcher: 'Bash' }),
      { event: 'after_tool_call_success', command: 'true' },
    ]);
    expect(hooks.map(({ id }) => id)).toEqual([
      'plain_project_before_tool_call',
      'plain_project_after_tool_call_success',
    ]);
    expect(ran).toEqual([{ command: 'ls' }]);
    expect(runs.map(({ id, outcome, why, source }) => ({ id, outcome, why, source }))).toEqual([
      {
        id: 'plain_1',
        outcome: 'skipped',
        why: 'tools: Read is not Bash',
        source: 'policy (settings.json:1)',
      },
      { id: 'plain_2', outcome: 'ok', why: undefined, source: 'policy (settings.json:2)' },
      { id: 'plain_3', outcome: 'ok', why: undefined, source: 'policy (settings.json:3)' },
    ]);
    expect(runs[1]?.ms).toBeGreaterThan(0);
    expect(runs[1]?.sizeBefore).toBeGreaterThan(100);
  });

  test('higher priority first, equal ones as written', async () => {
    const write = (name: string, priority = 0) => gate(`echo ${name} >> order`, { priority });
    const { folder } = await play([write('a'), write('b', 5), write('c'), write('d', -1), write('e', 5)]);
    expect(folder.read('order').split('\n').join('')).toBe('beacd');
  });
});

describe('serial', () => {
  test('each sees what those before it left, the first deny ends it', async () => {
    const { ran, outcomes, toolResult, folder } = await play([
      gate(json({ input: { a: 1 } })),
      gate(`cat > seen; ${json({ input: { b: 2 } })}`),
      gate(json({ decision: 'deny', reason: 'not today' })),
      gate('touch never'),
    ]);
    expect(JSON.parse(folder.read('seen')).tool.input).toEqual({ command: 'ls', a: 1 });
    expect(ran).toEqual([]);
    expect(outcomes).toEqual(['plain_1 changed', 'plain_2 changed', 'plain_3 denied', 'plain_4 skipped']);
    expect(toolResult).toContain('not today');
    expect(() => folder.read('never')).toThrow();
  });

  test('rewrites are merged into the input, or take its place', async () => {
    const merged = await play([gate(json({ input: { command: 'pwd' } })), gate(json({ input: { x: 1 } }))]);
    expect(merged.ran).toEqual([{ command: 'pwd', x: 1 }]);
    const replaced = await play([
      gate(json({ input: { command: 'pwd' } })),
      gate(json({ input: { x: 1 } }), { rewrite: 'replace' }),
    ]);
    expect(replaced.ran).toEqual([{ x: 1 }]);
    const none = await play([gate(json({ input: { x: 1 } }), { rewrite: 'none' })]);
    expect(none.ran).toEqual([{ command: 'ls' }]);
    expect(none.outcomes).toEqual(['plain_1 ok']);
  });

  test('first decision: what decides anything ends it', async () => {
    const dialect = plainDialect({ strategy: () => 'first-decision' });
    const { outcomes, ran } = await play(
      [gate('true'), gate(json({ decision: 'allow' })), gate(json({ decision: 'deny' }))],
      { file: { dialect } },
    );
    expect(outcomes).toEqual(['plain_1 ok', 'plain_2 ok', 'plain_3 skipped']);
    expect(ran).toHaveLength(1);
  });
});

describe('parallel', () => {
  const dialect = plainDialect({ strategy: () => 'parallel', identicalOnce: true });

  test('starts all together and merges in declared order', async () => {
    const meet = 'until [ -e one ] && [ -e two ] && [ -e three ]; do sleep 0.05; done';
    const { result, messages, outcomes } = await play(
      ['one', 'two', 'three'].map((name, i) => ({
        event: 'before_user_message' as const,
        command: `touch ${name}; ${meet}; sleep ${0.4 - i * 0.2}; ${json({ context: name })}`,
      })),
      { script: ['Hi.'], file: { dialect } },
    );
    expect(result.status).toBe('completed');
    expect(messages[1]?.content).toBe('one\n\ntwo\n\nthree');
    expect(outcomes.toSorted()).toEqual(['plain_1 ok', 'plain_2 ok', 'plain_3 ok']);
  });

  test('deny beats ask beats allow, whatever the order', async () => {
    const answers = [{ decision: 'allow' }, { decision: 'ask' }, { decision: 'deny', reason: 'no' }];
    for (const [i] of answers.entries()) {
      const order = [...answers.slice(i), ...answers.slice(0, i)];
      const { toolResult } = await play(
        order.map((answer) => gate(json(answer))),
        { file: { dialect } },
      );
      expect(toolResult).toBe('This tool call was denied by plain_project_before_tool_call. no');
    }
  });

  test('identical handlers run once', async () => {
    const { folder, outcomes, runs } = await play([gate('echo x >> count'), gate('echo x >> count')], {
      file: { dialect },
    });
    expect(folder.read('count')).toBe('x\n');
    expect(outcomes).toEqual(['plain_2 skipped', 'plain_1 ok']);
    expect(runs[0]?.why).toBe('plain_1 has the same handler');
  });

  test('a handler that blocks is not the same as one that lets pass, whichever comes first', async () => {
    const lax = gate('exit 3');
    const others = {
      onBlockingExit: 'continue',
      onTimeout: 'continue',
      onLaunchError: 'continue',
      onInvalidOutput: 'continue',
    } as const;
    const strict = gate('exit 3', { effects: { ...others, onExit: 'block' } });
    for (const entries of [
      [lax, strict],
      [strict, lax],
    ]) {
      const { toolResult } = await play(entries, { file: { dialect } });
      expect(toolResult).toMatch(/was denied/);
    }
  });

  test('no more at once than the file says, and none is cut off while it waits', async () => {
    const { folder, outcomes } = await play(
      Array.from({ length: 6 }, (_, i) =>
        gate(`echo + >> log; sleep 0.2; echo - >> log; true ${i}`, { timeoutMs: 1_000 }),
      ),
      { file: { dialect, maxConcurrent: 2 } },
    );
    let running = 0;
    let most = 0;
    for (const sign of folder.read('log').trim().split('\n')) {
      running += sign === '+' ? 1 : -1;
      most = Math.max(most, running);
    }
    expect(most).toBe(2);
    expect(outcomes.filter((outcome) => outcome.endsWith(' ok'))).toHaveLength(6);
  });
});

describe('failures, each by its cause', () => {
  const effects = (effect: 'continue' | 'block' | 'ask') => ({
    onBlockingExit: effect,
    onExit: effect,
    onTimeout: effect,
    onLaunchError: effect,
    onInvalidOutput: effect,
  });
  const causes = {
    'exit 3': ['failed', 'denied', 'exit code 3'],
    'kill -9 $$': ['failed', 'failed', 'its process was killed by SIGKILL'],
    'sleep 30': ['timed_out', 'timed_out', 'no answer within 300 ms'],
    './no-such-thing': ['failed', 'failed', 'the command was not found (127)'],
    'echo oops': ['invalid_result', 'invalid_result', 'it is not JSON'],
  } as const;

  test.for(Object.entries(causes))('%s', async ([command, [whenContinuing, whenBlocking, why]]) => {
    const timeoutMs = command === 'sleep 30' ? 300 : 5_000;
    const go = await play([gate(command, { effects: effects('continue'), timeoutMs })]);
    expect(go.outcomes).toEqual([`plain_1 ${whenContinuing}`]);
    expect(go.runs[0]?.why).toBe(why);
    expect(go.ran).toHaveLength(1);
    const blocked = await play([gate(command, { effects: effects('block'), timeoutMs })]);
    expect(blocked.outcomes).toEqual([`plain_1 ${whenBlocking}`]);
    expect(blocked.toolResult).toContain(`The hook plain_1 did not succeed: ${why}.`);
    expect(blocked.ran).toHaveLength(0);
  });

  test('an ask that nobody can answer is a deny', async () => {
    const { ran, outcomes } = await play([gate('exit 3', { effects: effects('ask') })]);
    expect(ran).toHaveLength(0);
    expect(outcomes).toEqual(['plain_1 asked']);
  });

  test('exit 2 blocks with what it wrote as the reason', async () => {
    const { toolResult, outcomes } = await play([gate('echo "use rg" >&2; exit 2')]);
    expect(toolResult).toContain('use rg');
    expect(outcomes).toEqual(['plain_1 denied']);
  });

  test('a guard that cannot see all of its input blocks, whatever its settings say', async () => {
    const script = [bash({ command: 'x'.repeat(200_000) }), 'Done.'];
    const named = await play([gate('test -z "$INPUT"')], { script });
    expect(named.ran).toHaveLength(0);
    expect(named.outcomes).toEqual(['plain_1 invalid_input']);
    const other = await play([gate('wc -c < "$HOOK_INPUT_FILE" > size')], { script });
    expect(other.ran).toHaveLength(1);
    expect(Number(other.folder.read('size'))).toBeGreaterThan(200_000);
  });

  test('what the command wrote is in no record', async () => {
    const { runs } = await play([gate('echo s3cret; echo s3cret >&2; exit 3'), gate('echo s3cret')]);
    expect(runs).toHaveLength(2);
    expect(JSON.stringify(runs)).not.toContain('s3cret');
  });
});

describe('conditions', () => {
  const dialect = plainDialect({ conditionIsCommand: true });

  test('the entry runs where its condition exits with 0', async () => {
    const { outcomes, runs, folder } = await play(
      [
        gate('touch first', { condition: 'test "$TOOL" = Bash' }),
        gate('touch second', { condition: 'exit 4' }),
      ],
      { file: { dialect } },
    );
    expect(outcomes).toEqual(['plain_1 ok', 'plain_2 skipped']);
    expect(runs[1]?.why).toBe('its condition exited with 4');
    expect(folder.read('first')).toBe('');
  });

  test('a command that is not there is a condition that does not hold', async () => {
    const { outcomes, runs } = await play(
      [
        gate('exit 2', { condition: 'no-such-formatter --version' }),
        gate('exit 2', { condition: 'command -v nosuch' }),
      ],
      { file: { dialect } },
    );
    expect(outcomes).toEqual(['plain_1 skipped', 'plain_2 skipped']);
    expect(runs[0]?.why).toBe('its condition exited with 127');
  });

  test('one that gives no answer fails as the entry would', async () => {
    const { ran, runs } = await play(
      [
        gate('true', {
          condition: 'sleep 30',
          timeoutMs: 500,
          effects: {
            onBlockingExit: 'block',
            onExit: 'block',
            onTimeout: 'block',
            onLaunchError: 'block',
            onInvalidOutput: 'block',
          },
        }),
      ],
      { file: { dialect } },
    );
    expect(ran).toHaveLength(0);
    expect(runs[0]).toMatchObject({ outcome: 'timed_out', why: 'its condition: no answer within 500 ms' });
  });
});

describe('what comes of the answers on each hook', () => {
  test('a prompt is refused, or annotated', async () => {
    const refused = await play(
      [
        {
          event: 'before_user_message',
          command: json({ decision: 'deny', reason: 'no', userMessage: 'hm' }),
        },
      ],
      { script: [] },
    );
    expect(refused.result).toMatchObject({ status: 'denied', reason: 'no', userMessage: 'hm' });
    expect(refused.messages).toEqual([]);
  });

  test('context of a tool goes into a message behind its result, or behind the result itself', async () => {
    const entries = ['note a', 'note b'].map((context) => ({
      event: 'after_tool_call_success' as const,
      command: json({ context }),
    }));
    const message = await play(entries);
    expect(message.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
    ]);
    expect(message.messages[3]?.content).toBe('note a\n\nnote b');
    const dialect = plainDialect({ contextBehindResult: (contexts) => `\n[Context]\n${contexts.join('+')}` });
    const behind = await play(entries, { file: { dialect } });
    expect(behind.toolResult).toBe('Bash ran\n[Context]\nnote a+note b');
    expect(behind.messages).toHaveLength(4);
  });

  test('a result is replaced', async () => {
    const { toolResult, outcomes } = await play([
      { event: 'after_tool_call_success', command: json({ output: 'other' }) },
    ]);
    expect(toolResult).toBe('other');
    expect(outcomes).toEqual(['plain_1 changed']);
  });

  test('a turn is kept going, and no longer than the runtime lets it', async () => {
    const { messages, runs, model } = await play(
      [{ event: 'before_stop', command: json({ keepsGoing: true, reason: 'test it first' }) }],
      { script: Array.from({ length: 20 }, () => 'Done.') },
    );
    expect(messages.filter(({ content }) => content === 'test it first')).toHaveLength(8);
    expect(model.calls).toHaveLength(9);
    expect(runs).toHaveLength(8);
  });

  test('a turn is ended, and the tool does not run', async () => {
    const { result, ran, toolResult } = await play([gate(json({ endsTurn: true, reason: 'enough' }))]);
    expect(ran).toEqual([]);
    expect(toolResult).toContain('enough');
    expect(result).toMatchObject({ status: 'stopped', steps: 1 });
  });

  test('context of a session’s start waits for the first prompt', async () => {
    const { messages } = await play(
      [{ event: 'after_session_started', command: `${json({ context: 'branch main' })}` }],
      { script: ['Hi.'] },
    );
    expect(messages[1]).toMatchObject({ role: 'user', content: 'branch main' });
  });

  test('what is for the person is told to listeners, and so is that an entry runs', async () => {
    const { heard } = await play([
      {
        event: 'after_tool_call_success',
        command: json({ userMessage: 'formatted' }),
        statusMessage: 'Formatting…',
      },
    ]);
    expect(heard).toMatchObject([
      { name: 'command_hook_status', data: { id: 'plain_1', message: 'Formatting…' } },
      { name: 'command_hook_message', data: { message: 'formatted' } },
    ]);
  });

  test('entries for main threads and for subagents are told apart, with one session', async () => {
    const stop = (only: 'main' | 'subagent'): PlainEntry => ({
      event: 'before_stop',
      command: `echo ${only} $SESSION $THREAD >> stops`,
      only,
    });
    const { folder, outcomes, thread } = await play([stop('main'), stop('subagent')], {
      script: [{ toolCalls: [{ name: 'ask_child', input: { task: 'go' } }] }, 'Child.', 'Done.'],
    });
    const [child, main] = folder
      .read('stops')
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    expect(main).toEqual(['main', thread.id, thread.id]);
    expect(child?.slice(0, 2)).toEqual(['subagent', thread.id]);
    expect(child?.[2]).not.toBe(thread.id);
    expect(outcomes).toEqual(['plain_1 ok', 'plain_2 skipped']);
  });
});

describe('in the background', () => {
  const later = (command: string, rest: Partial<PlainEntry> = {}): PlainEntry => ({
    event: 'after_tool_call_success',
    command,
    isAwaited: false,
    ...rest,
  });

  test('nobody waits for it, it is drained at the end of the session, and recorded', async () => {
    const { thread, outcomes, folder, runtime } = await play([later('sleep 0.8; echo done > late')]);
    expect(outcomes).toEqual([]);
    expect(() => folder.read('late')).toThrow();
    await thread.close();
    expect(folder.read('late')).toBe('done\n');
    const runs = await runtime.ledger.runs({ threadId: thread.id });
    expect(runs.find(({ id }) => id === 'plain_1')).toMatchObject({ outcome: 'ok' });
  });

  test('one that takes too long is ended with the session', async () => {
    const { thread, folder } = await play([later('echo $$ > pid; sleep 30', { timeoutMs: 60_000 })], {
      options: { drainMs: 200 },
    });
    await vi.waitFor(() => expect(folder.read('pid')).toMatch(/\d\n/));
    const startedAt = performance.now();
    await thread.close();
    expect(performance.now() - startedAt).toBeLessThan(20_000); // It sleeps for 30 s.
    expect(() => process.kill(Number(folder.read('pid')), 0)).toThrow();
  });

  test('closing the runtime ends them', async () => {
    const { runtime } = await play([later('sleep 30', { timeoutMs: 60_000 })], { options: { drainMs: 100 } });
    const startedAt = performance.now();
    await runtime.close();
    expect(performance.now() - startedAt).toBeLessThan(20_000); // It sleeps for 30 s.
  });

  test('they keep their order', async () => {
    const { thread, folder } = await play([later('sleep 0.3; echo a >> log'), later('echo b >> log')]);
    await thread.close();
    expect(folder.read('log')).toBe('a\nb\n');
  });
});

describe('ending', () => {
  test('stopping the thread ends the command that runs', async () => {
    const folder = projectFolder();
    const hooks = commandHooks([plainFile([gate('sleep 30; touch late', { timeoutMs: 60_000 })])], {
      projectDir: folder.path,
    });
    const { runtime, ran } = sampleRuntime(hooks, [bash(), 'Done.']);
    const thread = await runtime.createThread({ agent: 'helper' });
    const sending = thread.send('Hello');
    await delay(400);
    const startedAt = performance.now();
    await thread.stop();
    expect((await sending).status).toBe('aborted');
    expect(performance.now() - startedAt).toBeLessThan(20_000); // It sleeps for 30 s.
    expect(ran).toEqual([]);
  });

  test('the hook’s own deadline comes after those of its entries, one after another', async () => {
    const slow = gate('sleep 0.4', { timeoutMs: 600 });
    const { outcomes } = await play([slow, slow]);
    expect(outcomes).toEqual(['plain_1 ok', 'plain_2 ok']);
    const entries = [gate('true', { timeoutMs: 600_000 }), gate('true', { timeoutMs: 300_000 })];
    expect(commandHooks([plainFile(entries)])[0]?.timeout).toBeGreaterThan(900_000);
    const waiting = commandHooks([plainFile(entries, { maxConcurrent: 1 })]);
    expect(waiting[0]?.timeout).toBe(2 ** 31 - 1);
  });
});

test('an event in which no command can run is refused', () => {
  const file = plainFile([{ event: 'filter_messages', command: 'true' }]);
  expect(() => commandHooks([file])).toThrow('"plain_1" is for filter_messages, in which no command can run');
});
