import { createRuntime, defineAgent, definePrompt, type ThreadEvent } from '@spec/runtime';
import { type ScriptedModel, type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { streamTurn } from '@spec/runtime/ui-stream';
import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

const address = 'anna@example.com';
const signed = { anthropic: { signature: 'c2lnbmVk' } };

interface Told {
  readonly model: ScriptedModel;
  /** What left the thread, as JSON: events, a page's chunks, stored messages and files. */
  readonly told: string;
}

/** Sends a message and one more, and gathers all that anybody is told. */
async function tell(script: ScriptedStep[], content: Parameters<typeof streamTurn>[1]): Promise<Told> {
  const model = scriptedModel(script);
  const runtime = createRuntime({
    policies: redact({ restore: 'tools' }),
    models: { model },
    prompts: [definePrompt({ name: 'p' })],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
    warnings: 'off',
  });
  const thread = await runtime.createThread({ agent: 'a' });
  const heard: unknown[] = [];
  thread.on((event: ThreadEvent) => void heard.push(event));
  for await (const chunk of streamTurn(thread, content)) heard.push(chunk);
  await thread.send('Go on');
  for (const { name, path } of await thread.state.listFiles())
    heard.push(name, path, new TextDecoder().decode((await thread.state.readFile(path)) ?? undefined));
  heard.push(await thread.messages());
  await runtime.close();
  return { model, told: JSON.stringify(heard) };
}

interface FilePart {
  readonly data: Uint8Array;
  readonly filename: string;
}

const sentLast = ({ calls }: ScriptedModel): string => JSON.stringify(calls.at(-1)?.prompt);

describe('what redact finds is told to nobody', () => {
  test('in reasoning: it is redacted, and dropped where it is signed', async () => {
    const reasoning = [
      { text: `Signed: ${address}.`, metadata: signed },
      { text: 'Clean.', metadata: signed },
      { text: `Unsigned: ${address}.` },
    ];
    const { model, told } = await tell([{ reasoning, text: 'Hello!' }, 'Bye.'], 'Hi');
    expect(told).not.toContain(address);
    expect(told).not.toContain('Signed:');
    expect(told).toContain('Unsigned: [EMAIL_1].');
    expect(sentLast(model)).not.toContain(address);
    expect(sentLast(model)).toContain('Unsigned: [EMAIL_1].');
    expect(sentLast(model)).toContain('"Clean.","providerOptions"');
  });

  test('in a file of the user: the model and the thread have it without', async () => {
    const data = new TextEncoder().encode(`name,mail\nAnna,${address}`);
    const { model, told } = await tell(['Read.', 'Bye.'], {
      content: [{ type: 'file', data, mediaType: 'text/csv', filename: `${address}.csv` }],
    });
    expect(told).not.toContain(address);
    expect(told).not.toContain(btoa(address).slice(0, 16));
    const part = model.calls.at(-1)?.prompt[0]?.content[0] as unknown as FilePart;
    expect(new TextDecoder().decode(part.data)).toBe('name,mail\nAnna,[EMAIL_1]');
    expect(part.filename).toBeDefined();
    expect(part.filename).not.toContain(address);
  });
});
