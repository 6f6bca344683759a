import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { defineAgent, definePrompt } from '../src/index.ts';
import { fields, type Kit, onBothStores, thrownBy } from './kit.ts';

const stamp = (id: string, priority = 0) =>
  defineHook({
    hook: 'before_create_message',
    id,
    priority,
    execute: async (_, message) => ({ ...message, seen: [...((message.seen as string[]) ?? []), id] }),
  });

/** Which hooks saw a user message, an injected one, and the model's answer. */
async function seenBy(kit: Kit, scope: { prompt?: string[]; agent?: string[] }): Promise<unknown[]> {
  const { thread } = await kit.thread({
    hooks: [stamp('from_prompt'), stamp('from_agent')],
    policies: [stamp('policy')],
    prompt: scope.prompt === undefined ? {} : { hooks: scope.prompt },
    agent: scope.agent === undefined ? {} : { hooks: scope.agent },
    script: ['ok'],
  });
  await thread.inject({ role: 'user', content: 'while nothing runs' });
  await thread.send('hello');
  return fields(thread, 'seen');
}

const thrice = (seen: string[]): string[][] => [seen, seen, seen];

onBothStores('a prompt’s hooks take the place of the agent’s', async (kit) => {
  const seen = await seenBy(kit, { prompt: ['from_prompt'], agent: ['from_agent'] });
  expect(seen).toEqual(thrice(['policy', 'from_prompt']));
});

onBothStores('a prompt without a list leaves it to the agent', async (kit) => {
  expect(await seenBy(kit, { agent: ['from_agent'] })).toEqual(thrice(['policy', 'from_agent']));
});

onBothStores('an empty list of the prompt is a real answer', async (kit) => {
  expect(await seenBy(kit, { prompt: [], agent: ['from_agent'] })).toEqual(thrice(['policy']));
});

onBothStores('where neither has a list only policies run', async (kit) => {
  expect(await seenBy(kit, {})).toEqual(thrice(['policy']));
});

onBothStores('policies come first, each list by priority, equal ones as given', async (kit) => {
  const ids = ['low', 'first_named', 'second_named', 'high'];
  const { thread } = await kit.thread({
    hooks: [stamp('low', -1), stamp('first_named'), stamp('second_named'), stamp('high', 5)],
    policies: [stamp('policy', -10)],
    prompt: { hooks: ids },
  });
  await thread.inject({ role: 'user', content: 'x' });
  expect((await thread.messages())[0]).toMatchObject({
    seen: ['policy', 'high', 'first_named', 'second_named', 'low'],
  });
});

onBothStores('the runs say by whose name a hook ran', async (kit) => {
  const { thread } = await kit.thread({
    hooks: [stamp('named')],
    policies: [stamp('policy')],
    agent: { hooks: ['named'] },
  });
  await thread.inject({ role: 'user', content: 'x' });
  expect((await thread.runs()).map(({ id, source, outcome }) => [id, source, outcome])).toEqual([
    ['policy', 'policy', 'changed'],
    ['named', 'agent:agent', 'changed'],
  ]);
});

onBothStores('two agents over one prompt each bring their own hooks', async (kit) => {
  const { runtime } = kit.start({
    hooks: [stamp('one'), stamp('two')],
    prompts: [definePrompt({ name: 'shared' })],
    agents: [
      defineAgent({ name: 'first', prompt: 'shared', hooks: ['one'] }),
      defineAgent({ name: 'second', prompt: 'shared', hooks: ['two'] }),
    ],
  });
  for (const [agent, id] of [
    ['first', 'one'],
    ['second', 'two'],
  ] as const) {
    const thread = await runtime.createThread({ agent });
    expect(await thread.inject({ role: 'user', content: 'x' })).toMatchObject({ seen: [id] });
  }
});

onBothStores('swapped hooks hold from the next chain on', async (kit) => {
  const { runtime, thread } = await kit.thread({ hooks: [stamp('old')], prompt: { hooks: ['old'] } });
  expect(await thread.inject({ role: 'user', content: 'x' })).toMatchObject({ seen: ['old'] });
  const renewed = defineHook({
    hook: 'before_create_message',
    id: 'old',
    execute: async (_, message) => ({ ...message, seen: 'the new one' }),
  });
  runtime.swapHooks([renewed, stamp('another')]);
  expect(await thread.inject({ role: 'user', content: 'x' })).toMatchObject({ seen: 'the new one' });
});

onBothStores('a set of hooks that lacks a named one changes nothing', async (kit) => {
  const { runtime, thread } = await kit.thread({ hooks: [stamp('old')], prompt: { hooks: ['old'] } });
  const refused = async (): Promise<void> => runtime.swapHooks([stamp('newer')]);
  const error = await thrownBy(refused());
  expect(error).toMatchObject({ name: 'DefinitionError', code: 'unknown_id' });
  expect(error.message).toMatch(/^prompt:prompt names the hook "old", which nobody registered\./);
  expect(await thread.inject({ role: 'user', content: 'x' })).toMatchObject({ seen: ['old'] });
  runtime.swapHooks([stamp('old'), stamp('newer')]);
  expect(await thrownBy(refused())).toMatchObject({ code: 'unknown_id' });
  expect(await thread.inject({ role: 'user', content: 'x' })).toMatchObject({ seen: ['old'] });
});

onBothStores('swapped policies hold from the next chain on, all or nothing', async (kit) => {
  const policies = [stamp('policy')];
  const { runtime, thread } = await kit.thread({
    hooks: [stamp('old')],
    policies,
    prompt: { hooks: ['old'] },
  });
  expect(await thread.inject({ role: 'user', content: 'x' })).toMatchObject({ seen: ['policy', 'old'] });
  expect(await thrownBy((async () => runtime.swapPolicies([stamp('old')]))())).toMatchObject({
    code: 'duplicate_id',
  });
  expect(await thread.inject({ role: 'user', content: 'x' })).toMatchObject({ seen: ['policy', 'old'] });
  runtime.swapPolicies([stamp('policy'), stamp('second')]);
  expect(await thread.inject({ role: 'user', content: 'x' })).toMatchObject({
    seen: ['policy', 'second', 'old'],
  });
  runtime.swapPolicies([]);
  expect(await thread.inject({ role: 'user', content: 'x' })).toMatchObject({ seen: ['old'] });
});
