import { type AnyHook, defineHook } from '@spec/hooks';
import { describe, expect } from 'vitest';
import {
  defineAgent,
  definePrompt,
  defineTool,
  type PermissionAnswer,
  type Runtime,
  type Thread,
} from '../src/index.ts';
import { gate, type Kit, lines, onBothStores, type Setup, thrownBy } from './kit.ts';

const decide = (id: string, decision: 'allow' | 'deny' | 'ask'): AnyHook =>
  defineHook({ hook: 'before_tool_call', id, execute: async (_) => ({ decision }) });

interface Meanwhile {
  readonly runtime: Runtime;
  readonly thread: Thread;
}

/** Has a tool called that a person is asked about, and something done before they answer. */
async function askAndDo(
  kit: Kit,
  setup: Setup,
  meanwhile: (at: Meanwhile) => Promise<unknown> | unknown,
): Promise<{ ran: number; asked: number; rows: string[] }> {
  let ran = 0;
  let asked = 0;
  const isAsked = gate();
  const answer = gate<PermissionAnswer>();
  const tool = defineTool({ name: 'pay', permission: 'ask', execute: () => `${++ran} paid` });
  const { runtime, thread } = await kit.thread({
    tools: [tool],
    script: [{ toolCalls: [{ name: 'pay' }] }, 'ok'],
    onAsk: () => {
      asked++;
      isAsked.open();
      return answer.opened;
    },
    ...setup,
  });
  const sent = thread.send('Go').catch(() => {});
  await isAsked.opened;
  await meanwhile({ runtime, thread });
  answer.open(true);
  await sent;
  return { ran, asked, rows: (await lines(thread)).filter((line) => line.startsWith('tool: ')) };
}

describe('what changes while a person is asked holds, whatever they say', () => {
  for (const [what, policies] of [
    ['the tool asks', []],
    ['a hook asks', [decide('asking', 'ask')]],
  ] as const) {
    onBothStores(`nothing has changed, where ${what}: the call runs`, async (kit) => {
      const { ran, asked } = await askAndDo(kit, { policies }, () => {});
      expect([ran, asked]).toEqual([1, 1]);
    });

    onBothStores(`the mode denies from now on, where ${what}`, async (kit) => {
      const { ran, rows } = await askAndDo(kit, { policies }, ({ thread }) =>
        thread.setPermissionMode('deny'),
      );
      expect(ran).toBe(0);
      expect(rows[0]).toContain('the permission mode of the thread is "deny"');
    });

    onBothStores(`the thread is terminated, where ${what}`, async (kit) => {
      const { ran, rows } = await askAndDo(kit, { policies }, ({ thread }) => thread.state.terminate('over'));
      expect(ran).toBe(0);
      expect(rows[0]).toContain('the thread was terminated');
    });

    onBothStores(`a policy denies from now on, where ${what}`, async (kit) => {
      const { ran, asked, rows } = await askAndDo(kit, { policies }, ({ runtime }) =>
        runtime.swapPolicies([decide('denying', 'deny')]),
      );
      expect([ran, asked]).toEqual([0, 1]);
      expect(rows[0]).toContain('denied by denying');
    });

    onBothStores(`a policy that does not deny leaves the yes as it is, where ${what}`, async (kit) => {
      const { ran, asked } = await askAndDo(kit, { policies }, ({ runtime }) =>
        runtime.swapPolicies([decide('other', 'ask')]),
      );
      expect([ran, asked]).toEqual([1, 1]);
    });
  }

  onBothStores('other arguments than those that the person saw are asked about again', async (kit) => {
    const rewrite = defineHook({
      hook: 'before_tool_call',
      id: 'rewrite',
      execute: async (_) => ({ decision: 'ask', input: { amount: 2 } }),
    });
    const { ran, asked } = await askAndDo(kit, {}, ({ runtime }) => runtime.swapPolicies([rewrite]));
    expect([ran, asked]).toEqual([1, 2]);
  });
});

describe('a person is asked about a call of a subagent', () => {
  async function askInChild(kit: Kit, setup: Setup, end: (thread: Thread) => Promise<unknown>) {
    let ran = 0;
    const isAsked = gate();
    const answer = gate<PermissionAnswer>();
    const { runtime, thread, model } = await kit.thread({
      tools: [
        defineTool({ name: 'helper', agent: 'child' }),
        defineTool({ name: 'pay', permission: 'ask', execute: () => `${++ran} paid` }),
      ],
      agents: [defineAgent({ name: 'child', prompt: 'child_prompt' })],
      prompts: [definePrompt({ name: 'child_prompt', tools: ['pay'] })],
      script: [
        { toolCalls: [{ name: 'helper', input: { task: 'Pay' } }] },
        { toolCalls: [{ name: 'pay' }] },
        ...['Paid.', 'Done.'],
      ],
      onAsk: () => {
        isAsked.open();
        return answer.opened;
      },
      ...setup,
    });
    const sent = thread.send('Go');
    await isAsked.opened;
    await end(thread);
    answer.open(true);
    const { status } = await sent;
    const child = await runtime.openThread(thread.state.children[0] as string);
    return { ran, status, asked: model.calls.length, rows: await lines(child) };
  }

  const asksAboutPay = defineHook({
    hook: 'before_tool_call',
    id: 'asks_about_pay',
    execute: async (_, { function: { name } }) => (name === 'pay' ? { decision: 'ask' } : {}),
  });

  for (const [what, policies] of [
    ['the tool asks', []],
    ['a hook asks', [asksAboutPay]],
  ] as const)
    onBothStores(`the parent is terminated: the call does not run, where ${what}`, async (kit) => {
      const { ran, status, asked, rows } = await askInChild(kit, { policies }, async (thread) => {
        await thread.state.terminate('over');
      });
      expect([ran, status]).toEqual([0, 'stopped']);
      expect(rows[2]).toContain('the thread was terminated');
      expect(asked, 'no model is asked again').toBe(2);
    });

  onBothStores('the parent is terminated while the model answers: the call does not run', async (kit) => {
    let ran = 0;
    const { thread, runtime } = await kit.thread({
      tools: [
        defineTool({ name: 'helper', agent: 'child' }),
        defineTool({ name: 'pay', execute: () => `${++ran} paid` }),
      ],
      agents: [defineAgent({ name: 'child', prompt: 'child_prompt' })],
      prompts: [definePrompt({ name: 'child_prompt', tools: ['pay'] })],
      script: [
        { toolCalls: [{ name: 'helper', input: { task: 'Pay' } }] },
        async () => {
          await thread.state.terminate('over');
          return { toolCalls: [{ name: 'pay' }] };
        },
      ],
    });
    expect(await thread.send('Go')).toMatchObject({ status: 'stopped' });
    const child = await runtime.openThread(thread.state.children[0] as string);
    expect([ran, (await lines(child))[2]]).toEqual([0, expect.stringContaining('was terminated')]);
  });

  onBothStores('nothing has happened: the call runs', async (kit) => {
    const { ran, status } = await askInChild(kit, {}, async () => {});
    expect([ran, status]).toEqual([1, 'completed']);
  });
});

describe('a message that a person is asked about', () => {
  async function askAboutMessage(kit: Kit, meanwhile: (at: Meanwhile) => unknown) {
    const about = (id: string, decision: 'ask' | 'deny'): AnyHook =>
      defineHook({ hook: 'before_user_message', id, execute: async (_) => ({ decision, reason: id }) });
    const isAsked = gate();
    const answer = gate<PermissionAnswer>();
    const { runtime, thread } = await kit.thread({
      policies: [about('asking', 'ask')],
      script: ['ok'],
      onAsk: () => {
        isAsked.open();
        return answer.opened;
      },
    });
    const sent = thread.send('Go');
    sent.catch(() => {});
    await isAsked.opened;
    await meanwhile({ runtime, thread });
    answer.open(true);
    return { thread, sent, about };
  }

  onBothStores('is not stored where the thread was terminated meanwhile', async (kit) => {
    const { thread, sent } = await askAboutMessage(kit, ({ thread: asked }) => asked.state.terminate('over'));
    expect(await thrownBy(sent)).toMatchObject({ code: 'thread_terminated' });
    expect(await lines(thread)).toEqual([]);
  });

  onBothStores('is denied where a policy denies by then', async (kit) => {
    const deny = defineHook({
      hook: 'before_user_message',
      id: 'denying',
      execute: async (_) => ({ decision: 'deny', reason: 'not now' }),
    });
    const { thread, sent } = await askAboutMessage(kit, ({ runtime }) => runtime.swapPolicies([deny]));
    expect(await sent).toMatchObject({ status: 'denied', reason: 'not now' });
    expect(await lines(thread)).toEqual([]);
  });
});
