import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { type AnyHook, defineHook, type ThreadState } from '@spec/hooks';
import { expect } from 'vitest';
import { fields, gate, type Kit, lines, never, onBothStores, type Setup, thrownBy } from '../../test/kit.ts';
import {
  type AgentSide,
  calledTool,
  type DualAiAgent,
  defineAgent,
  definePrompt,
  defineTool,
  type FinishedStep,
  saidText,
  type Thread,
} from '../index.ts';
import type { ScriptedModel, ScriptedStep } from '../testing/index.ts';

interface Dual extends Omit<Setup, 'agent' | 'prompt'> {
  readonly a?: Partial<AgentSide>;
  readonly b?: Partial<AgentSide>;
  readonly dual?: Partial<DualAiAgent>;
  readonly toolsOfA?: readonly string[];
  readonly hooksOfA?: readonly string[];
  readonly hooksOfB?: readonly string[];
}

interface DualThread {
  readonly thread: Thread;
  readonly model: ScriptedModel;
}

/** A thread of two prompts, `pa` and `pb`, that answer by one script in turn. */
async function talk(
  kit: Kit,
  { a, b, dual, toolsOfA, hooksOfA, hooksOfB, ...setup }: Dual,
): Promise<DualThread> {
  const { runtime, model } = kit.start({
    prompts: [
      definePrompt({
        name: 'pa',
        system: 'You are A.',
        tools: toolsOfA ?? [],
        ...(hooksOfA ? { hooks: hooksOfA } : {}),
      }),
      definePrompt({ name: 'pb', system: 'You are B.', ...(hooksOfB ? { hooks: hooksOfB } : {}) }),
    ],
    ...setup,
    agents: [
      defineAgent({
        name: 'talk',
        type: 'dual_ai',
        sides: { a: { prompt: 'pa', ...a }, b: { prompt: 'pb', ...b } },
        ...dual,
      }),
      ...(setup.agents ?? []),
    ],
  });
  return { thread: await runtime.createThread({ agent: 'talk' }), model };
}

/** What the model was told in one call, as `role: text`. */
function told({ prompt }: LanguageModelV3CallOptions): string[] {
  return prompt.map(({ role, content }) => {
    if (typeof content === 'string') return `${role}: ${content}`;
    return `${role}: ${content.map((part) => (part.type === 'text' ? part.text : part.type)).join(' + ')}`;
  });
}

const bye = { stopWhen: saidText('bye') };

onBothStores('two prompts talk to each other: each is the other’s user', async (kit) => {
  const { thread, model } = await talk(kit, { script: ['a1', 'b1', 'a2', 'b2, bye'], dual: bye });
  expect(await thread.send('Talk.')).toMatchObject({ status: 'completed', text: 'b2, bye', steps: 4 });
  expect(await lines(thread)).toEqual([
    ...['user: Talk.', 'assistant: a1', 'assistant: b1', 'assistant: a2', 'assistant: b2, bye'],
  ]);
  expect(await fields(thread, 'side')).toEqual([undefined, 'a', 'b', 'a', 'b']);
  expect(model.calls.map(told)).toEqual([
    ['system: You are A.', 'user: Talk.'],
    ['system: You are B.', 'user: Talk.', 'user: a1'],
    ['system: You are A.', 'user: Talk.', 'assistant: a1', 'user: b1'],
    ['system: You are B.', 'user: Talk.', 'user: a1', 'assistant: b1', 'user: a2'],
  ]);
});

onBothStores('an agent that talks with a person has no sides in its rows', async (kit) => {
  const { thread } = await kit.thread({ script: ['ok'] });
  await thread.send('hello');
  for (const message of await thread.messages()) expect(Object.keys(message)).not.toContain('side');
});

onBothStores('every message that is sent is answered by side a first', async (kit) => {
  const { thread, model } = await talk(kit, { script: ['a1, bye', 'a2', 'b2, bye'], dual: bye });
  await thread.send('one');
  await thread.send('two');
  expect(await fields(thread, 'side')).toEqual([undefined, 'a', undefined, 'a', 'b']);
  expect(told(model.calls[2] as LanguageModelV3CallOptions)).toEqual([
    ...['system: You are B.', 'user: one', 'user: a1, bye', 'user: two', 'user: a2'],
  ]);
});

const note = defineTool({ name: 'note', execute: () => 'noted' });
const callNote: ScriptedStep = { text: 'Let me note that.', toolCalls: [{ id: 'n1', name: 'note' }] };

onBothStores('a side’s calls and their results are its own; its texts are heard', async (kit) => {
  const batches = defineHook({
    hook: 'after_tool_batch',
    id: 'batches',
    execute: async (_) => 'for the one who called',
  });
  const { thread, model } = await talk(kit, {
    tools: [note],
    toolsOfA: ['note'],
    policies: [batches],
    script: [callNote, 'a1', 'b1', 'a2, bye'],
    dual: bye,
  });
  await thread.send('Talk.');
  expect(await fields(thread, 'side')).toEqual([undefined, 'a', 'a', 'a', 'a', 'b', 'a']);
  expect(told(model.calls[2] as LanguageModelV3CallOptions)).toEqual([
    ...['system: You are B.', 'user: Talk.', 'user: Let me note that.', 'user: a1'],
  ]);
  expect(told(model.calls[3] as LanguageModelV3CallOptions)).toEqual([
    ...['system: You are A.', 'user: Talk.', 'assistant: Let me note that. + tool-call', 'tool: tool-result'],
    ...['user: for the one who called', 'assistant: a1', 'user: b1'],
  ]);
  expect(model.calls.map(({ tools }) => tools?.length ?? 0)).toEqual([1, 1, 0, 1]);
});

onBothStores('a tool’s context is for the side that called it', async (kit) => {
  const context = defineHook({
    hook: 'before_tool_call',
    id: 'context',
    execute: async (_) => ({ context: 'psst' }),
  });
  const { thread, model } = await talk(kit, {
    tools: [note],
    toolsOfA: ['note'],
    policies: [context],
    script: [callNote, 'a1', 'b1, bye'],
    dual: bye,
  });
  await thread.send('Talk.');
  expect(told(model.calls[1] as LanguageModelV3CallOptions)).toContain('user: psst');
  expect(told(model.calls[2] as LanguageModelV3CallOptions)).not.toContain('user: psst');
});

onBothStores('a label stands as the name on what its side says', async (kit) => {
  const { thread } = await talk(kit, {
    tools: [note],
    toolsOfA: ['note'],
    script: [callNote, 'a1', 'b1, bye'],
    a: { label: 'Buyer' },
    dual: bye,
  });
  await thread.send('Talk.');
  expect(await fields(thread, 'name')).toEqual([undefined, 'Buyer', 'note', 'Buyer', undefined]);
});

const stamp = (id: string): AnyHook =>
  defineHook({
    hook: 'before_create_message',
    id,
    execute: async (state, message) => ({
      ...message,
      seen: [...((message.seen as string[] | undefined) ?? []), `${id} ${state.execution.currentSide}`],
    }),
  });

onBothStores(
  'each side has the hooks of its prompt, or else the agent’s; policies run on both',
  async (kit) => {
    const { thread } = await talk(kit, {
      hooks: [stamp('of_a'), stamp('of_agent')],
      policies: [stamp('policy')],
      hooksOfA: ['of_a'],
      dual: { ...bye, hooks: ['of_agent'] },
      script: ['a1', 'b1', 'a2, bye'],
    });
    await thread.send('Talk.');
    expect(await fields(thread, 'seen')).toEqual([
      ['policy a', 'of_a a'],
      ['policy a', 'of_a a'],
      ['policy b', 'of_agent b'],
      ['policy a', 'of_a a'],
    ]);
  },
);

onBothStores(
  'filter_messages sees what is stored, prefilter_llm_history what the side is told',
  async (kit) => {
    const filtered: string[][] = [];
    const sent: string[][] = [];
    const filter = defineHook({
      hook: 'filter_messages',
      id: 'filter',
      execute: async (_, messages) => {
        filtered.push(messages.map(({ role }) => role));
        return messages;
      },
    });
    const prefilter = defineHook({
      hook: 'prefilter_llm_history',
      id: 'prefilter',
      execute: async (_, messages) => {
        sent.push(messages.map(({ role }) => role));
        return messages;
      },
    });
    const { thread } = await talk(kit, {
      policies: [filter, prefilter],
      tools: [note],
      toolsOfA: ['note'],
      script: [callNote, 'a1', 'b1, bye'],
      dual: bye,
    });
    await thread.send('Talk.');
    expect(filtered[2]).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(sent[2]).toEqual(['user', 'user', 'user']);
  },
);

onBothStores('currentSide is where the talk is, in the turn and in the store', async (kit) => {
  const seen: unknown[] = [];
  const see = defineHook({
    hook: 'after_create_message',
    id: 'see',
    execute: async (state, { role }) => {
      const record = await kit.store.getThread(state.threadId);
      seen.push([role, state.execution.currentSide, record?.currentSide]);
    },
  });
  const { thread } = await talk(kit, { policies: [see], script: ['a1', 'b1', 'a2, bye'], dual: bye });
  await thread.send('Talk.');
  await thread.send('Again.').catch(() => {});
  expect(seen.slice(0, 5)).toEqual([
    ['user', 'a', 'a'],
    ['assistant', 'a', 'b'],
    ['assistant', 'b', 'a'],
    ['assistant', 'a', 'b'],
    ['user', 'a', 'a'],
  ]);
});

onBothStores('limits: steps of the turn, steps of a go, goes of a side', async (kit) => {
  const noting: ScriptedStep[] = Array.from({ length: 9 }, (_, i) => ({
    toolCalls: [{ id: `n${i}`, name: 'note' }],
  }));
  const words: ScriptedStep[] = Array.from({ length: 9 }, (_, i) => `word ${i}`);
  const cases: Array<[Dual, number]> = [
    [{ script: words, dual: { maxSteps: 5 } }, 5],
    [{ script: words, b: { maxTurns: 2 } }, 5],
    [{ script: words, a: { maxTurns: 1 } }, 2],
    [{ script: noting, a: { maxSteps: 3 } }, 3],
    [{ script: [...noting.slice(0, 2), ...words], a: { maxSteps: 3 }, dual: { maxSteps: 6 } }, 6],
  ];
  for (const [setup, steps] of cases) {
    const { thread } = await talk(kit, { ...setup, tools: [note], toolsOfA: ['note'] });
    expect(await thread.send('Talk.')).toMatchObject({ status: 'limit', steps });
  }
});

onBothStores('a side’s conditions are asked about its own steps only', async (kit) => {
  const { thread } = await talk(kit, {
    script: ['done', 'a', 'done', 'never'],
    b: { stopWhen: saidText('a') },
  });
  expect(await thread.send('Talk.')).toMatchObject({ status: 'completed', text: 'a', steps: 2 });
});

onBothStores('a tool that a side calls ends the talk', async (kit) => {
  const asked: FinishedStep[] = [];
  const { thread } = await talk(kit, {
    tools: [note],
    toolsOfA: ['note'],
    script: ['a1', 'b1', callNote, 'never'],
    dual: {
      stopWhen: [
        (step) => {
          asked.push(step);
          return false;
        },
        calledTool('note'),
      ],
    },
  });
  expect(await thread.send('Talk.')).toMatchObject({
    status: 'completed',
    text: 'Let me note that.',
    steps: 3,
  });
  expect(asked.map(({ side, stepCount, text }) => [side, stepCount, text])).toEqual([
    ['a', 1, 'a1'],
    ['b', 2, 'b1'],
    ['a', 3, 'Let me note that.'],
  ]);
  expect(asked[2]).toMatchObject({
    message: { side: 'a', role: 'assistant' },
    toolCalls: [{ id: 'n1', name: 'note', status: 'success' }],
  });
});

onBothStores('a hook ends the talk with execution.stop()', async (kit) => {
  const stop = defineHook({
    hook: 'after_create_message',
    id: 'stop',
    execute: async (state, { side }) => {
      if (side === 'b') state.execution.stop();
    },
  });
  const { thread } = await talk(kit, { policies: [stop], script: ['a1', 'b1', 'never'] });
  expect(await thread.send('Talk.')).toMatchObject({ status: 'stopped', text: 'b1', steps: 2 });
});

onBothStores('an abort in the go of b leaves a history that is valid for both', async (kit) => {
  const reached = gate();
  const { thread, model } = await talk(kit, {
    script: [
      'a1',
      () => {
        reached.open();
        return never();
      },
      'a2, bye',
    ],
    dual: bye,
  });
  const sending = thread.send('Talk.');
  await reached.opened;
  void thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted' });
  expect(await thread.send('Go on.')).toMatchObject({ status: 'completed' });
  expect(told(model.calls[2] as LanguageModelV3CallOptions)).toEqual([
    ...['system: You are A.', 'user: Talk.', 'assistant: a1', 'user: Go on.'],
  ]);
});

onBothStores('before_stop keeps a talk going: the other side goes on with it', async (kit) => {
  const keep = defineHook({
    hook: 'before_stop',
    id: 'keep',
    execute: async (_, { keptGoing }) => (keptGoing === 0 ? { keepGoing: 'Not yet.' } : null),
  });
  const { thread } = await talk(kit, { policies: [keep], script: ['a1, bye', 'b1', 'a2, bye'], dual: bye });
  expect(await thread.send('Talk.')).toMatchObject({ status: 'completed', steps: 3 });
  expect(await lines(thread)).toEqual([
    ...['user: Talk.', 'assistant: a1, bye', 'user: Not yet.', 'assistant: b1', 'assistant: a2, bye'],
  ]);
  expect(await fields(thread, 'side')).toEqual([undefined, 'a', undefined, 'b', 'a']);
});

onBothStores('a condition that fails ends the turn with an error', async (kit) => {
  const broken = (): boolean => JSON.parse('my secret');
  const { thread } = await talk(kit, { script: ['a1', 'never'], dual: { stopWhen: broken } });
  const error = await thrownBy(thread.send('Talk.'));
  expect(error).toMatchObject({
    code: 'invalid_result',
    message: 'A stop condition of the agent "talk" failed.',
  });
  expect((await fields(thread, 'error_code')).at(-1)).toBe('invalid_result');
});

onBothStores('what a hook injects belongs to both, unless it names a side', async (kit) => {
  const inject = defineHook({
    hook: 'after_create_message',
    id: 'inject',
    execute: async (state: ThreadState, message) => {
      if (message.content !== 'a1') return;
      await state.injectMessage({ role: 'user', content: 'to both' });
      await state.injectMessage({ role: 'user', content: 'to a', side: 'a' });
    },
  });
  const { thread, model } = await talk(kit, {
    policies: [inject],
    script: ['a1', 'b1', 'a2, bye'],
    dual: bye,
  });
  await thread.send('Talk.');
  expect(told(model.calls[1] as LanguageModelV3CallOptions).slice(2)).toEqual(['user: a1', 'user: to both']);
  expect(told(model.calls[2] as LanguageModelV3CallOptions).slice(2)).toEqual([
    ...['assistant: a1', 'user: to both', 'user: to a', 'user: b1'],
  ]);
});

onBothStores('what the application writes while nothing runs belongs to both', async (kit) => {
  const { thread, model } = await talk(kit, { script: ['a1', 'b1, bye'], dual: bye });
  await thread.inject({ role: 'assistant', content: 'from before' });
  await thread.send('Talk.');
  expect(await fields(thread, 'side')).toEqual([undefined, undefined, 'a', 'b']);
  for (const call of model.calls) expect(told(call)[1]).toBe('assistant: from before');
});

onBothStores('a tool has no say in whose its result is', async (kit) => {
  const forge = defineTool({
    name: 'note',
    execute: () => ({ status: 'success', result: 'noted', side: 'b' }),
  });
  const { thread, model } = await talk(kit, {
    tools: [forge],
    toolsOfA: ['note'],
    script: [callNote, 'a1', 'b1, bye'],
    dual: bye,
  });
  await thread.send('Talk.');
  expect(await fields(thread, 'side')).toEqual([undefined, 'a', 'a', 'a', 'b']);
  expect(told(model.calls[1] as LanguageModelV3CallOptions)).toContain('tool: tool-result');
});

onBothStores('what a condition does to the step it is asked about changes nothing', async (kit) => {
  const { thread, model } = await talk(kit, {
    script: ['a1', 'b1, bye'],
    dual: {
      stopWhen: ({ message, text }) => {
        message.content = 'changed';
        return text?.includes('bye') === true;
      },
    },
  });
  expect(await thread.send('Talk.')).toMatchObject({ text: 'b1, bye' });
  expect(told(model.calls[1] as LanguageModelV3CallOptions)).toContain('user: a1');
  expect(await lines(thread)).toEqual(['user: Talk.', 'assistant: a1', 'assistant: b1, bye']);
});
