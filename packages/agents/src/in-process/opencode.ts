// A plugin for OpenCode: runs hooks in its process. OpenCode has neither a limit nor a catch around what its plugins do, so both are here.

import { isRecord } from '@spec/hooks';
import { readContentTexts } from '@spec/hooks/host';
import type { Answer, Payload } from '../agent.ts';
import { NO_ASK, NO_REWRITE } from '../agents/claude-words.ts';
import { readStructured } from '../agents/content.ts';
import { openCode } from '../agents/opencode.ts';
import {
  createInProcessHost,
  createRefusingHost,
  type InProcessHost,
  type InProcessOptions,
} from './host.ts';

/** A part of a message of OpenCode. */
interface Part {
  readonly id: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly type: string;
  text?: string;
  /** Whether OpenCode made it, and nobody typed it. */
  readonly synthetic?: boolean;
  /** Of a `subtask`: what a command that a person has typed asks a subagent. */
  prompt?: string;
}

interface Call {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

interface ToolOutput {
  output?: string;
  metadata: unknown;
  [field: string]: unknown;
}

/** What a plugin gives to OpenCode, as far as hooks need it. */
export interface OpenCodeHooks {
  event(input: { readonly event: { readonly type: string } }): Promise<void>;
  'chat.message'(
    input: { readonly sessionID: string; readonly agent?: string },
    output: { readonly parts: unknown[] },
  ): Promise<void>;
  'tool.execute.before'(input: Call, output: { readonly args: unknown }): Promise<void>;
  /** Without an output: a command that ran as a subtask has failed. */
  'tool.execute.after'(input: Call & { readonly args: unknown }, output?: ToolOutput): Promise<void>;
  'experimental.chat.system.transform'(
    input: { readonly sessionID?: string },
    output: { readonly system: string[] },
  ): Promise<void>;
}

/** A plugin of OpenCode. */
export type OpenCodePlugin = (input: { readonly directory: string }) => Promise<OpenCodeHooks>;

/**
 * A plugin that runs hooks: `export const server = createOpenCodePlugin({ policies: [guard] });`. OpenCode skips a plugin that throws without
 * a word, so hooks that it cannot run as documented deny everything that can be guarded, with the reason.
 */
export function createOpenCodePlugin(options: InProcessOptions): OpenCodePlugin {
  const host = openHost(options);
  return async ({ directory }) => runInOpenCode(host, directory);
}

function openHost(options: InProcessOptions): InProcessHost {
  try {
    return createInProcessHost(openCode, options);
  } catch (error) {
    return createRefusingHost(error instanceof Error ? error.message : 'The hooks could not be loaded.');
  }
}

/** Runs the hooks of a host in OpenCode. @param folder the folder that the agent works in */
export function runInOpenCode(host: InProcessHost, folder: string): OpenCodeHooks {
  const sessions = new Sessions();
  /** What hooks have said before a call, until its result is there. */
  const contexts = new Map<string, string>();
  return {
    async event({ event }) {
      sessions.note(event);
    },
    async 'chat.message'({ sessionID: session, agent }, { parts }) {
      const started = await startSession(host, session, sessions.open(session, agent));
      await passPrompt(host, { session, parts: parts as Part[], started });
    },
    async 'tool.execute.before'({ tool, sessionID: session, callID }, { args }) {
      const payload = { tool_name: tool, tool_use_id: callID, tool_input: args, cwd: folder };
      const answer = await host.ask('tool_call', { session, payload });
      if (answer.decision === 'deny') throw new Error(answer.reason);
      if (answer.decision === 'ask') throw new Error(`${NO_ASK} ${answer.reason ?? ''}`.trim());
      if (answer.input !== undefined && readEarly.has(tool)) throw new Error(NO_REWRITE);
      if (answer.input !== undefined) replaceFields(args, answer.input);
      contexts.delete(nameCall(session, callID)); // One that failed has left it.
      if (answer.context !== undefined) contexts.set(nameCall(session, callID), answer.context);
    },
    async 'tool.execute.after'({ tool, sessionID: session, callID, args }, output) {
      const key = nameCall(session, callID);
      const said = contexts.get(key);
      contexts.delete(key);
      if (output === undefined) return;
      const payload = {
        ...{ tool_name: tool, tool_use_id: callID, tool_input: args },
        tool_response: readResponse(output),
      };
      writeResult(output, await host.ask('tool_result', { session, payload }), said);
    },
    async 'experimental.chat.system.transform'({ sessionID: session = '' }, { system }) {
      const text = system.join('\n\n');
      const passed = await host.passSystem(session, text);
      if (passed !== text) system.splice(0, system.length, passed);
    },
  };
}

/** OpenCode has read the arguments of these tools before it asks. */
const readEarly: ReadonlySet<string> = new Set([
  ...['list_mcp_resources', 'list_mcp_resource_templates', 'read_mcp_resource'],
]);

function readResponse({ output, content, structuredContent }: ToolOutput): string {
  if (typeof output === 'string') return output;
  const text = readContentTexts(content).join('\n');
  return [...(text === '' ? [] : [text]), ...readStructured(structuredContent, text)].join('\n');
}

/** A model may give calls of several sessions one id. */
function nameCall(session: string, call: string): string {
  return `${session} ${call}`;
}

/** The sessions that OpenCode has told of. */
class Sessions {
  readonly #parents = new Map<string, string | null>();
  readonly #open = new Set<string>();

  note(event: { readonly type: string; readonly properties?: unknown }): void {
    if (event.type !== 'session.created' || !isRecord(event.properties)) return;
    const { info } = event.properties;
    if (!isRecord(info) || typeof info.id !== 'string') return;
    this.#parents.set(info.id, typeof info.parentID === 'string' ? info.parentID : null);
  }

  /** What the first message of a session tells of it; nothing for the next ones. */
  open(
    session: string,
    agent = 'subagent',
  ): { readonly parent: string | null; readonly payload: Payload } | undefined {
    if (this.#open.has(session)) return undefined;
    this.#open.add(session);
    const parent = this.#parents.get(session) ?? null;
    const source = this.#parents.has(session) ? 'startup' : 'resume';
    return { parent, payload: parent === null ? { source } : { agent_id: session, agent_type: agent } };
  }
}

async function startSession(
  host: InProcessHost,
  session: string,
  opened: ReturnType<Sessions['open']>,
): Promise<string | undefined> {
  if (opened === undefined) return undefined;
  const { parent, payload } = opened;
  const { context } =
    parent === null
      ? await host.ask('session_start', { session, payload })
      : await host.ask('subagent_start', { session: parent, payload });
  return context;
}

interface Prompt {
  readonly session: string;
  readonly parts: Part[];
  /** What hooks have said at the start of the session. */
  readonly started: string | undefined;
}

async function passPrompt(host: InProcessHost, { session, parts, started }: Prompt): Promise<void> {
  const typed = parts.filter(({ type, synthetic }) => type === 'text' && synthetic !== true);
  const prompt = typed.map(({ text = '' }) => text).join('\n');
  const isOfTasks = typed.length === 0 && parts.some(({ type }) => type === 'subtask');
  const answer = isOfTasks ? {} : await askAboutPrompt(host, session, prompt);
  if (answer.prompt !== undefined) replaceTyped(parts, typed, answer.prompt);
  const ofTasks = await passSubtasks(host, session, parts);
  const contexts = [started, answer.context, ...ofTasks].filter((text) => text !== undefined);
  const [first] = parts;
  if (contexts.length === 0 || first === undefined) return;
  const { sessionID, messageID } = first;
  const text = contexts.join('\n\n');
  // OpenCode sorts parts by their ids: this one stands behind all others.
  const id = `${parts.at(-1)?.id}x`;
  parts.push({ id, sessionID, messageID, type: 'text', text, synthetic: true });
}

/** @throws Error where the prompt is denied */
async function askAboutPrompt(host: InProcessHost, session: string, prompt: string): Promise<Answer> {
  const answer = await host.ask('prompt', { session, payload: { prompt } });
  if (answer.decision === 'deny') throw new Error(answer.userMessage ?? answer.reason);
  return answer;
}

/** A command that runs as a subtask is a prompt, too. @returns what hooks have for the conversation */
async function passSubtasks(
  host: InProcessHost,
  session: string,
  parts: readonly Part[],
): Promise<readonly (string | undefined)[]> {
  const contexts: (string | undefined)[] = [];
  for (const part of parts) {
    if (part.type !== 'subtask' || part.prompt === undefined) continue;
    const { prompt = part.prompt, context } = await askAboutPrompt(host, session, part.prompt);
    part.prompt = prompt;
    contexts.push(context);
  }
  return contexts;
}

/** The first part that was typed holds the new text; the others go. */
function replaceTyped(parts: Part[], typed: readonly Part[], text: string): void {
  const [first, ...others] = typed;
  if (first !== undefined) first.text = text;
  const left = parts.filter((part) => !others.includes(part));
  parts.splice(0, parts.length, ...left);
}

/** OpenCode goes on with the object that it gave: another one would be lost. */
function replaceFields(target: unknown, fields: Readonly<Record<string, unknown>>): void {
  if (!isRecord(target)) throw new Error('A hook changed the arguments of this call, which are no object.');
  for (const name of Object.keys(target)) if (!Object.hasOwn(fields, name)) delete target[name];
  Object.assign(target, fields);
}

/** What is kept beside the text that the model gets may hold the same: of a result that was changed, only numbers stay. */
function writeResult(output: ToolOutput, answer: Answer, said: string | undefined): void {
  const isOfServer = Array.isArray(output.content);
  if (answer.result !== undefined) {
    const { metadata } = output;
    for (const name of Object.keys(output)) if (name !== 'title') delete output[name];
    if (isOfServer) output.content = [writeText(answer.result)];
    else output.output = answer.result;
    output.title = '';
    output.metadata = isRecord(metadata) ? keepNumbers(metadata, answer.result) : {};
  }
  const contexts = [said, answer.context].filter((text) => text !== undefined);
  if (contexts.length === 0) return;
  // Of a tool of an MCP server, OpenCode gives the model what is in its content, and nothing else.
  if (isOfServer) output.content = [...(output.content as unknown[]), ...contexts.map(writeText)];
  else output.output = [output.output, ...contexts].join('\n\n');
}

function writeText(text: string): object {
  return { type: 'text', text };
}

function keepNumbers(metadata: Readonly<Record<string, unknown>>, text: string): Record<string, unknown> {
  const kept = Object.entries(metadata).filter(
    ([, value]) => typeof value === 'number' || typeof value === 'boolean',
  );
  const { output } = metadata;
  return { ...Object.fromEntries(kept), ...(typeof output === 'string' ? { output: text } : {}) };
}
