import { type AnyHook, defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { onBothStores, thrownBy } from '../../test/kit.ts';
import { defineAgent, definePrompt, defineTool } from '../index.ts';

/** Keeps how often the create chain ran. */
const guard: AnyHook = defineHook({
  hook: 'before_create_message',
  id: 'guard',
  keeps: ['guard/*', 'marks'],
  execute: async (state, message) => {
    await state.setValue(
      'guard/runs',
      (((await state.getValue('guard/runs')) as number | undefined) ?? 0) + 1,
    );
    return message;
  },
});

onBothStores('what a hook keeps is set by hooks and the application, and by no tool', async (kit) => {
  const refused: unknown[] = [];
  const remember = defineTool({
    name: 'remember',
    execute: async (_input, { state }) => {
      for (const name of ['guard/runs', 'guard/', 'marks', 'guarded', 'marks/2', 'notes/1']) {
        const write = state.setValue(name, 'mine');
        const error = await thrownBy(write).catch(() => undefined);
        if (error !== undefined) refused.push([name, error]);
      }
      const pair = { key: 'notes/1', value: 'mine' };
      refused.push(['pair', await thrownBy(state.setValuesIf(pair, [pair, { key: 'marks', value: 1 }]))]);
      await state.injectMessage({ role: 'user', content: 'A hook runs for this one.' });
      return 'remembered';
    },
  });
  const { thread } = await kit.thread({
    policies: [guard],
    tools: [remember],
    script: [{ toolCalls: [{ name: 'remember' }] }, 'ok'],
  });
  await thread.state.setValue('marks', 'of the application');
  await thread.send('Go');
  const message =
    'A tool may not set what the hook "guard" keeps with the thread ("guard/*", "marks"). Begin the names of the tool\'s own values otherwise, such as with "notes/".';
  expect(refused).toEqual(
    ['guard/runs', 'guard/', 'marks', 'pair'].map((name) => [
      name,
      expect.objectContaining({ code: 'invalid_input', message }),
    ]),
  );
  const values = await kit.store.listValues(thread.id);
  expect(values).toContainEqual({ key: 'guard/runs', value: 5 });
  for (const [key, value] of [
    ['marks', 'of the application'],
    ['guarded', 'mine'],
    ['marks/2', 'mine'],
    ['notes/1', 'mine'],
  ])
    expect(values).toContainEqual({ key, value });
});

onBothStores('nor by a tool of a subagent, in the thread that it works for', async (kit) => {
  let refused: unknown;
  const { thread } = await kit.thread({
    policies: [guard],
    prompts: [definePrompt({ name: 'inner', tools: ['remember'] })],
    agents: [defineAgent({ name: 'inner', prompt: 'inner' })],
    tools: [
      defineTool({ name: 'helper', agent: 'inner' }),
      defineTool({
        name: 'remember',
        execute: async (_input, { state }) => {
          const parent = await state.getParentThread();
          refused = await thrownBy(parent?.setValue('marks', 'mine') ?? Promise.resolve());
          return 'remembered';
        },
      }),
    ],
    script: [{ toolCalls: [{ name: 'helper' }] }, { toolCalls: [{ name: 'remember' }] }, 'ok', 'ok'],
  });
  await thread.send('Go');
  expect(refused).toMatchObject({ code: 'invalid_input' });
});
