import { loadRules } from '@spec/rules';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';

const rules = await loadRules(new URL('./rules.json', import.meta.url));

const tools = ['read_file', 'write_file', 'bash'].map((name) =>
  defineTool({ name, parameters: { type: 'object' }, execute: () => 'done' }),
);

const calls = [
  { name: 'read_file', input: { path: 'src/main.ts' } },
  { name: 'read_file', input: { path: 'config/.env' } },
  { name: 'bash', input: { command: 'cat config/.env' } },
  { name: 'write_file', input: { path: '.env', content: 'API_KEY=abc' } },
  { name: 'write_file', input: { path: '.env', content: 'COLOUR=green' } },
];

const runtime = createRuntime({
  policies: rules.hooks,
  models: { scripted: scriptedModel([{ toolCalls: calls }, 'I could not read the key.']) },
  tools,
  prompts: [definePrompt({ name: 'coder', tools: tools.map(({ name }) => name) })],
  agents: [defineAgent({ name: 'coder', prompt: 'coder' })],
});

const thread = await runtime.createThread({ agent: 'coder' });
await thread.send('Which key do we use?');

const results = (await thread.messages()).filter(({ role }) => role === 'tool');
for (const [at, { content }] of results.entries())
  console.log(`${calls[at]?.name} ${JSON.stringify(calls[at]?.input)}\n  ${content}`);

await runtime.close();
