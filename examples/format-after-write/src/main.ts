import { createRules } from '@spec/rules';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { rules } from './rules.ts';

const { hooks } = await createRules(rules, { onLog: ({ rule, line }) => console.log(`[${rule}] ${line}`) });

const writeFile = defineTool({
  name: 'write_file',
  parameters: { type: 'object' },
  execute: () => 'written',
});
const bash = defineTool({
  name: 'bash',
  parameters: { type: 'object' },
  execute: (input: unknown) => {
    const { command } = input as { command: string };
    console.log(`$ ${command}`);
    return command.endsWith('broken.py') ? { status: 'error', error: 'cannot parse line 3' } : 'reformatted';
  },
});

const paths = ['app.py', 'README.md', 'broken.py', '$(reboot).py'];

const runtime = createRuntime({
  policies: hooks,
  models: {
    scripted: scriptedModel([
      ...paths.map((path) => ({ toolCalls: [{ name: 'write_file', input: { path, content: '…' } }] })),
      'Written.',
    ]),
  },
  tools: [writeFile, bash],
  prompts: [definePrompt({ name: 'coder', tools: ['write_file', 'bash'] })],
  agents: [defineAgent({ name: 'coder', prompt: 'coder' })],
});

const thread = await runtime.createThread({ agent: 'coder' });
await thread.send('Write the application.');
const told = (await thread.messages()).filter(
  ({ role, content }) => role === 'user' && content?.startsWith('Formatting'),
);
for (const { content } of told) console.log(`the model is told: ${content}`);
await runtime.close();
