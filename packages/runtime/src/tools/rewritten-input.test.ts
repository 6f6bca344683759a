import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { lines, onBothStores } from '../../test/kit.ts';
import { defineTool } from '../index.ts';

const input = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: () => {
      throw new Error('The schema is broken.');
    },
  },
} as never;

onBothStores('a schema that throws is the tool’s failure, not that of the hook that rewrote', async (kit) => {
  let ran = 0;
  const act = defineTool({
    name: 'act',
    input,
    parameters: { type: 'object' },
    execute: () => `ran ${++ran}`,
  });
  const rewrite = defineHook({
    hook: 'before_tool_call',
    id: 'rewrite',
    execute: async (_) => ({ input: { n: 2 } }),
  });
  const { thread } = await kit.thread({
    policies: [rewrite],
    tools: [act],
    script: [{ toolCalls: [{ name: 'act' }] }, 'ok'],
  });
  await thread.send('Go');
  expect(await lines(thread)).toContain('tool: The schema is broken.');
  expect((await thread.runs({ id: 'rewrite' })).map(({ outcome }) => outcome)).toEqual(['changed']);
  expect(ran).toBe(0);
});
