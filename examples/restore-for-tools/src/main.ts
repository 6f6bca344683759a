import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redact } from '@spec/builtins';
import { defineHook } from '@spec/hooks';
import { createRuntime } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { agent, prompt, sent, tools } from './shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'restore-for-tools-'));
const path = join(folder, 'threads.db');
const key = 'keep this where you keep other secrets';

/** Everything that is paid with a card needs a person's permission. */
const askFirst = defineHook({
  hook: 'before_tool_call',
  id: 'ask_before_charging',
  match: 'charge_card',
  execute: async () => ({ decision: 'ask', reason: 'It costs money.' }),
});

function start(script: readonly ScriptedStep[]) {
  const model = scriptedModel(script);
  const runtime = createRuntime({
    policies: [...redact({ restore: { to: 'tools', tools: ['charge_card', 'send_mail'], key } }), askFirst],
    models: { scripted: model },
    tools,
    prompts: [prompt],
    agents: [agent],
    store: sqliteStore({ path }),
    onAsk(ask) {
      if (ask.about === 'tool_call')
        console.log(`A person is asked: ${ask.tool} ${JSON.stringify(ask.input)}`);
      return true;
    },
  });
  return { model, runtime };
}

const first = start([
  { toolCalls: [{ name: 'charge_card', input: { card: '[CARD_1]', amount: 42 } }] },
  'Paid. Where shall I send the ticket?',
]);
const thread = await first.runtime.createThread({ agent: 'shop' });
await thread.send('One ticket, please. My card is 4111 1111 1111 1111, my mail ada@example.com.');
await first.runtime.close();

// Another process, another day: the values come back from the store, decrypted.
const second = start([
  {
    toolCalls: [{ name: 'send_mail', input: { to: '[EMAIL_1]', text: 'Your ticket, paid with [CARD_1].' } }],
  },
  { toolCalls: [{ name: 'write_log', input: { line: 'mailed [EMAIL_1]' } }] },
  'It is on its way to [EMAIL_1].',
]);
const again = await second.runtime.openThread(thread.id);
await again.send('To the address I gave you.');

console.log('\nWhat the services got:');
for (const line of sent) console.log(`  ${line}`);

console.log('\nWhat was stored:');
for (const { role, content, tool_calls } of await again.messages())
  console.log(`  ${role}: ${[content, tool_calls].filter(Boolean).join(' ')}`);

const runs = JSON.stringify(await second.runtime.ledger.runs());
const prompts = JSON.stringify([first.model.calls, second.model.calls]);
await second.runtime.close();
const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));

console.log('\nSeen by              files  model  ledger');
for (const value of ['4111 1111 1111 1111', 'ada@example.com']) {
  const seen = [files.join(), prompts, runs].map((text) => String(text.includes(value)).padEnd(7));
  console.log(`${value.padEnd(20)} ${seen.join('').trimEnd()}`);
}
rmSync(folder, { recursive: true });
