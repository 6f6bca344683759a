import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { gate, type Kit, never, onBothStores, thrownBy } from '../../test/kit.ts';
import { definePrompt, type PromptDefinition } from '../index.ts';

/** What the model is told with this system message, next to prompts that it can include. */
async function told(
  kit: Kit,
  system: PromptDefinition['system'],
  prompts: readonly PromptDefinition[] = [],
): Promise<unknown> {
  const { thread, model } = await kit.thread({
    prompt: system === undefined ? {} : { system },
    prompts,
    script: ['ok'],
  });
  await thread.send('hello');
  const [first] = model.calls[0]?.prompt ?? [];
  return first?.role === 'system' ? first.content : null;
}

onBothStores('parts come in their order, with a blank line between them', async (kit) => {
  expect(
    await told(kit, [
      'You are a clerk.',
      (state) => `The thread belongs to ${state.userId ?? 'nobody'}.`,
      async () => 'Be brief.',
    ]),
  ).toBe('You are a clerk.\n\nThe thread belongs to nobody.\n\nBe brief.');
});

onBothStores('blank parts are left out, the others stay as they are', async (kit) => {
  expect(await told(kit, ['', ' one\n', () => ' \n', 'two', async () => ''])).toBe(' one\n\n\ntwo');
  expect(await told(kit, ['', () => ''])).toBe(null);
  expect(await told(kit, [])).toBe(null);
  expect(await told(kit, undefined)).toBe(null);
  expect(await told(kit, '  as it is ')).toBe('  as it is ');
});

onBothStores('a prompt includes what others say, and what those include', async (kit) => {
  const prompts = [
    definePrompt({ name: 'house', system: ['House rules.', { include: 'law' }] }),
    definePrompt({ name: 'law', system: () => 'The law.' }),
    definePrompt({ name: 'silent' }),
  ];
  const system = [{ include: 'law' }, 'In between.', { include: 'silent' }, { include: 'house' }];
  expect(await told(kit, system, prompts)).toBe('The law.\n\nIn between.\n\nHouse rules.\n\nThe law.');
  expect(await told(kit, { include: 'house' }, prompts)).toBe('House rules.\n\nThe law.');
});

onBothStores(
  'an include takes the text alone: tools, hooks and model stay those of the prompt',
  async (kit) => {
    const noisy = defineHook({
      hook: 'after_system_message',
      id: 'noisy',
      execute: async (_, message) => `${message} NOISE`,
    });
    const { thread, model } = await kit.thread({
      hooks: [noisy],
      prompt: { system: ['Mine.', { include: 'other' }] },
      prompts: [definePrompt({ name: 'other', system: 'Theirs.', hooks: ['noisy'] })],
      script: ['ok'],
    });
    await thread.send('hello');
    expect(model.calls[0]?.prompt[0]?.content).toBe('Mine.\n\nTheirs.');
  },
);

onBothStores('after_system_message gets the whole of it, once', async (kit) => {
  const seen: string[] = [];
  const see = defineHook({
    hook: 'after_system_message',
    id: 'see',
    execute: async (_, message) => {
      seen.push(message);
      return null;
    },
  });
  const { thread } = await kit.thread({
    policies: [see],
    prompt: { system: ['a', () => 'b'] },
    script: ['ok'],
  });
  await thread.send('hello');
  expect(seen).toEqual(['a\n\nb']);
});

onBothStores('a part that fails ends the turn before the model is called, and tells no data', async (kit) => {
  const included = (system: PromptDefinition['system']): PromptDefinition =>
    definePrompt({ name: 'inner', ...(system === undefined ? {} : { system }) });
  const cases: Array<[PromptDefinition['system'], string]> = [
    [() => JSON.parse('my secret'), 'its function failed'],
    [['x', () => 7 as never], 'its function gave no string'],
  ];
  for (const [system, how] of cases) {
    const { thread, model } = await kit.thread({
      prompt: { system: ['ok', { include: 'inner' }] },
      prompts: [included(system)],
      script: ['never'],
    });
    const error = await thrownBy(thread.send('hello'));
    expect(error).toMatchObject({ name: 'RunError', code: 'invalid_result' });
    expect(error.message).toBe(`The system message of the prompt "inner" could not be rendered: ${how}.`);
    expect(model.calls).toHaveLength(0);
  }
});

onBothStores('a stop ends a part that hangs', async (kit) => {
  const reached = gate();
  const { thread, model } = await kit.thread({
    prompt: {
      system: [
        'x',
        () => {
          reached.open();
          return never();
        },
      ],
    },
  });
  const sending = thread.send('hello');
  await reached.opened;
  void thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted' });
  expect(model.calls).toHaveLength(0);
});
