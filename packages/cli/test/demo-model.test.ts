import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

/** A provider on this machine that says the same to everybody and keeps what it was sent. */
const sent: string[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    sent.push(body);
    const choice = { index: 0, delta: { role: 'assistant', content: 'Noted.' }, finish_reason: 'stop' };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `data: ${JSON.stringify({ id: '1', created: 1, model: 'm', choices: [choice] })}\n\ndata: [DONE]\n\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

test('the demonstration talks to a real provider where its key is set', { timeout: 30_000 }, async () => {
  const { port } = server.address() as AddressInfo;
  const env = {
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_MODEL: 'local-model',
  };
  const { code, stdout, stderr } = await runCli(['replay'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('answered by local-model');
  expect(stdout).toContain('Noted.');
  expect(sent).toHaveLength(3);
  expect(JSON.parse(sent[0] as string)).toMatchObject({ model: 'local-model', tools: [{}, {}, {}] });
  expect(sent.join()).not.toContain('ada.moreno@example.com');
});

test('a provider that refuses is one sentence, without its text and without the key', {
  timeout: 30_000,
}, async () => {
  const env = { OPENAI_API_KEY: 'sk-secret-key', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
  const { code, stdout, stderr } = await runCli(['replay'], { env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain('The model openai');
  expect(stderr).not.toContain('sk-secret-key');
});
