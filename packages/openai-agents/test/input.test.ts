import { Agent, setTracingDisabled } from '@openai/agents';
import { assistantMessage, ScriptedModel } from '@openai/agents/testing';
import { defineHook } from '@spec/hooks';
import { expect, test } from 'vitest';
import { createHooks } from '../src/index.ts';

setTracingDisabled(true);

test('what the user says is heard, also where the application has the last word of the input', async () => {
  const heard: (string | null)[] = [];
  const listen = defineHook({
    hook: 'before_user_message',
    id: 'listen',
    execute: async (_state, { content }) => {
      heard.push(content);
      return null;
    },
  });
  const model = new ScriptedModel([[assistantMessage('{}')]]);
  const { run } = createHooks({ hooks: [listen] });
  const said = { role: 'user', content: 'hello' } as const;
  await run(new Agent({ name: 'clerk', model }), [said, { role: 'system', content: 'Answer in JSON.' }]);
  expect(heard).toEqual(['hello']);
  expect(model.calls[0]?.request.input).toMatchObject([said, { content: 'Answer in JSON.' }]);
});
