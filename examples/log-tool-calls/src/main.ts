import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { z } from 'zod';
import logToolCalls from './hooks/log-tool-calls.ts';

const getWeather = defineTool({
  name: 'get_weather',
  description: 'The weather in a city.',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `It is sunny in ${city}.`,
});

const runtime = createRuntime({
  hooks: [logToolCalls],
  models: {
    scripted: scriptedModel([
      {
        toolCalls: [
          { name: 'get_weather', input: { city: 'Lisbon' } },
          { name: 'get_weather', input: { city: 'Oslo' } },
        ],
      },
      'Sunny in both.',
    ]),
  },
  tools: [getWeather],
  prompts: [definePrompt({ name: 'weather', tools: ['get_weather'], hooks: ['log_tool_calls'] })],
  agents: [defineAgent({ name: 'weather', prompt: 'weather' })],
});

const thread = await runtime.createThread({ agent: 'weather' });
const { text } = await thread.send('How is the weather in Lisbon and Oslo?');
console.log(text);

await runtime.close();
