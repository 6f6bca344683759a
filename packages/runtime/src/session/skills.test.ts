import { type AnyHook, defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { type Kit, lines, onBothStores, runWhatIsReady, thrownBy } from '../../test/kit.ts';
import { defineAgent, definePrompt, defineTool, type Skill } from '../index.ts';

const act = defineTool({ name: 'act', execute: () => 'acted' });
const callAct = { toolCalls: [{ name: 'act' }] };

const denyActing = (): AnyHook =>
  defineHook({
    hook: 'before_tool_call',
    id: 'no_acting',
    match: 'act',
    execute: async (_) => ({ decision: 'deny', reason: 'Not with this skill.' }),
  });
const noActing = denyActing();
const DENIED = 'tool: This tool call was denied by no_acting. Not with this skill.';

const careful: Skill = { name: 'careful', instructions: 'Be careful.', hooks: [noActing] };

function shelf(...skills: Skill[]) {
  const loads: string[] = [];
  return {
    loads,
    skills: (path: string): Skill => {
      loads.push(path);
      const found = skills.find(({ name }) => name === path);
      if (found === undefined) throw new Error(`no skill ${path}`);
      return found;
    },
  };
}

onBothStores(
  'a skill’s hooks run from its start to the end of the session, its text is told once',
  async (kit) => {
    const { skills } = shelf(careful);
    const { runtime, thread } = await kit.thread({
      tools: [act],
      skills,
      script: [callAct, 'ok', callAct, 'ok', callAct, 'ok'],
    });
    await thread.send('1');
    expect(await thread.startSkill('careful')).toBe('careful');
    expect(await kit.store.listValues(thread.id)).toEqual([{ key: 'runtime/skills', value: ['careful'] }]);
    await thread.send('2');
    await thread.close();
    const again = await runtime.openThread(thread.id);
    await again.send('3');
    expect(await lines(again)).toEqual([
      ...['user: 1', 'assistant: null', 'tool: acted', 'assistant: ok'],
      ...['user: 2', 'user: Be careful.', 'assistant: null', DENIED, 'assistant: ok'],
      ...['user: 3', 'assistant: null', 'tool: acted', 'assistant: ok'],
    ]);
    expect((await again.runs({ id: 'no_acting' })).map(({ source, outcome }) => [source, outcome])).toEqual([
      ['skill:careful', 'denied'],
    ]);
    expect(await kit.store.listValues(thread.id)).toEqual([]);
  },
);

onBothStores('started twice is once, at the same time too', async (kit) => {
  const { skills, loads } = shelf(careful);
  const { thread } = await kit.thread({ tools: [act], skills, script: [callAct, 'ok'] });
  await Promise.all([thread.startSkill('careful'), thread.startSkill('careful')]);
  await thread.startSkill('careful');
  await thread.send('Go');
  expect(loads).toEqual(['careful']);
  expect((await lines(thread)).slice(0, 2)).toEqual(['user: Go', 'user: Be careful.']);
  expect(await thread.runs({ id: 'no_acting' })).toHaveLength(1);
});

onBothStores('started by a tool, it holds at once; its text comes with the batch', async (kit) => {
  const { skills } = shelf(careful);
  const { runtime } = kit.start({
    skills,
    tools: [
      act,
      defineTool({
        name: 'skill',
        execute: async (_input, { state }) =>
          (await runtime.openThread(state.threadId)).startSkill('careful'),
      }),
    ],
    script: [{ toolCalls: [{ name: 'skill' }] }, callAct, 'ok'],
  });
  const thread = await runtime.createThread({ agent: 'agent' });
  await thread.send('Go');
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: null', 'tool: careful', 'user: Be careful.'],
    ...['assistant: null', DENIED, 'assistant: ok'],
  ]);
});

onBothStores('there is no way around it through a subagent', async (kit) => {
  const { skills } = shelf(careful);
  const { thread } = await kit.thread({
    skills,
    tools: [act, defineTool({ name: 'helper', agent: 'child' })],
    agents: [defineAgent({ name: 'child', prompt: 'child' })],
    prompts: [definePrompt({ name: 'child', tools: ['act'], hooks: [] })],
    script: [{ toolCalls: [{ name: 'helper' }] }, callAct, 'I could not.', 'ok'],
  });
  await thread.startSkill('careful');
  await thread.send('Go');
  const child = thread.state.children[0] as string;
  const rows = (await kit.store.listMessages(child)).map(({ role, content }) => `${role}: ${content}`);
  expect(rows).toContain(DENIED);
  expect(rows).not.toContain('user: Be careful.');
});

onBothStores(
  'order: policies, skills as they were started and by priority, then scoped hooks',
  async (kit) => {
    const order: string[] = [];
    const noting = (id: string, priority = 0): AnyHook =>
      defineHook({ hook: 'after_create_message', id, priority, execute: async (_) => void order.push(id) });
    const { skills } = shelf(
      { name: 'one', instructions: '', hooks: [noting('one_a'), noting('one_b', 5)] },
      { name: 'two', instructions: '', hooks: [noting('two_a')] },
    );
    const { thread } = await kit.thread({
      skills,
      policies: [noting('policy')],
      hooks: [noting('scoped', 100)],
      prompt: { hooks: ['scoped'] },
    });
    await thread.startSkill('one');
    await thread.startSkill('two');
    await thread.inject({ role: 'user', content: 'x' });
    expect(order).toEqual(['policy', 'one_b', 'one_a', 'two_a', 'scoped']);
    expect(await lines(thread)).toEqual(['user: x']);
  },
);

onBothStores('a thread’s skills are its own', async (kit) => {
  const { skills } = shelf(careful);
  const { runtime, thread } = await kit.thread({ tools: [act], skills, script: [callAct, 'ok'] });
  await thread.startSkill('careful');
  const other = await runtime.createThread({ agent: 'agent' });
  await other.send('Go');
  expect(await lines(other)).toContain('tool: acted');
});

onBothStores('what is refused, and can be tried again', async (kit) => {
  const twin = defineHook({ hook: 'after_thread_created', id: 'no_acting', execute: async (_) => {} });
  const { skills } = shelf(
    careful,
    { name: 'twin', instructions: '', hooks: [twin] },
    { name: 'nothing', instructions: '', hooks: [{ id: 'x' } as never] },
  );
  const { thread } = await kit.thread({ skills });
  expect(await thrownBy(thread.startSkill('unknown'))).toMatchObject({ message: 'no skill unknown' });
  expect(await thrownBy(thread.startSkill('nothing'))).toMatchObject({ code: 'bad_definition' });
  await thread.startSkill('careful');
  expect(await thrownBy(thread.startSkill('twin'))).toMatchObject({ code: 'duplicate_id' });
  expect(await thrownBy(thread.startSkill('unknown'))).toMatchObject({ message: 'no skill unknown' });
  await thread.close();
  expect(await thrownBy(thread.startSkill('careful'))).toMatchObject({ code: 'closed' });
  const without = await kit.thread();
  expect(await thrownBy(without.thread.startSkill('careful'))).toMatchObject({ code: 'bad_option' });
});

async function leaveTurnBehind(kit: Kit, threadId: string, skills = ['careful']): Promise<void> {
  const lease = await kit.store.acquireLease({ threadId, owner: 'dead', ttlMs: 1 });
  const message = { id: 'left.0.user', role: 'user', content: 'Go', created_at: 1 } as never;
  const values = [{ key: 'runtime/skills', value: skills }];
  await kit.store.append(threadId, lease.fence, {
    messages: [message],
    thread: { turn: { id: 'left' } },
    values,
  });
  await runWhatIsReady(5);
}

onBothStores('a turn that a crash left behind goes on under the skills it had', async (kit) => {
  const { skills } = shelf(careful);
  const { runtime, thread } = await kit.thread({
    tools: [act],
    skills,
    script: [callAct, 'ok', callAct, 'ok'],
  });
  await thread.close();
  await leaveTurnBehind(kit, thread.id);
  const again = await runtime.openThread(thread.id);
  await again.resume();
  expect(await lines(again)).toEqual([
    'user: Go',
    'user: Be careful.',
    'assistant: null',
    DENIED,
    'assistant: ok',
  ]);
  await again.close();
  const third = await runtime.openThread(thread.id);
  await third.send('Go');
  expect(await lines(third)).toContain('tool: acted');
});

onBothStores('… and does not go on where they are gone', async (kit) => {
  const { runtime, thread } = await kit.thread({
    tools: [act],
    skills: shelf().skills,
    script: [callAct, 'ok'],
  });
  await thread.close();
  await leaveTurnBehind(kit, thread.id);
  expect(await thrownBy(runtime.openThread(thread.id))).toMatchObject({
    code: 'bad_option',
    message: expect.stringMatching(
      /^The skill "careful", under which a turn of thread .* ran when its process/,
    ),
  });
});

const withHelper = {
  tools: [act, defineTool({ name: 'helper', agent: 'child' })],
  agents: [defineAgent({ name: 'child', prompt: 'child' })],
  prompts: [definePrompt({ name: 'child', tools: ['act'], hooks: [] })],
};

onBothStores('… nor through one that has ended, and that a hook of the parent reaches', async (kit) => {
  const { skills } = shelf(careful);
  const answers: unknown[] = [];
  const reach = defineHook({
    hook: 'after_tool_batch',
    id: 'reach',
    execute: async (state) => {
      const child = await state.getChildThread(state.children[0] as string);
      if (child === null) return null;
      answers.push(await child.invokeTool('act', {}));
      await child.queueTool('act', {});
      return null;
    },
  });
  const { runtime, thread } = await kit.thread({
    ...withHelper,
    skills,
    policies: [reach],
    script: [{ toolCalls: [{ name: 'helper' }] }, 'done', 'ok', 'ok'],
  });
  await thread.startSkill('careful');
  await thread.send('Go');
  const child = await runtime.openThread(thread.state.children[0] as string);
  await child.idle();
  expect(answers).toEqual([{ status: 'error', error: DENIED.slice(6) }]);
  expect((await lines(child)).filter((line) => line.startsWith('tool'))).toEqual([DENIED]);
});

onBothStores('… nor through one that the application opens', async (kit) => {
  const { skills } = shelf(careful);
  const { runtime, thread } = await kit.thread({
    ...withHelper,
    skills,
    script: [{ toolCalls: [{ name: 'helper' }] }, 'done', 'ok', callAct, 'ok', callAct, 'ok'],
  });
  await thread.send('Go');
  const child = await runtime.openThread(thread.state.children[0] as string);
  await thread.startSkill('careful');
  await child.send('Act.');
  await thread.close();
  await child.send('Act.');
  expect((await lines(child)).filter((line) => line.startsWith('tool'))).toEqual([DENIED, 'tool: acted']);
});

/** A loader that makes every skill anew, whatever its path. */
const fresh = (): Skill => ({ ...careful, hooks: [denyActing()] });

const keptSkills = async (kit: Kit, threadId: string): Promise<unknown> =>
  kit.store.getValue(threadId, 'runtime/skills');

onBothStores('however its path is written, a skill is started once', async (kit) => {
  const { thread } = await kit.thread({ skills: fresh });
  for (const path of ['a/b', './a/b', 'a//b/', 'a/./b'])
    expect(await thread.startSkill(path)).toBe('careful');
  const { thread: other } = await kit.thread({ skills: () => careful });
  for (const path of ['one', 'two']) expect(await other.startSkill(path)).toBe('careful');
  expect(await keptSkills(kit, thread.id)).toEqual(['a/b']);
  expect(await keptSkills(kit, other.id)).toEqual(['one']);
});

onBothStores('what was refused is not kept, whatever else is started meanwhile', async (kit) => {
  const other: Skill = { name: 'other', instructions: 'Other.', hooks: [] };
  const { thread } = await kit.thread({
    skills: async (path) => {
      await runWhatIsReady();
      return path === 'other' ? other : fresh();
    },
  });
  const started = await Promise.allSettled(['one', 'two', 'other'].map((path) => thread.startSkill(path)));
  expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await thrownBy(thread.startSkill('three'))).toMatchObject({ code: 'duplicate_id' });
  expect(await keptSkills(kit, thread.id)).toEqual(['one', 'other']);
});

onBothStores('a skill that cannot be kept does not hold', async (kit) => {
  const { skills } = shelf(careful);
  const { thread } = await kit.thread({ tools: [act], skills, script: ['ok'] });
  await thread.send('Go');
  const reader = await kit.start({ tools: [act], skills }).runtime.openThread(thread.id);
  expect(await thrownBy(reader.startSkill('careful'))).toMatchObject({ code: 'thread_busy' });
  await thread.close();
  expect(await reader.state.invokeTool('act', {})).toMatchObject({ result: 'acted' });
  expect(await reader.startSkill('careful')).toBe('careful');
  expect(await reader.state.invokeTool('act', {})).toMatchObject({ status: 'error' });
});

onBothStores('a thread that is closed before its turn was finished keeps its skills', async (kit) => {
  const { skills } = shelf(careful);
  const { runtime, thread } = await kit.thread({ tools: [act], skills, script: [callAct, 'ok'] });
  await thread.close();
  await leaveTurnBehind(kit, thread.id);
  await (await runtime.openThread(thread.id)).close();
  const again = await runtime.openThread(thread.id);
  await again.resume();
  expect(await lines(again)).toContain(DENIED);
});

onBothStores('skills that are gone can be given up', async (kit) => {
  const { runtime, thread } = await kit.thread({
    tools: [act],
    skills: shelf().skills,
    script: [callAct, 'ok'],
  });
  await thread.close();
  await leaveTurnBehind(kit, thread.id);
  const { message } = await thrownBy(runtime.openThread(thread.id));
  expect(message).toContain('restoreSkills: false');
  const again = await runtime.openThread(thread.id, { restoreSkills: false });
  expect(await again.resume()).toMatchObject({ status: 'completed' });
  expect(await lines(again)).toContain('tool: acted');
  await again.close();
  expect(await keptSkills(kit, thread.id)).toBeUndefined();
});

onBothStores(
  'a subagent that a crash left behind goes on under its parent’s skills when opened alone',
  async (kit) => {
    const { skills } = shelf(careful);
    const { runtime, thread } = await kit.thread({
      ...withHelper,
      skills,
      script: [{ toolCalls: [{ name: 'helper' }] }, 'done', 'ok', callAct, 'no', callAct, 'no'],
    });
    await thread.send('Go');
    const childId = thread.state.children[0] as string;
    await thread.close();
    await leaveTurnBehind(kit, thread.id);
    await leaveTurnBehind(kit, childId, []);
    const child = await runtime.openThread(childId);
    await child.resume();
    await runtime.openThread(thread.id);
    await child.send('Act.');
    expect((await lines(child)).filter((line) => line.startsWith('tool'))).toEqual([DENIED, DENIED]);
    expect(await child.runs({ id: 'no_acting' })).toHaveLength(2);
    expect(await keptSkills(kit, childId)).toEqual([]);
  },
);

onBothStores('a runtime without skills does not go on without those that a turn had', async (kit) => {
  const { thread } = await kit.thread({ tools: [act], skills: shelf(careful).skills });
  await thread.close();
  await leaveTurnBehind(kit, thread.id);
  const other = kit.start({ tools: [act] });
  expect(await thrownBy(other.runtime.openThread(thread.id))).toMatchObject({ code: 'bad_option' });
});
