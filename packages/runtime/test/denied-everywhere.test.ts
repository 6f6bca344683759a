import { type AnyHook, defineHook, type HookToolResult } from '@spec/hooks';
import { expect } from 'vitest';
import { defineAgent, definePrompt, defineTool, type Runtime, type Thread } from '../src/index.ts';
import type { ScriptedStep } from '../src/testing/index.ts';
import { type Kit, onBothStores, runWhatIsReady, type Setup } from './kit.ts';

/**
 * Every way to a tool, and one policy that denies it. Whoever calls it, the function never runs, the caller gets the
 * reason, and the ledger names the hook.
 */

const REASON = 'This tool call was denied by no_wiping. Nobody wipes disks here.';

const noWiping = defineHook({
  hook: 'before_tool_call',
  id: 'no_wiping',
  match: { tools: 'wipe', input: { disk: '^/' } },
  execute: async (_) => ({ decision: 'deny', reason: 'Nobody wipes disks here.' }),
});

const disk = { disk: '/dev/sda' };
const wipeIt = { name: 'wipe', input: disk };

interface Trial {
  readonly kit: Kit;
  /** Starts a runtime with the policy and the tool `wipe`, which counts how often it ran. */
  start(setup?: Setup): Promise<{ runtime: Runtime; thread: Thread }>;
  /** What callers that are no model were answered. */
  readonly answers: unknown[];
}

interface Way {
  /** Goes this way; afterwards the row of the call, or an answer, tells of the denial. */
  go(trial: Trial): Promise<void>;
  /** How often the policy decided. Default 1. */
  readonly times?: number;
  /** Where it is answered to code, and no row is stored. */
  readonly isInvoked?: true;
}

const send =
  (setup: Setup): Way['go'] =>
  async ({ start }) => {
    const { thread } = await start(setup);
    await thread.send('Go');
  };

const script = (...steps: ScriptedStep[]): Setup => ({ script: steps });
const one = { toolCalls: [wipeIt] };

const invokeFrom =
  (
    hook: 'before_user_message' | 'before_tool_call' | 'after_create_message' | 'after_session_started',
  ): Way['go'] =>
  async ({ start, answers }) => {
    let invoked = false;
    const invoke = async (state: { invokeTool: Thread['state']['invokeTool'] }): Promise<null> => {
      if (!invoked) {
        invoked = true;
        answers.push(await state.invokeTool('wipe', disk));
      }
      return null;
    };
    const policy = defineHook({ hook, id: 'invoking', execute: invoke as never }) as AnyHook;
    const tool = defineTool({ name: 'harmless', execute: () => 'done' });
    const { thread } = await start({
      policies: [policy],
      tools: [tool],
      script: [{ toolCalls: [{ name: 'harmless' }] }, 'ok'],
    });
    await thread.send('Go');
  };

/** A turn that a process left behind with one call of `wipe`, which another process had begun or not. */
async function leftBehind(kit: Kit, threadId: string, status: 'pending' | 'started'): Promise<void> {
  const lease = await kit.store.acquireLease({ threadId, owner: 'dead', ttlMs: 1 });
  const call = { id: 'c', type: 'function', function: { name: 'wipe', arguments: JSON.stringify(disk) } };
  await kit.store.append(threadId, lease.fence, {
    thread: { turn: { id: 'left' } },
    messages: [
      { id: 'left.0.user', role: 'user', content: 'Go', created_at: 1 },
      {
        id: 'left.1.answer',
        role: 'assistant',
        content: null,
        tool_calls: JSON.stringify([call]),
        created_at: 2,
      },
    ] as never,
    toolCalls: [{ id: 'c', messageId: 'left.1.answer', position: 0, name: 'wipe', status }],
  });
  await runWhatIsReady(5);
}

const resume =
  (status: 'pending' | 'started', setup: Setup = {}): Way['go'] =>
  async ({ kit, start }) => {
    const { runtime, thread } = await start({ script: ['ok'], ...setup });
    await thread.close();
    await leftBehind(kit, thread.id, status);
    await (await runtime.openThread(thread.id)).resume();
  };

const subagent: Setup = {
  tools: [defineTool({ name: 'helper', agent: 'child' })],
  prompt: { tools: ['helper'] },
  agents: [defineAgent({ name: 'child', prompt: 'child', hooks: [] })],
  prompts: [definePrompt({ name: 'child', tools: ['wipe'], hooks: [] })],
  script: [{ toolCalls: [{ name: 'helper' }] }, one, 'I could not.', 'ok'],
};

const permission = (execute: () => object): AnyHook =>
  defineHook({
    hook: 'before_permission_request',
    id: 'permission',
    execute: (async () => execute()) as never,
  });

const ask = defineHook({
  hook: 'before_tool_call',
  id: 'ask',
  execute: async (_) => ({ decision: 'ask', reason: 'sure?' }),
});

const deciding = (id: string, decision: object): AnyHook =>
  defineHook({ hook: 'before_tool_call', id, priority: 10, execute: (async () => decision) as never });

const ways: Readonly<Record<string, Way>> = {
  'a single call': { go: send(script(one, 'ok')) },
  'calls side by side': { times: 3, go: send(script({ toolCalls: [wipeIt, wipeIt, wipeIt] }, 'ok')) },
  'queued by the application': {
    async go({ start }) {
      const { thread } = await start(script('ok'));
      await thread.state.queueTool('wipe', disk);
      await thread.idle();
    },
  },
  'queued by a hook': {
    go: send({
      ...script('ok'),
      policies: [
        defineHook({
          hook: 'before_user_message',
          id: 'queueing',
          execute: async (state) => {
            await state.queueTool('wipe', disk);
            return null;
          },
        }),
      ],
    }),
  },
  'invoked by the application': {
    isInvoked: true,
    async go({ start, answers }) {
      const { thread } = await start();
      answers.push(await thread.state.invokeTool('wipe', disk));
      await thread.close(); // The run of the hook waits for a commit.
    },
  },
  'invoked by before_user_message': { isInvoked: true, go: invokeFrom('before_user_message') },
  'invoked by a policy, as a script would': { isInvoked: true, go: invokeFrom('before_tool_call') },
  'invoked by after_create_message': { isInvoked: true, go: invokeFrom('after_create_message') },
  'invoked at the start of the session': { isInvoked: true, go: invokeFrom('after_session_started') },
  'invoked within another tool': {
    isInvoked: true,
    async go({ start, answers }) {
      const outer = defineTool({
        name: 'outer',
        execute: async (_input, { state }) => {
          answers.push(await state.invokeTool('wipe', disk));
          return 'done';
        },
      });
      const { thread } = await start({ tools: [outer], ...script({ toolCalls: [{ name: 'outer' }] }, 'ok') });
      await thread.send('Go');
    },
  },
  'in a subagent': { go: send(subagent) },
  'in a subagent that a hook has called': {
    async go({ start, answers }) {
      const invoke = defineHook({
        hook: 'before_user_message',
        id: 'invoking',
        execute: async (state) => {
          if (state.agentId === 'agent') answers.push(await state.invokeTool('helper', {}));
          return null;
        },
      });
      const { thread } = await start({
        ...subagent,
        policies: [invoke],
        script: [one, 'I could not.', 'ok'],
      });
      await thread.send('Go');
    },
  },
  'in a prompt that runs as a tool': {
    go: send({
      tools: [defineTool({ name: 'helper', prompt: 'sub' })],
      prompt: { tools: ['helper'] },
      prompts: [definePrompt({ name: 'sub', tools: ['wipe'], hooks: [] })],
      script: [{ toolCalls: [{ name: 'helper', input: { task: 'x' } }] }, one, 'I could not.', 'ok'],
    }),
  },
  'after a crash before the call had started': { go: resume('pending') },
  'after a crash while it ran, where it is tried again': { go: resume('started') },
  'where another hook answers it': {
    go: send({
      ...script(one, 'ok'),
      policies: [deciding('answering', { result: { status: 'success', result: 'wiped' } })],
    }),
  },
  'where other hooks allow it': {
    go: send({ ...script(one, 'ok'), policies: [deciding('allowing', { decision: 'allow' })] }),
  },
  'where a person would allow it': { go: send({ ...script(one, 'ok'), policies: [ask], onAsk: () => true }) },
  'where another hook made it what it is': {
    go: send({
      ...script({ toolCalls: [{ name: 'wipe', input: { disk: 'none' } }] }, 'ok'),
      policies: [deciding('rewriting', { input: disk })],
    }),
  },
  'where it became what it is for permission': {
    go: send({
      ...script({ toolCalls: [{ name: 'wipe', input: { disk: 'none' } }] }, 'ok'),
      policies: [ask, permission(() => ({ decision: 'allow', input: disk }))],
      onAsk: () => true,
    }),
  },
  'where the create chain put it into the answer': {
    go: send({
      ...script('Nothing to do.', 'ok'),
      policies: [
        defineHook({
          hook: 'before_create_message',
          id: 'smuggling',
          execute: async (_, message) => {
            if (message.content !== 'Nothing to do.') return message;
            const call = {
              id: 's',
              type: 'function',
              function: { name: 'wipe', arguments: JSON.stringify(disk) },
            };
            return { ...message, tool_calls: JSON.stringify([call]) };
          },
        }),
      ],
    }),
  },
  'in permission mode allow': {
    async go({ start }) {
      const { thread } = await start(script(one, 'ok'));
      await thread.setPermissionMode('allow');
      await thread.send('Go');
    },
  },
  'under a skill that allows it': {
    async go({ start }) {
      const hooks = [deciding('by_skill', { decision: 'allow' })];
      const skills = (): object => ({ name: 'eager', instructions: '', hooks });
      const { thread } = await start({ ...script(one, 'ok'), skills: skills as never });
      await thread.startSkill('eager');
      await thread.send('Go');
    },
  },
  'in a prompt without hooks': { go: send({ ...script(one, 'ok'), prompt: { hooks: [] } }) },
};

for (const [name, { go, times = 1, isInvoked = false }] of Object.entries(ways)) {
  onBothStores(`the deny holds: ${name}`, async (kit) => {
    let ran = 0;
    const wipe = defineTool({
      name: 'wipe',
      parameters: { type: 'object' },
      onInterrupted: 'retry',
      execute: () => {
        ran++;
        return 'wiped';
      },
    });
    const answers: unknown[] = [];
    const start: Trial['start'] = async ({ policies = [], tools = [], prompt, ...setup } = {}) => {
      const { runtime } = kit.start({
        ...setup,
        policies: [...policies, noWiping],
        tools: [...tools, wipe],
        prompt: { tools: [...tools, wipe].map((tool) => tool.name), ...prompt },
      });
      return { runtime, thread: await runtime.createThread({ agent: 'agent' }) };
    };
    await go({ kit, start, answers });
    expect(ran).toBe(0);
    const threads = await kit.store.listThreads();
    const rows = (await Promise.all(threads.map(({ id }) => kit.store.listMessages(id)))).flat();
    const denials = rows.filter(({ role, content }) => role === 'tool' && content === REASON);
    expect(denials).toHaveLength(isInvoked ? 0 : times);
    const refused: HookToolResult = { status: 'error', error: REASON };
    if (isInvoked) expect(answers).toEqual([refused]);
    const denied = (await kit.store.listRuns({ id: 'no_wiping' })).filter(
      ({ outcome }) => outcome === 'denied',
    );
    expect(denied).toHaveLength(times);
    expect(denied[0]).toMatchObject({ hook: 'before_tool_call', source: 'policy' });
  });
}

onBothStores('without the policy every one of these ways would have run it', async (kit) => {
  let ran = 0;
  const wipe = defineTool({
    name: 'wipe',
    parameters: { type: 'object' },
    onInterrupted: 'retry',
    execute: () => void ran++,
  });
  for (const { go } of [ways['a single call'], ways['in a subagent']] as Way[]) {
    const start: Trial['start'] = async ({ tools = [], prompt, ...setup } = {}) => {
      const all = [...tools, wipe];
      const { runtime } = kit.start({
        ...setup,
        tools: all,
        prompt: { tools: all.map((tool) => tool.name), ...prompt },
      });
      return { runtime, thread: await runtime.createThread({ agent: 'agent' }) };
    };
    await go({ kit, start, answers: [] });
  }
  expect(ran).toBe(2);
});
