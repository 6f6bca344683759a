import { createRuntime, defineAgent, definePrompt } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import limitTo5Messages from './hooks/limit-to-5-messages.ts';

const model = scriptedModel(['One.', 'Two.', 'Three.', 'Four.', 'Five.']);

const runtime = createRuntime({
  hooks: [limitTo5Messages],
  models: { scripted: model },
  prompts: [definePrompt({ name: 'counter', system: 'Count the turns.' })],
  agents: [defineAgent({ name: 'counter', prompt: 'counter', hooks: ['limit_to_5_messages'] })],
});

const thread = await runtime.createThread({ agent: 'counter' });
for (const text of ['first', 'second', 'third', 'fourth', 'fifth']) {
  await thread.send(text);
  const history = model.calls.at(-1)?.prompt.filter(({ role }) => role !== 'system') ?? [];
  const stored = await thread.messages();
  console.log(`Turn "${text}": the model saw ${history.length} messages, ${stored.length} are stored.`);
}

await runtime.close();
