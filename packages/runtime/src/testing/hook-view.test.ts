import { createExecutor, defineHook, scopeOf, type ThreadState } from '@spec/hooks';
import { expect, test } from 'vitest';
import { createRuntime } from '../runtime/runtime.ts';
import { hookView } from './hook-view.ts';
import { scriptedModel } from './scripted-model.ts';

test("an executor's hooks write to a real thread, no longer than they run, and as deep as the runtime counts", async () => {
  const depths: string[] = [];
  const echo = defineHook({
    hook: 'after_create_message',
    id: 'echo',
    execute: async (state, { content }) => {
      depths.push(String(content));
      await state.injectMessage({ role: 'user', content: `${content}+` });
    },
  });
  const runtime = createRuntime({
    agents: [{ name: 'agent', prompt: 'agent' }],
    prompts: [{ name: 'agent' }],
    models: { none: scriptedModel([]) },
    policies: [echo],
  });
  const { state } = await runtime.createThread({ agent: 'agent' });
  let kept: ThreadState | undefined;
  const begin = defineHook({
    hook: 'after_session_started',
    id: 'begin',
    execute: async (view) => {
      kept = view;
      await view.injectMessage({ role: 'user', content: 'deep' });
      return null;
    },
  });
  const executor = createExecutor({ view: hookView });
  const session = { sessionId: 's', source: 'created', agentId: 'agent', parentId: null } as const;
  const scope = scopeOf([{ hook: begin, source: 'policy' }]);
  await executor.run('after_session_started', scope, state, session);
  expect(depths).toEqual(['deep', 'deep+', 'deep++']);
  await expect(kept?.injectMessage({ role: 'user', content: 'late' })).rejects.toMatchObject({
    code: 'late_write',
  });
  await runtime.close();
});
