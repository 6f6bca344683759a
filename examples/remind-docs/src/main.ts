import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { codeChangedWithoutTests, defineTrigger, planCompletion, triggerHooks } from '@spec/triggers';

const buildBroke = defineTrigger({
  id: 'build_broke',
  on: 'tool_result',
  match: 'build',
  when: ({ use }) => use.status === 'error',
  message: ({ use }) => `The build is broken (${use.text}). Mend it before you go on.`,
});

const runtime = createRuntime({
  policies: triggerHooks([planCompletion(), codeChangedWithoutTests(), buildBroke]),
  models: {
    scripted: scriptedModel([
      { toolCalls: [{ name: 'write_file', input: { path: 'src/login.ts' } }, { name: 'build' }] },
      { toolCalls: [{ name: 'write_file', input: { path: 'src/login.ts' } }, { name: 'update_plan' }] },
      'Everything is done, and the README is up to date.',
    ]),
  },
  tools: [
    defineTool({ name: 'write_file', parameters: { type: 'object' }, execute: () => 'written' }),
    defineTool({ name: 'build', execute: () => ({ status: 'error', error: '2 errors' }) }),
    defineTool({
      name: 'update_plan',
      execute: () => ({ success: true, summary: { total: 3, completed: 3 } }),
    }),
  ],
  prompts: [definePrompt({ name: 'coder', tools: ['write_file', 'build', 'update_plan'] })],
  agents: [defineAgent({ name: 'coder', prompt: 'coder' })],
});

const thread = await runtime.createThread({ agent: 'coder' });
await thread.send('Build the login.');
for (const { role, content } of await thread.messages()) console.log(`${role}: ${content ?? '(tool calls)'}`);
await runtime.close();
