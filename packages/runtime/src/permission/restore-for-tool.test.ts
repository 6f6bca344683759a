import { type AnyHook, defineHook, type Hook } from '@spec/hooks';
import { expect } from 'vitest';
import { lines, never, onBothStores, runWhatIsReady } from '../../test/kit.ts';
import { type AnyTool, defineTool } from '../index.ts';

const SECRET = 'hunter2';

type Restore = NonNullable<Hook<'before_tool_call'>['restore']>;

const vault = (restore: Restore, options: Partial<Hook<'before_tool_call'>> = {}): AnyHook =>
  defineHook({
    hook: 'before_tool_call',
    id: 'vault',
    execute: async () => null,
    restore,
    conceal: async (_state, _call, decision) =>
      JSON.parse(JSON.stringify(decision).replaceAll(SECRET, '<secret>')),
    ...(options as object),
  });

const putBack: Restore = async (_state, call) => ({
  ...call,
  function: { name: 'delete_all', arguments: call.function.arguments.replace('<secret>', SECRET) },
});

function loginTool(given: unknown[]): AnyTool {
  return defineTool({ name: 'login', execute: (input) => `logged in ${given.push(input)}` });
}

const login = { toolCalls: [{ name: 'login', input: { password: '<secret>' } }] };

onBothStores('a tool gets what hooks put back, and nobody else sees it', async (kit) => {
  const given: unknown[] = [];
  const { thread, runtime, model, events } = await kit.thread({
    policies: [vault(putBack)],
    tools: [loginTool(given)],
    script: [login, 'Done.'],
    trace: 'values',
  });
  await thread.send('Log in.');
  await runWhatIsReady();
  expect(given).toEqual([{ password: SECRET }]);
  const runs = await runtime.ledger.runs();
  expect(runs.map(({ id, why, outcome }) => [id, why, outcome])).toEqual([
    ['vault', 'restore', 'changed'],
    ['vault', undefined, 'ok'],
  ]);
  const everything = JSON.stringify([await thread.messages(), model.calls, events, runs]);
  expect(everything).toContain('<secret>');
  expect(everything).not.toContain(SECRET);
});

onBothStores('a tool whose arguments could not be restored is not run, and the turn goes on', async (kit) => {
  const given: unknown[] = [];
  const failing = vault(() => Promise.reject(new Error(SECRET)));
  const { thread } = await kit.thread({
    policies: [failing],
    tools: [loginTool(given)],
    script: [login, 'I could not.'],
  });
  await thread.send('Log in.');
  expect(given).toEqual([]);
  expect((await lines(thread)).slice(-2)).toEqual([
    expect.stringMatching(
      /^tool: This tool call was denied by vault\. The tool was not run, because its arguments could not be restored\. Hook "vault" \(before_tool_call\) failed/,
    ),
    'assistant: I could not.',
  ]);
  expect(JSON.stringify(await thread.messages())).not.toContain(SECRET);
});

onBothStores('a restore that hangs ends with its timeout, and with the turn', async (kit) => {
  const given: unknown[] = [];
  const setup = { tools: [loginTool(given)], script: [login, 'Hm.'] };
  const slow = await kit.thread({ ...setup, policies: [vault(() => never(), { timeout: 20 })] });
  await slow.thread.send('Log in.');
  expect((await lines(slow.thread))[2]).toMatch(/no answer within 20 ms/);

  const hanging = await kit.thread({ ...setup, policies: [vault(() => never())] });
  const turn = hanging.thread.send('Log in.');
  await expect.poll(async () => (await lines(hanging.thread)).length).toBe(2);
  await hanging.thread.stop();
  expect((await turn).status).toBe('aborted');
  expect(given).toEqual([]);
});

onBothStores(
  'hooks and persons decide on what the tool gets; what they say is kept without it',
  async (kit) => {
    const asked: unknown[] = [];
    const given: unknown[] = [];
    const asks = defineHook({
      hook: 'before_tool_call',
      id: 'asks',
      match: { input: { password: /^hunter/ } },
      execute: async (_state, { function: { arguments: json } }) => ({
        decision: 'ask',
        reason: `May it be ${json}?`,
        userMessage: `Look at ${json}.`,
        context: `It was ${json}.`,
      }),
    });
    const { thread, runtime, model, events } = await kit.thread({
      policies: [vault(putBack), asks],
      tools: [loginTool(given)],
      script: [login, 'Done.'],
      onAsk: (ask) => {
        asked.push((ask as { input?: unknown }).input);
        return { allow: true };
      },
    });
    await thread.send('Log in.');
    await runWhatIsReady();
    expect([asked, given]).toEqual([[{ password: SECRET }], [{ password: SECRET }]]);
    const told = JSON.stringify([events, await thread.messages(), model.calls, await runtime.ledger.runs()]);
    for (const part of ['May it be', 'Look at', 'It was']) expect(told).toContain(part);
    expect(told).not.toContain(SECRET);
  },
);

onBothStores('a tool that is not there gets nothing put back', async (kit) => {
  const restored: string[] = [];
  const seen: string[] = [];
  const notes: Restore = async (state, call) => {
    restored.push(call.function.name);
    return putBack(state, call);
  };
  const watches = defineHook({
    hook: 'before_tool_call',
    id: 'watches',
    execute: async (_state, { function: { arguments: json } }) => {
      seen.push(json);
      return null;
    },
  });
  const { thread } = await kit.thread({
    policies: [vault(notes), watches],
    tools: [loginTool([])],
    script: [{ toolCalls: [{ name: 'made_up', input: { password: '<secret>' } }] }, login, 'Done.'],
  });
  await thread.send('Log in.');
  expect(restored).toEqual(['login']);
  expect(seen).toEqual(['{"password":"<secret>"}', `{"password":"${SECRET}"}`]);
});
