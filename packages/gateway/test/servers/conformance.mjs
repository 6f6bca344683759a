// The server that the official conformance tests of MCP ask for, with every tool, resource and prompt that they name:
// `conformance.mjs stdio`, or `conformance.mjs http PORT` on loopback.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';

/** One red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** No sound. */
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';

const text = (value) => ({ type: 'text', text: value });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const say = (value) => ({ content: [text(value)] });
const embed = (uri, mimeType, value) => ({ type: 'resource', resource: { uri, mimeType, text: value } });
const choices = ['option1', 'option2', 'option3'];
const titled = ['First', 'Second', 'Third'].map((title, at) => ({
  const: `value${at + 1}`,
  title: `${title} Option`,
}));

const wantedWithDefaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const wantedOfLists = {
  untitledSingle: { type: 'string', enum: choices },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: choices } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};

const wantedOfPerson = { username: { type: 'string' }, email: { type: 'string' } };

/** Asks the person at the client. */
async function askPerson({ sendRequest }, message, properties) {
  const requestedSchema = { type: 'object', properties, required: [] };
  const answer = await sendRequest(
    { method: 'elicitation/create', params: { message, requestedSchema } },
    types.ElicitResultSchema,
  );
  return say(
    `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`,
  );
}

async function askModel({ prompt }, { sendRequest }) {
  const messages = [{ role: 'user', content: text(prompt) }];
  const answer = await sendRequest(
    { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } },
    types.CreateMessageResultSchema,
  );
  return say(`LLM response: ${answer.content.text}`);
}

async function tellLogs(_, { sendNotification }) {
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
    await sleep(50);
  }
  return say('Logged.');
}

async function tellProgress(_, { _meta, sendNotification }) {
  const { progressToken } = _meta ?? {};
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined)
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    await sleep(50);
  }
  return say('Done.');
}

/** Ends the stream of its own call, where there is one: the client gets the result by asking again. */
async function endStream(_, { closeSSEStream }) {
  closeSSEStream?.();
  await sleep(100);
  return say('Reconnected.');
}

const tools = {
  test_simple_text: () => say('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embed('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embed('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    isError: true,
    ...say('This tool intentionally returns an error for testing'),
  }),
  test_tool_with_logging: tellLogs,
  test_tool_with_progress: tellProgress,
  test_sampling: askModel,
  test_elicitation: ({ message }, extra) => askPerson(extra, message, wantedOfPerson),
  test_elicitation_sep1034_defaults: (_, extra) => askPerson(extra, 'Who are you?', wantedWithDefaults),
  test_elicitation_sep1330_enums: (_, extra) => askPerson(extra, 'What do you want?', wantedOfLists),
  test_reconnection: endStream,
  json_schema_2020_12_tool: () => say('Seen.'),
};

const inputs = {
  test_sampling: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
};

const resources = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
};

const user = (content) => ({ role: 'user', content });
const prompts = {
  test_simple_prompt: () => [user(text('This is a simple prompt for testing.'))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    user(embed(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
    user(text('Please process the embedded resource above.')),
  ],
  test_prompt_with_image: () => [user(image), user(text('Please analyze the image above.'))],
};
const promptArguments = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

function find(table, name, what) {
  if (Object.hasOwn(table, name)) return table[name];
  throw Object.assign(new Error(`${what} ${name} not found`), { code: types.ErrorCode.InvalidParams });
}

function readResource({ params: { uri } }) {
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return { contents: [{ uri, ...find(resources, uri, 'Resource') }] };
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
}

function makeServer() {
  const server = new Server(
    { name: 'conformance', version: '1.0.0' },
    {
      capabilities: {
        ...{ tools: {}, prompts: {}, logging: {}, completions: {} },
        resources: { subscribe: true },
      },
    },
  );
  const on = (schema, answer) => server.setRequestHandler(schema, answer);
  on(types.ListToolsRequestSchema, () => ({
    tools: Object.keys(tools).map((name) => ({
      ...{ name, description: `The tests call ${name}.` },
      inputSchema: inputs[name] ?? { type: 'object', properties: {} },
    })),
  }));
  on(types.CallToolRequestSchema, ({ params: { name, arguments: given = {} } }, extra) =>
    find(tools, name, 'Tool')(given, extra),
  );
  on(types.ListResourcesRequestSchema, () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
  }));
  on(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  on(types.ReadResourceRequestSchema, readResource);
  on(types.SubscribeRequestSchema, () => ({}));
  on(types.UnsubscribeRequestSchema, () => ({}));
  on(types.ListPromptsRequestSchema, () => ({
    prompts: Object.keys(prompts).map((name) => ({
      ...{ name, description: `The tests get ${name}.` },
      arguments: (promptArguments[name] ?? []).map((one) => ({ name: one, required: true })),
    })),
  }));
  on(types.GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => ({
    messages: find(prompts, name, 'Prompt')(given),
  }));
  on(types.CompleteRequestSchema, ({ params: { argument } }) => ({
    completion: { values: ['paris', 'park', 'party'].filter((one) => one.startsWith(argument.value)) },
  }));
  return server;
}

/** Serves each client of HTTP by a server of its own. */
function serveHttp(port) {
  const sessions = new Map();
  const allowedHosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  createServer(async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id']);
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        ...{ sessionIdGenerator: randomUUID, enableDnsRebindingProtection: true, allowedHosts },
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
    if (known === undefined) await makeServer().connect(transport);
    await transport.handleRequest(request, response);
  }).listen(Number(port), '127.0.0.1');
}

const [, , how, port] = process.argv;
if (how === 'http') serveHttp(port);
else await makeServer().connect(new StdioServerTransport());
