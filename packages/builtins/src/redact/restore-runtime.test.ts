import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { inspect } from 'node:util';
import { type AnyHook, defineHook, type ThreadState } from '@spec/hooks';
import {
  type AnyTool,
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type Runtime,
  type RuntimeOptions,
  type Thread,
  type ThreadEvent,
} from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { bundleProgram } from '@spec/test-helpers/bundle-program';
import { afterEach, describe, expect, test } from 'vitest';
import { startShop } from '../../test/restore-killed.ts';
import { redact } from './index.ts';

const CARD = '4111 1111 1111 1111';
const PASSWORD = 'hunter2!';
const VALUES = [CARD, PASSWORD, 'anna@example.com'];
const SAID = `Charge ${CARD}, my password is ${PASSWORD} and my mail anna@example.com.`;

const folders: string[] = [];
const runtimes: Runtime[] = [];
afterEach(async () => {
  await Promise.allSettled(runtimes.splice(0).map((runtime) => runtime.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'restore-'));
  folders.push(folder);
  return folder;
}

const MAIL = 'anna@example.com';

/** A guard that also tidies up what it lets pass. */
const tidyGuard = defineHook({
  hook: 'before_tool_call',
  id: 'tidy_guard',
  execute: async (_, call) => {
    const { to } = JSON.parse(call.function.arguments) as { to: string };
    if (to.includes('anna')) return { decision: 'deny', reason: 'Not to anna.' };
    return to.includes(' ') ? { input: { to: to.replaceAll(' ', '') } } : null;
  },
});

describe('what is put back into a rewritten call is judged by who rewrote it', () => {
  test.each(['before', 'after'])('a guard %s redact', async (where) => {
    const sent: unknown[] = [];
    const send = defineTool({ name: 'send', execute: (input) => void sent.push(input) });
    const hooks: readonly AnyHook[] = redact({ restore: 'tools' });
    const policies = where === 'before' ? [tidyGuard, ...hooks] : [...hooks, tidyGuard];
    const { runtime } = start({
      script: [{ toolCalls: [{ name: 'send', input: { to: '[EMAIL_ 1]' } }] }, 'Done.'],
      tools: [send],
      policies,
    });
    const thread = await runtime.createThread({ agent: 'main' });
    await thread.send(`Write to ${MAIL}.`);
    expect(sent).toEqual([]);
    expect((await thread.messages()).find(({ role }) => role === 'tool')?.content).toContain('Not to anna.');
  });
});

interface Setup extends Omit<Partial<RuntimeOptions>, 'agents' | 'prompts' | 'models' | 'policies'> {
  readonly folder?: string;
  readonly script: readonly ScriptedStep[];
  readonly policies?: readonly AnyHook[];
  /** Tools of the child agent named `helper`, and what its model says. */
  readonly helper?: { readonly tools: readonly string[]; readonly script: readonly ScriptedStep[] };
}

/** A runtime on a real SQLite file. */
function start({ folder = newFolder(), script, policies, tools = [], helper, ...options }: Setup) {
  const model = scriptedModel(script);
  const helperModel = scriptedModel(helper?.script ?? []);
  const names = tools.map(({ name }) => name).filter((name) => helper?.tools.includes(name) !== true);
  const runtime = createRuntime({
    models: { main: model, helper: helperModel },
    agents: [
      defineAgent({ name: 'main', prompt: 'main' }),
      defineAgent({ name: 'helper', prompt: 'helper' }),
    ],
    prompts: [
      definePrompt({ name: 'main', model: 'main', tools: names }),
      definePrompt({ name: 'helper', model: 'helper', tools: helper?.tools ?? [] }),
    ],
    tools,
    store: sqliteStore({ path: join(folder, 'threads.db') }),
    policies: policies ?? redact({ restore: 'tools' }),
    ...options,
  });
  runtimes.push(runtime);
  const bytes = (): string =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join();
  return { runtime, folder, calls: [model.calls, helperModel.calls], bytes };
}

/** A tool that remembers what it was given. */
function spyTool(
  name: string,
  answer: (input: Record<string, unknown>, state: ThreadState) => unknown = () => 'ok',
) {
  const given: unknown[] = [];
  const tool: AnyTool = defineTool({
    name,
    execute: (input, { state }) => {
      given.push(input);
      return answer(input as Record<string, unknown>, state) as never;
    },
  });
  return { tool, given };
}

const call = (name: string, input: Record<string, unknown>): ScriptedStep => ({
  toolCalls: [{ name, input }],
});
const results = async (thread: Thread): Promise<unknown[]> =>
  (await thread.messages()).filter(({ role }) => role === 'tool').map(({ content }) => content);

describe('a tool that is given real values', () => {
  test('is the only one, with those who decide on its call: neither file nor model, ledger, events nor hooks on its result see them', async () => {
    const seen: unknown[] = [];
    const decided: unknown[] = [];
    const events: ThreadEvent[] = [];
    const spy = (
      hook: 'before_tool_call' | 'before_permission_request',
      id: string,
      priority: number,
    ): AnyHook =>
      defineHook({
        hook,
        id,
        priority,
        execute: async (_state: ThreadState, subject: unknown) => {
          decided.push(subject);
          return hook === 'before_tool_call' ? { decision: 'ask' as const, reason: 'money' } : null;
        },
      } as never) as AnyHook;
    const after = defineHook({
      hook: 'after_tool_call_success',
      id: 'spy_after',
      execute: async (_state, subject) => {
        seen.push(subject);
        return null;
      },
    });
    const { tool, given } = spyTool('charge', ({ card, note }) => ({ echo: card, note }));
    const { runtime, calls, bytes } = start({
      script: [
        call('charge', { card: '[CARD_1]', note: 'for [EMAIL_1] with [SECRET_1]' }),
        'Done, [CARD_1].',
      ],
      tools: [tool],
      policies: [
        spy('before_tool_call', 'spy_first', 9),
        ...redact({ restore: 'tools' }),
        spy('before_tool_call', 'spy_last', -9),
        spy('before_permission_request', 'spy_permission', 0),
        after,
      ],
      onAsk: (ask) => decided.push(ask) > 0,
    });
    const thread = await runtime.createThread({ agent: 'main' });
    thread.on((event) => events.push(event));
    await thread.send(SAID);
    expect(given).toEqual([{ card: CARD, note: `for anna@example.com with ${PASSWORD}` }]);
    expect(await results(thread)).toEqual(['{"echo":"[CARD_1]","note":"for [EMAIL_1] with [SECRET_1]"}']);
    expect(seen).toHaveLength(1);
    expect(decided).toHaveLength(4);
    for (const one of decided) expect(inspect(one, { depth: 9 })).toContain(CARD);
    expect(events.length).toBeGreaterThan(5);
    const ledger = await runtime.ledger.runs();
    expect(ledger).toContainEqual(
      expect.objectContaining({
        id: 'redact_tool_input',
        why: 'restore',
        changed: true,
        sizeBefore: 0,
        sizeAfter: 0,
      }),
    );
    const shown = {
      file: bytes(),
      model: inspect(calls, { depth: 20, maxStringLength: null }),
      ledger: JSON.stringify(ledger),
      events: JSON.stringify(events),
      seen: inspect(seen, { depth: 20 }),
      messages: JSON.stringify(await thread.messages()),
    };
    expect(shown.file).toContain('[CARD_1]');
    for (const [place, text] of Object.entries(shown))
      for (const value of VALUES) expect([place, value, text.includes(value)]).toEqual([place, value, false]);
  });

  test('is checked against its schema with them, also where a hook rewrote the call', async () => {
    const given: unknown[] = [];
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) =>
          /^[\d ]+$/.test((value as { card: string }).card)
            ? { value }
            : { issues: [{ message: 'no card number', path: ['card'] }] },
      },
    } as const;
    const tool = defineTool({
      name: 'charge',
      input: schema as never,
      parameters: { type: 'object', properties: { card: { type: 'string' } } },
      execute: (input) => void given.push(input),
    });
    const rewrite = defineHook({
      hook: 'before_tool_call',
      id: 'add_amount',
      execute: async (_state, { function: { arguments: json } }) => ({
        input: { ...JSON.parse(json), amount: 5 },
      }),
    });
    const { runtime } = start({
      script: [call('charge', { card: '[CARD_1]' }), call('charge', { card: '[EMAIL_1]' }), 'Done'],
      tools: [tool as AnyTool],
      policies: [...redact({ restore: 'tools' }), rewrite],
    });
    const thread = await runtime.createThread({ agent: 'main' });
    await thread.send(SAID);
    expect(given).toEqual([{ card: CARD, amount: 5 }]);
    expect((await results(thread))[1]).toMatch(/does not accept it at card/);
  });

  test('has its errors redacted', async () => {
    const { tool } = spyTool('login', ({ password }) => {
      throw new Error(`wrong password ${password}`);
    });
    const { runtime, bytes } = start({
      script: [call('login', { password: '[SECRET_1]' }), 'Hm.'],
      tools: [tool],
    });
    const thread = await runtime.createThread({ agent: 'main' });
    await thread.send(SAID);
    expect((await results(thread))[0]).toBe('wrong password [SECRET_1]');
    expect(bytes()).not.toContain(PASSWORD);
  });

  test('writes nothing of them through its state', async () => {
    const { tool } = spyTool('login', async ({ password }, state) => {
      await state.injectMessage({ role: 'user', content: `logged in with ${password}` });
      await state.queueMessage({ role: 'user', content: `again ${password}` });
      return 'ok';
    });
    const { runtime, bytes } = start({
      script: [call('login', { password: '[SECRET_1]' }), 'Done.'],
      tools: [tool],
    });
    const thread = await runtime.createThread({ agent: 'main' });
    await thread.send(SAID);
    const texts = (await thread.messages()).map(({ content }) => content);
    expect(texts).toContain('logged in with [SECRET_1]');
    expect(texts).toContain('again [SECRET_1]');
    expect(bytes()).not.toContain(PASSWORD);
  });

  test.each(['invokeTool', 'queueTool'] as const)('hands them on by %s to a tool alone', async (way) => {
    const inner = spyTool('charge');
    const decided: unknown[] = [];
    const ask = defineTool({ name: 'charge', permission: 'ask', execute: inner.tool.execute as never });
    const { tool } = spyTool('begin', async ({ card }, state) => {
      await state[way]('charge', { card });
      return 'ok';
    });
    const seen: unknown[] = [];
    const hook = defineHook({
      hook: 'before_tool_call',
      id: 'sees',
      execute: async (_, { function: called }) => {
        decided.push(called);
        return null;
      },
    });
    const { runtime, bytes } = start({
      script: [call('begin', { card: '[CARD_1]' }), 'Done.', 'Done.'],
      tools: [tool, ask],
      policies: [...redact({ restore: 'tools' }), hook],
      onAsk: (question) => decided.push(question) > 0,
    });
    const thread = await runtime.createThread({ agent: 'main' });
    thread.on((event) => seen.push(event));
    await thread.send(SAID);
    expect(inner.given).toEqual([{ card: CARD }]);
    expect(inspect(seen, { depth: 9 })).toContain('[CARD_1]');
    expect(inspect(decided, { depth: 9 })).toContain(CARD);
    expect(inspect(seen, { depth: 9 })).not.toMatch(/4111\D{0,2}1111/); // Four digits alone may be of an id or a time.
    expect(bytes()).not.toContain(CARD);
  });

  test.each(['invokeTool', 'queueTool'] as const)('by %s of a hook', async (way) => {
    const { tool, given } = spyTool('charge');
    const { tool: start1 } = spyTool('begin');
    const hook = defineHook({
      hook: 'after_tool_call_success',
      id: 'then_charge',
      match: 'begin',
      execute: async (state) => {
        await state[way]('charge', { card: '[CARD_1]' });
        return null;
      },
    });
    const { runtime, bytes } = start({
      script: [call('begin', {}), 'Done.', 'Done.'],
      tools: [tool, start1],
      policies: [...redact({ restore: 'tools' }), hook],
    });
    const thread = await runtime.createThread({ agent: 'main' });
    await thread.send(SAID);
    expect(given).toEqual([{ card: CARD }]);
    expect(bytes()).not.toContain(CARD);
  });
});

describe('a tool that is an agent', () => {
  test('gets placeholders, and its own tools the values behind them', async () => {
    const { tool, given } = spyTool('charge', () => ({ receipt: 'bob@example.com' }));
    const { tool: mail, given: mailed } = spyTool('send_mail');
    const agent = defineTool({ name: 'ask_helper', agent: 'helper' }) as AnyTool;
    const told: unknown[] = [];
    const spy = defineHook({
      hook: 'before_create_message',
      id: 'spy_child',
      priority: 9,
      execute: async (state, message) => {
        if ((await state.getParentThread()) !== null && message.role === 'user') told.push(message.content);
        return message;
      },
    });
    const { runtime, calls, bytes } = start({
      policies: [spy, ...redact({ restore: { to: 'tools', into: { send_mail: ['to'] } } })],
      script: [
        call('ask_helper', { task: 'Charge [CARD_1].' }),
        call('send_mail', { to: '[EMAIL_2]', copy: '[EMAIL_1]' }),
        'Done.',
      ],
      helper: { tools: ['charge'], script: [call('charge', { card: '[CARD_1]' }), 'Receipt to [EMAIL_2].'] },
      tools: [tool, mail, agent],
    });
    const thread = await runtime.createThread({ agent: 'main' });
    await thread.send(SAID);
    expect(told).toEqual(['Charge [CARD_1].']);
    expect(given).toEqual([{ card: CARD }]);
    expect((await results(thread))[0]).toBe('Receipt to [EMAIL_2].');
    expect(mailed).toEqual([{ to: 'bob@example.com', copy: 'anna@example.com' }]);
    const everything = bytes() + inspect(calls, { depth: 20 });
    for (const value of [...VALUES, 'bob@example.com']) expect(everything).not.toContain(value);
  });
});

describe('after a restart', () => {
  const restart = async (restore: Parameters<typeof redact>[0]) => {
    const first = start({ script: ['Noted.'], policies: redact(restore) });
    const { id } = await first.runtime.createThread({ agent: 'main' }).then(async (thread) => {
      await thread.send(SAID);
      return thread;
    });
    await first.runtime.close();
    const { tool, given } = spyTool('charge', ({ card }) => `charged ${card}`);
    const second = start({
      folder: first.folder,
      script: [call('charge', { card: '[CARD_1]' }), 'Done.'],
      tools: [tool],
      policies: redact(restore),
    });
    const thread = await second.runtime.openThread(id);
    await thread.send('Go.');
    return { given, thread, bytes: second.bytes, ledger: await second.runtime.ledger.runs() };
  };

  test('a call whose values are lost is not run', async () => {
    const { given, thread } = await restart({ restore: 'tools' });
    expect(given).toEqual([]);
    expect((await results(thread))[0]).toMatch(
      /denied by redact_tool_input\. What \[CARD_1\] stands for is no longer known/,
    );
  });

  test('a call whose values were kept under a key is', async () => {
    const { given, thread, bytes } = await restart({
      restore: { to: 'tools', key: 'a passphrase of some length' },
    });
    expect(given).toEqual([{ card: CARD }]);
    expect(await results(thread)).toEqual(['charged [CARD_1]']);
    for (const value of VALUES) expect(bytes()).not.toContain(value);
  });
});

test('traced values are not those that were put back', async () => {
  const traced: unknown[] = [];
  const { tool } = spyTool('charge');
  const { runtime } = start({
    script: [call('charge', { card: '[CARD_1]' }), 'Done.'],
    tools: [tool],
    trace: 'values',
    onRunValues: (run) => traced.push(run),
  });
  const thread = await runtime.createThread({ agent: 'main' });
  await thread.send(SAID);
  const own = [...traced, ...(await runtime.ledger.runs())].filter(
    (run) => (run as { id: string }).id === 'redact_tool_input',
  );
  expect(own).toHaveLength(4);
  for (const value of VALUES) expect(inspect(own, { depth: 9 })).not.toContain(value);
});

test('a process that is killed while the tool runs: the one after it gives the tool the value again', {
  timeout: 60_000,
}, async () => {
  const path = join(newFolder(), 'threads.db');
  const program = await bundleProgram(new URL('../../test/restore-killed.ts', import.meta.url), {
    external: ['better-sqlite3'],
  });
  const process = spawn(execPath, [program, path]);
  const [, signal] = await once(process, 'exit');
  expect(signal).toBe('SIGKILL');

  const given: unknown[] = [];
  const runtime = startShop(
    path,
    ['Paid.'],
    (input) => `charged ${given.push(input)}: ${JSON.stringify(input)}`,
  );
  runtimes.push(runtime);
  const thread = await runtime.openThread('killed');
  await expect.poll(() => thread.resume().catch(() => undefined), { timeout: 20_000 }).toBeTruthy();
  expect(given).toEqual([{ card: CARD }]);
  expect(await results(thread)).toEqual(['charged 1: {"card":"[CARD_1]"}']);
});
