// Runs a turn where no SDK of OpenTelemetry is; prints the answer, and which files of OpenTelemetry were loaded.
import { createRequire } from 'node:module';
import { createRuntime } from '../src/index.ts';
import { scriptedModel } from '../src/testing/scripted-model.ts';

const runtime = createRuntime({
  models: { m: scriptedModel(['hi']) },
  prompts: [{ name: 'p' }],
  agents: [{ name: 'a', prompt: 'p' }],
});
const thread = await runtime.createThread({ agent: 'a' });
const { text } = await thread.send('hello');
const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) =>
  path.includes('opentelemetry'),
);
console.log(JSON.stringify({ text, loaded }));
