import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Counts the threads of a process that runs an agent under a rule with a script. */
const PROGRAM = `
import { readdirSync } from 'node:fs';
import { createRules } from '@spec/rules';
import { createRuntime, defineAgent, definePrompt } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';

const threads = () => readdirSync('/proc/self/task').length;
const atStart = threads();
const { hooks } = await createRules([{ event: 'UserPromptSubmit', action: 'script', script: 'return { input: "X" }' }]);
const runtime = createRuntime({
  policies: hooks,
  models: { scripted: scriptedModel(['ok']) },
  prompts: [definePrompt({ name: 'p' })],
  agents: [defineAgent({ name: 'p', prompt: 'p' })],
});
const thread = await runtime.createThread({ agent: 'p' });
await thread.send('Go');
console.log((await thread.messages())[0].content, threads() > atStart);
await runtime.close();
for (let tries = 0; threads() > atStart && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
console.log(threads() - atStart);
`;

test.skipIf(!existsSync('/proc/self/task'))(
  'workers end with the last session',
  async () => {
    const flags = ['--conditions=@spec/source', '--import', 'tsx', '--input-type=module', '-e', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, flags, {
      timeout: 20_000,
      cwd: import.meta.dirname,
    });
    expect(stdout).toBe('X true\n0\n');
  },
  25_000,
);
