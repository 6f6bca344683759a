import type { HookMessage } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import addExecutionMetadata from './hooks/add-execution-metadata.ts';

const runtime = createRuntime({
  hooks: [addExecutionMetadata],
  models: { scripted: scriptedModel([{ toolCalls: [{ name: 'roll_dice' }] }, 'You rolled a four.']) },
  tools: [defineTool({ name: 'roll_dice', execute: () => 4 })],
  prompts: [definePrompt({ name: 'game', tools: ['roll_dice'] })],
  agents: [defineAgent({ name: 'game', prompt: 'game', hooks: ['add_execution_metadata'] })],
});

const thread = await runtime.createThread({ agent: 'game' });
await thread.send('Roll the dice.');

const flows = new Set<string>();
for (const message of await thread.messages()) {
  const { flow_id, step, side } = JSON.parse((message as HookMessage & { metadata: string }).metadata);
  flows.add(flow_id);
  console.log(`${message.role}: step ${step}, side ${side}`);
}
console.log(`All in ${flows.size} flow.`);

await runtime.close();
