import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model on loopback that calls the shell once and then ends its turn. It speaks the three protocols that the agents use. */
export interface ModelServer {
  readonly port: number;
  /** The bodies of all requests: what the model was told. */
  readonly requests: readonly string[];
  /** What the shell is to run. */
  command: string;
  close(): Promise<void>;
}

type Json = Record<string, unknown>;

/** Starts the server on a free port. How far a conversation is follows from its history alone, so that repeated requests change nothing. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: string[] = [];
  const state = { command: '' };
  const server = createServer((request, response) => void answer(request, response, { requests, state }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    get command() {
      return state.command;
    },
    set command(command) {
      state.command = command;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Served {
  readonly requests: string[];
  readonly state: { readonly command: string };
}

async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { url = '' } = request;
  if (request.method === 'GET') return sendJson(response, { data: [], models: [] });
  served.requests.push(text);
  const body: Json = JSON.parse(text || '{}');
  const call = chooseCall(text, body, served.state.command);
  if (url.includes('/responses')) return sendEvents(response, respond(call), true);
  if (url.includes('/chat/completions')) return sendEvents(response, complete(call));
  if (url.includes(':streamGenerateContent')) return sendEvents(response, [generate(call)]);
  if (url.includes(':generateContent')) return sendJson(response, generate(call));
  if (url.includes(':countTokens')) return sendJson(response, { totalTokens: 10 });
  sendJson(response, { error: { message: `no such path: ${url}` } }, 404);
}

interface Call {
  readonly name: string;
  readonly args: Json;
}

/** The shell, as the first tool that is one is called, unless a tool has answered already. */
function chooseCall(text: string, body: Json, command: string): Call | undefined {
  if (/"role":"tool"|"function_call_output"|"functionResponse"/.test(text)) return undefined;
  const offered = JSON.stringify(body.tools ?? []) + JSON.stringify(body.input ?? []);
  const shells: Readonly<Record<string, Json>> = {
    exec_command: { cmd: command },
    run_shell_command: { command, description: 'try it', is_background: false },
    shell_command: { command },
    bash: { command, description: 'try it' },
  };
  const name = Object.keys(shells).find((one) => offered.includes(`"name":"${one}"`));
  return name === undefined ? undefined : { name, args: shells[name] ?? {} };
}

const FINAL = 'That is all.';

function respond(call: Call | undefined): Json[] {
  const item =
    call === undefined
      ? { type: 'message', role: 'assistant', id: 'm1', content: [{ type: 'output_text', text: FINAL }] }
      : {
          type: 'function_call',
          id: 'f1',
          call_id: 'call_0',
          name: call.name,
          arguments: JSON.stringify(call.args),
        };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  return [
    { type: 'response.created', response: { id: 'r1' } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'r1', usage } },
  ];
}

function complete(call: Call | undefined): (Json | string)[] {
  const tool = call && { name: call.name, arguments: JSON.stringify(call.args) };
  const delta = tool
    ? { role: 'assistant', tool_calls: [{ index: 0, id: 'call_0', type: 'function', function: tool }] }
    : { role: 'assistant', content: FINAL };
  const base = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'scripted' };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return [
    { ...base, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: tool ? 'tool_calls' : 'stop' }] },
    { ...base, choices: [], usage },
    '[DONE]',
  ];
}

function generate(call: Call | undefined): Json {
  const part = call === undefined ? { text: FINAL } : { functionCall: call };
  const content = { role: 'model', parts: [part] };
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
