import { type AnyHook, defineHook, type NotificationInfo } from '@spec/hooks';
import { expect } from 'vitest';
import { gate, onBothStores, runWhatIsReady } from '../../test/kit.ts';
import { defineAgent, definePrompt, defineTool } from '../index.ts';

const pay = defineTool({ name: 'pay', permission: 'ask', execute: () => 'paid' });
const callPay = { toolCalls: [{ name: 'pay' }] };

const listening = (heard: NotificationInfo[]): AnyHook =>
  defineHook({
    hook: 'after_notification',
    id: 'listening',
    execute: async (_, notification) => void heard.push(notification),
  });

onBothStores('an ask that waits, a notice of a hook, and the end of a turn are told', async (kit) => {
  const heard: NotificationInfo[] = [];
  const notice = defineHook({
    hook: 'before_user_message',
    id: 'notice',
    execute: async (_) => ({ userMessage: 'Your message was checked.' }),
  });
  const { thread, events } = await kit.thread({
    policies: [listening(heard), notice],
    tools: [pay],
    script: [callPay, 'ok'],
    onAsk: () => true,
  });
  await thread.send('Go');
  expect(heard).toEqual([
    { kind: 'notice', message: 'Your message was checked.' },
    { kind: 'permission', message: 'The tool "pay" needs permission.' },
    { kind: 'waiting', message: 'The turn has ended: you may go on.' },
  ]);
  await runWhatIsReady();
  expect(events.flatMap((event) => (event.type === 'notification' ? event.notification : []))).toEqual(heard);
  expect((await thread.runs({ id: 'listening' })).map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
});

onBothStores('a turn that failed is told with its code, and without the error’s text', async (kit) => {
  const heard: NotificationInfo[] = [];
  const { thread } = await kit.thread({ policies: [listening(heard)], script: [new Error('secret')] });
  await thread.send('Go').catch(() => {});
  expect(heard).toEqual([{ kind: 'failed', message: 'The turn ended with an error: model_failed.' }]);
  expect((await thread.runs({ id: 'listening' })).map(({ outcome }) => outcome)).toEqual(['ok']);
});

onBothStores('nobody waits while another turn does, and of a child its parent hears', async (kit) => {
  const heard: NotificationInfo[] = [];
  const { thread } = await kit.thread({
    policies: [listening(heard)],
    tools: [defineTool({ name: 'helper', agent: 'child' })],
    agents: [defineAgent({ name: 'child', prompt: 'child' })],
    prompts: [definePrompt({ name: 'child' })],
    script: [{ toolCalls: [{ name: 'helper' }] }, 'child', 'one', 'two'],
  });
  await Promise.all([thread.send('1'), thread.send('2')]);
  expect(heard.map(({ kind }) => kind)).toEqual(['waiting']);
});

onBothStores('a turn that was stopped or denied is not told: who did it knows', async (kit) => {
  const heard: NotificationInfo[] = [];
  const deny = defineHook({
    hook: 'before_user_message',
    id: 'deny',
    execute: async (_) => ({ decision: 'deny' }),
  });
  const { thread } = await kit.thread({ policies: [listening(heard), deny] });
  expect(await thread.send('Go')).toMatchObject({ status: 'denied' });
  expect(heard).toEqual([]);
});

onBothStores('the application has kinds of its own', async (kit) => {
  const heard: NotificationInfo[] = [];
  const { thread } = await kit.thread({ policies: [listening(heard)] });
  await thread.notify('budget', 'Half of it is spent.');
  expect(heard).toEqual([{ kind: 'budget', message: 'Half of it is spent.' }]);
  expect(await thread.runs({ id: 'listening' })).toHaveLength(1);
});

onBothStores('a slow notification does not keep the question from the person', async (kit) => {
  const asked = gate();
  const slow = defineHook({
    hook: 'after_notification',
    id: 'slow',
    execute: (_, { kind }) => (kind === 'permission' ? asked.opened : Promise.resolve()),
  });
  const { thread } = await kit.thread({
    policies: [slow],
    tools: [pay],
    script: [callPay, 'ok'],
    onAsk: () => {
      asked.open();
      return true;
    },
  });
  await thread.send('Go');
  expect((await thread.runs({ id: 'slow' })).map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
});

onBothStores('a notification that fails changes nothing', async (kit) => {
  const broken = defineHook({
    hook: 'after_notification',
    id: 'broken',
    execute: () => Promise.reject(new Error('secret')),
  });
  const { thread } = await kit.thread({
    policies: [broken],
    tools: [pay],
    script: [callPay, 'ok'],
    onAsk: () => true,
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed', text: 'ok' });
});

onBothStores('a notice is given once, however often a call is decided on anew', async (kit) => {
  const heard: NotificationInfo[] = [];
  let rewrites = 0;
  const policies = [
    listening(heard),
    defineHook({
      hook: 'before_tool_call',
      id: 'noting',
      execute: async (_, call) => ({
        userMessage: call.function.arguments === '{"n":2}' ? 'It is two.' : 'Taken.',
      }),
    }),
    defineHook({
      hook: 'before_permission_request',
      id: 'capping',
      execute: async (_) => (rewrites < 2 ? { input: { n: ++rewrites } } : null),
    }),
  ];
  const { thread } = await kit.thread({ policies, tools: [pay], script: [callPay, 'ok'], onAsk: () => true });
  await thread.send('Go');
  expect(heard.filter(({ kind }) => kind === 'notice').map(({ message }) => message)).toEqual([
    ...['Taken.', 'It is two.'],
  ]);
});
