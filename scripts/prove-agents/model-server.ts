import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Call, chooseCalls, FINAL, type Json, type Script } from './model-script.ts';

/** A model on loopback that calls the shell, once or several times in one answer, and then ends its turn. It speaks the three protocols that the agents use. */
export interface ModelServer {
  readonly port: number;
  /** The bodies of all requests: what the model was told. */
  readonly requests: readonly string[];
  /** What the shell is to run, each in a call of its own. */
  commands: readonly string[];
  /** Whether the model leaves that to a subagent. */
  delegates: boolean;
  close(): Promise<void>;
}

/** Starts the server on a free port. How far a conversation is follows from its history alone, so that repeated requests change nothing. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: string[] = [];
  const state: Served['state'] = { commands: [], delegates: false };
  const server = createServer((request, response) => void answer(request, response, { requests, state }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    get commands() {
      return state.commands;
    },
    set commands(commands) {
      state.commands = commands;
    },
    get delegates() {
      return state.delegates;
    },
    set delegates(delegates) {
      state.delegates = delegates;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Served {
  readonly requests: string[];
  readonly state: Script;
}

async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { url = '' } = request;
  if (request.method === 'GET') return sendJson(response, { data: [], models: [] });
  served.requests.push(text);
  const body: Json = JSON.parse(text || '{}');
  const calls = chooseCalls({ text, offered: JSON.stringify([body.tools, body.input]) }, served.state);
  if (url.includes('/responses')) return sendEvents(response, respond(calls), true);
  if (url.includes('/chat/completions')) return sendEvents(response, complete(calls));
  if (url.includes(':streamGenerateContent')) return sendEvents(response, [generate(calls)]);
  if (url.includes(':generateContent')) return sendJson(response, generate(calls));
  if (url.includes(':countTokens')) return sendJson(response, { totalTokens: 10 });
  sendJson(response, { error: { message: `no such path: ${url}` } }, 404);
}

function respond(calls: readonly Call[]): Json[] {
  const message = {
    type: 'message',
    role: 'assistant',
    id: 'm1',
    content: [{ type: 'output_text', text: FINAL }],
  };
  const items = calls.map(({ name, args, namespace }, at) => ({
    ...{ type: 'function_call', id: `f${at}`, call_id: `call_${name}_${at}`, name, namespace },
    arguments: JSON.stringify(args),
  }));
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  return [
    { type: 'response.created', response: { id: 'r1' } },
    ...(items.length === 0 ? [message] : items).flatMap((item, at) => [
      { type: 'response.output_item.added', output_index: at, item },
      { type: 'response.output_item.done', output_index: at, item },
    ]),
    { type: 'response.completed', response: { id: 'r1', usage } },
  ];
}

function complete(calls: readonly Call[]): (Json | string)[] {
  const tools = calls.map(({ name, args }, index) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(args) },
  }));
  const isEnd = tools.length === 0;
  const delta = { role: 'assistant', ...(isEnd ? { content: FINAL } : { tool_calls: tools }) };
  const base = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'scripted' };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return [
    { ...base, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: isEnd ? 'stop' : 'tool_calls' }] },
    { ...base, choices: [], usage },
    '[DONE]',
  ];
}

function generate(calls: readonly Call[]): Json {
  const parts = calls.length === 0 ? [{ text: FINAL }] : calls.map((functionCall) => ({ functionCall }));
  const content = { role: 'model', parts };
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  return { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata };
}

function sendEvents(response: ServerResponse, events: readonly (Json | string)[], isNamed = false): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    if (isNamed && typeof event !== 'string') response.write(`event: ${String(event.type)}\n`);
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function sendJson(response: ServerResponse, content: Json, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(content));
}
