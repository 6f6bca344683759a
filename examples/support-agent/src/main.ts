import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitMessages, redact } from '@spec/builtins';
import { createRuntime } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';
import { agent, prompt, script, tools } from './agent.ts';

const folder = mkdtempSync(join(tmpdir(), 'support-agent-'));
const path = join(folder, 'threads.db');

const model = scriptedModel(script);
const runtime = createRuntime({
  // Policies run on every thread, before the hooks that prompts and agents name.
  policies: [...redact({ defaultCountry: 'US' }), limitMessages(6)],
  models: { scripted: model },
  tools,
  prompts: [prompt],
  agents: [agent],
  store: sqliteStore({ path }),
});

const thread = await runtime.createThread({ agent: 'support' });
await thread.send('Hi, this is Ada, ada.moreno@example.com, born March 14, 1986. Where is my order A-1077?');
await thread.send('Please refund A-1042. I paid with 4111 1111 1111 1111.');

console.log('What was stored:');
for (const { role, content, tool_calls } of await thread.messages()) {
  console.log(`  ${role}: ${[content, tool_calls].filter(Boolean).join(' ')}`);
}

const changed = (await thread.runs()).filter((run) => run.changed);
console.log(`${changed.length} hook runs changed something.`);
await runtime.close();

const bytes = readFileSync(path, 'latin1');
const sent = JSON.stringify(model.calls.map((call) => call.prompt));
for (const secret of ['ada.moreno@example.com', '4111 1111 1111 1111', '1986-03-14']) {
  console.log(`In the file: ${bytes.includes(secret)}. Sent to the model: ${sent.includes(secret)}.`);
}
rmSync(folder, { recursive: true });
