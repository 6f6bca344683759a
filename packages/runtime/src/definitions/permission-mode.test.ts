import { type AnyHook, defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { type Kit, lines, onBothStores, type Setup, thrownBy } from '../../test/kit.ts';
import { defineAgent, definePrompt, defineTool, type PermissionMode, type Thread } from '../index.ts';

const plain = defineTool({ name: 'plain', execute: () => 'ran' });
const asking = defineTool({ name: 'asking', permission: 'ask', execute: () => 'ran' });
const both = { toolCalls: [{ name: 'plain' }, { name: 'asking' }] };

const decide = (decision: 'allow' | 'deny' | 'ask'): AnyHook =>
  defineHook({ hook: 'before_tool_call', id: 'decide', execute: async (_) => ({ decision }) });

interface Trial {
  /** How the calls of `plain` and `asking` ended. */
  readonly ended: string[];
  readonly asked: number;
}

async function tryMode(kit: Kit, permissionMode: PermissionMode, policies: AnyHook[] = []): Promise<Trial> {
  let asked = 0;
  const { runtime } = kit.start({
    policies,
    tools: [plain, asking],
    script: [both, 'ok'],
    onAsk: () => {
      asked++;
      return true;
    },
  });
  const thread = await runtime.createThread({ agent: 'agent', permissionMode });
  await thread.send('Go');
  return { ended: await rows(thread), asked };
}

async function rows(thread: Thread): Promise<string[]> {
  return (await lines(thread)).flatMap((line) => (line.startsWith('tool: ') ? [line.slice(6, 10)] : []));
}

onBothStores('what becomes of calls that no hook decides on', async (kit) => {
  expect(await tryMode(kit, 'default')).toEqual({ ended: ['ran', 'ran'], asked: 1 });
  expect(await tryMode(kit, 'ask')).toEqual({ ended: ['ran', 'ran'], asked: 2 });
  expect(await tryMode(kit, 'allow')).toEqual({ ended: ['ran', 'ran'], asked: 0 });
  expect(await tryMode(kit, 'deny')).toEqual({ ended: ['This', 'This'], asked: 0 });
});

onBothStores('hooks and the person are told that it is the mode that asks', async (kit) => {
  const reasons: unknown[] = [];
  const look = defineHook({
    hook: 'before_permission_request',
    id: 'look',
    execute: async (_, { reason }) => {
      reasons.push(reason);
      return null;
    },
  });
  const { runtime } = kit.start({
    policies: [look],
    tools: [plain],
    script: [{ toolCalls: [{ name: 'plain' }] }, 'ok'],
    onAsk: ({ reason }) => reasons.push(reason) > 0,
  });
  const thread = await runtime.createThread({ agent: 'agent', permissionMode: 'ask' });
  await thread.send('Go');
  expect(reasons).toEqual(Array.from({ length: 2 }, () => 'The permission mode of the thread is "ask".'));
});

onBothStores('what a hook decided stands in every mode', async (kit) => {
  for (const mode of ['default', 'ask', 'allow', 'deny'] as const) {
    expect(await tryMode(kit, mode, [decide('deny')]), mode).toEqual({ ended: ['This', 'This'], asked: 0 });
    expect(await tryMode(kit, mode, [decide('allow')]), mode).toEqual({ ended: ['ran', 'ran'], asked: 0 });
    expect(await tryMode(kit, mode, [decide('ask')]), mode).toEqual({ ended: ['ran', 'ran'], asked: 2 });
  }
});

onBothStores('a mode holds at once, and when the thread is opened again', async (kit) => {
  const { runtime, thread } = await kit.thread({
    tools: [plain],
    script: Array.from({ length: 4 }, () => [{ toolCalls: [{ name: 'plain' }] }, 'ok']).flat(),
  });
  expect(thread.permissionMode).toBe('default');
  await thread.send('1');
  await thread.setPermissionMode('deny');
  await thread.send('2');
  await thread.close();
  const again = await runtime.openThread(thread.id);
  expect(again.permissionMode).toBe('deny');
  await again.send('3');
  await again.close();
  const third = await runtime.openThread(thread.id, { permissionMode: 'allow' });
  await third.send('4');
  expect(await rows(third)).toEqual(['ran', 'This', 'This', 'ran']);
});

const nested: Setup = {
  tools: [plain, defineTool({ name: 'helper', agent: 'child' })],
  agents: [defineAgent({ name: 'child', prompt: 'child' })],
  prompts: [definePrompt({ name: 'child', tools: ['plain'] })],
};

onBothStores('it holds for a subagent that is running, and for one that is opened alone', async (kit) => {
  let thread: Thread | undefined;
  const lock = defineHook({
    hook: 'after_subagent_created',
    id: 'lock',
    execute: async (_) => thread?.setPermissionMode('deny'),
  });
  const started = await kit.thread({
    ...nested,
    policies: [lock],
    script: [{ toolCalls: [{ name: 'helper' }] }, { toolCalls: [{ name: 'plain' }] }, 'no', 'ok'],
  });
  thread = started.thread;
  await thread.send('Go');
  const childId = thread.state.children[0] as string;
  await thread.close();
  const child = await started.runtime.openThread(childId);
  expect(await rows(child)).toEqual(['This']);
  expect(child.permissionMode).toBe('deny');
});

onBothStores('a hook cannot loosen it by the value it is kept in', async (kit) => {
  const { thread } = await kit.thread({ tools: [plain], script: [{ toolCalls: [{ name: 'plain' }] }, 'ok'] });
  await thread.setPermissionMode('deny');
  expect(await thrownBy(thread.state.setValue('runtime/permission-mode', 'allow'))).toMatchObject({
    code: 'invalid_input',
  });
  await thread.send('Go');
  expect(await rows(thread)).toEqual(['This']);
});

onBothStores('a mode that is none is refused, and nothing is created', async (kit) => {
  const { runtime, thread } = await kit.thread();
  const wrong = { agent: 'agent', id: 'x', permissionMode: 'plan' as never };
  expect(await thrownBy(runtime.createThread(wrong))).toMatchObject({ code: 'bad_option' });
  expect(await kit.store.getThread('x')).toBeNull();
  for (const mode of ['plan', Object.create(null), Symbol('mode')])
    expect(await thrownBy(thread.setPermissionMode(mode as never))).toMatchObject({ code: 'bad_option' });
  for (const agent of ['none', Object.create(null), Symbol('agent')])
    expect(await thrownBy(runtime.createThread({ agent }))).toMatchObject({ code: 'unknown_id' });
});

const insideTool = (thread: () => Thread): Setup => ({
  ...nested,
  tools: [
    ...(nested.tools ?? []),
    defineTool({
      name: 'lock_and_try',
      execute: async (_input, { state }) => {
        const child = await state.getChildThread(state.children[0] as string);
        const before = await child?.invokeTool('plain', {});
        await thread().setPermissionMode('deny');
        return JSON.stringify([before?.status, (await child?.invokeTool('plain', {}))?.status]);
      },
    }),
  ],
});

onBothStores('it holds at once for a finished subagent that a tool of the parent reaches', async (kit) => {
  const { thread } = await kit.thread({
    ...insideTool(() => thread),
    script: [{ toolCalls: [{ name: 'helper' }] }, 'done', { toolCalls: [{ name: 'lock_and_try' }] }, 'ok'],
  });
  await thread.send('Go');
  expect(await lines(thread)).toContain('tool: ["success","error"]');
});

onBothStores('it holds at once for a subagent that the application has open', async (kit) => {
  const { runtime, thread } = await kit.thread({
    ...nested,
    script: [
      ...[{ toolCalls: [{ name: 'helper' }] }, 'done', 'ok'],
      ...[{ toolCalls: [{ name: 'plain' }] }, 'ok', { toolCalls: [{ name: 'plain' }] }, 'ok'],
    ],
  });
  await thread.send('Go');
  const child = await runtime.openThread(thread.state.children[0] as string);
  await thread.setPermissionMode('deny');
  expect(child.permissionMode).toBe('deny');
  await child.send('Try.');
  await thread.close();
  const again = await runtime.openThread(thread.id, { permissionMode: 'allow' });
  await again.setPermissionMode('deny');
  await again.close();
  await child.send('Try again.');
  expect(await rows(child)).toEqual(['This', 'This']);
});

onBothStores('a mode that an open subagent’s parent got meanwhile is read again', async (kit) => {
  const { runtime, thread } = await kit.thread({
    ...nested,
    script: [{ toolCalls: [{ name: 'helper' }] }, 'done', 'ok', { toolCalls: [{ name: 'plain' }] }, 'ok'],
  });
  await thread.send('Go');
  await thread.close();
  const child = await runtime.openThread(thread.state.children[0] as string);
  await child.inject({ role: 'user', content: 'note' });
  const again = await runtime.openThread(thread.id, { permissionMode: 'deny' });
  await again.close();
  await child.send('Try.');
  expect(await rows(child)).toEqual(['This']);
});
