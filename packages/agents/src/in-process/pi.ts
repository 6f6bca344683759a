// An extension for pi: runs hooks in its process. pi has no limit around what its extensions do, and goes on when most of them fail, so both are here.

import { isRecord } from '@spec/hooks';
import type { Answer, Payload } from '../agent.ts';
import { NO_ASK } from '../agents/claude-words.ts';
import { type ContentResult, listImages, readStructured } from '../agents/content.ts';
import { pi as profile } from '../agents/pi.ts';
import { createInProcessHost, type InProcessHost, type InProcessOptions } from './host.ts';

/** What pi gives to an extension with each event, as far as hooks need it. */
export interface PiContext {
  readonly cwd: string;
  readonly hasUI: boolean;
  readonly ui: {
    confirm(title: string, message: string): Promise<boolean>;
    notify(message: string, type?: 'info' | 'warning' | 'error'): void;
  };
  readonly sessionManager: { getSessionId(): string };
  /** While the agent works: fires when a person ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** What an extension is given by pi, as far as hooks need it. */
export interface PiApi {
  on(event: string, answer: (event: never, context: PiContext) => Promise<object | undefined>): unknown;
}

/** An extension of pi. */
export type PiExtension = (api: PiApi) => void;

/**
 * An extension that runs hooks: `export default createPiExtension({ policies: [guard] });`.
 *
 * @throws {DefinitionError} `bad_hook` if pi cannot run a hook as documented; pi then refuses to start
 */
export function createPiExtension(options: InProcessOptions): PiExtension {
  const host = createInProcessHost(profile, options);
  return (api) => runInPi(host, api);
}

/** Runs the hooks of a host in pi. */
export function runInPi(host: InProcessHost, api: PiApi): void {
  const on: Listen = (event, moment) => api.on(event, moment);
  /** What hooks have said, for the next prompt of each session; and before each call, until its result is there. */
  const kept: Kept = { prompts: new Map(), calls: new Map() };
  listenToSession(host, on, kept);
  listenToPrompts(host, on, kept);
  listenToTools(host, on, kept);
  listenToTurns(host, on);
}

type Listen = <Event>(
  event: string,
  answer: (event: Event, context: PiContext) => Promise<object | undefined>,
) => void;

interface Kept {
  readonly prompts: Map<string, string[]>;
  readonly calls: Map<string, string>;
}

function keepForPrompt({ prompts }: Kept, session: string, { context }: Answer): void {
  if (context !== undefined) prompts.set(session, [...(prompts.get(session) ?? []), context]);
}

function tell({ sessionManager, signal }: PiContext, payload: Payload) {
  return { session: sessionManager.getSessionId(), payload, abortSignal: signal };
}

function listenToSession(host: InProcessHost, on: Listen, kept: Kept): void {
  on<{ readonly reason: string }>('session_start', async ({ reason }, context) => {
    const source = reason === 'startup' || reason === 'new' ? 'startup' : 'resume';
    const told = tell(context, { source });
    keepForPrompt(kept, told.session, await host.ask('session_start', told));
    return undefined;
  });
  on('session_shutdown', async (_, context) => {
    await host.ask('session_end', tell(context, {}));
    return undefined;
  });
  on<Compaction>('session_before_compact', async ({ reason, preparation }, context) => {
    const payload = {
      trigger: reason === 'manual' ? 'manual' : 'auto',
      message_count: preparation?.messagesToSummarize?.length ?? 0,
    };
    const { decision, reason: why = '' } = await host.ask('compaction', tell(context, payload));
    if (decision !== 'deny') return undefined;
    notify(context, why);
    return { cancel: true };
  });
}

interface Compaction {
  readonly reason: string;
  readonly preparation?: { readonly messagesToSummarize?: readonly unknown[] };
}

/** Without a screen, what a person is to know goes to standard error. */
function notify({ hasUI, ui }: PiContext, message: string): void {
  if (hasUI) ui.notify(message, 'warning');
  else process.stderr.write(`${message}\n`);
}

function listenToPrompts(host: InProcessHost, on: Listen, kept: Kept): void {
  on<{ readonly text: string; readonly images?: unknown }>('input', async ({ text, images }, context) => {
    const told = tell(context, { prompt: text });
    const answer = await host.ask('prompt', told);
    if (answer.decision === 'deny') {
      notify(context, answer.userMessage ?? answer.reason ?? '');
      return { action: 'handled' };
    }
    keepForPrompt(kept, told.session, answer);
    return answer.prompt === undefined ? undefined : { action: 'transform', text: answer.prompt, images };
  });
  on<{ readonly systemPrompt: string }>('before_agent_start', async ({ systemPrompt }, context) => {
    const { session } = tell(context, {});
    const contexts = kept.prompts.get(session) ?? [];
    kept.prompts.delete(session);
    const passed = await host.passSystem(session, systemPrompt);
    const message = { customType: 'spec-hooks', content: contexts.join('\n\n'), display: true };
    return {
      ...(contexts.length === 0 ? {} : { message }),
      ...(passed === systemPrompt ? {} : { systemPrompt: passed }),
    };
  });
}

interface ToolCall {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: Record<string, unknown>;
}

interface ToolResult extends ToolCall, ContentResult {
  /** Of a call that another tool made, such as a program that the model wrote. */
  readonly parentToolCallId?: string;
  /** What such a program gets in the place of the content. */
  readonly structuredContent?: unknown;
}

function listenToTools(host: InProcessHost, on: Listen, { calls }: Kept): void {
  on<ToolCall>('tool_call', async (event, context) => {
    const answer = await host.ask('tool_call', tell(context, writeCall(event, context)));
    const { decision, reason = '', userMessage } = answer;
    if (decision === 'deny') return { block: true, reason };
    // Pi runs what is in the object that it gave: another one would be lost.
    if (answer.input !== undefined) replaceFields(event.input, answer.input);
    if (decision === 'ask' && !(await askPerson(context, event, userMessage ?? reason)))
      return { block: true, reason: describeRefusal(context, reason) };
    if (answer.context !== undefined) calls.set(nameCall(event, context), answer.context);
    return undefined;
  });
  on<ToolResult>('tool_result', async (event, context) => {
    const key = nameCall(event, context);
    const said = calls.get(key);
    calls.delete(key);
    const response = { content: readContent(event), isError: event.isError };
    const payload = { ...writeCall(event, context), tool_response: response };
    return writeResult(event, await host.ask('tool_result', tell(context, payload)), said);
  });
}

/** A model may give calls of several sessions one id. */
function nameCall({ toolCallId }: ToolCall, { sessionManager }: PiContext): string {
  return `${sessionManager.getSessionId()} ${toolCallId}`;
}

function writeCall({ toolName, toolCallId, input }: ToolCall, { cwd }: PiContext): Payload {
  return { tool_name: toolName, tool_use_id: toolCallId, tool_input: input, cwd };
}

function replaceFields(target: Record<string, unknown>, fields: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(target)) if (!Object.hasOwn(fields, name)) delete target[name];
  Object.assign(target, fields);
}

/** The person sees the arguments that the tool would get. */
async function askPerson(
  { hasUI, ui }: PiContext,
  { toolName, input }: ToolCall,
  why: string,
): Promise<boolean> {
  return hasUI && (await ui.confirm(`Run ${toolName}?`, `${why}\n\n${JSON.stringify(input)}`));
}

function describeRefusal({ hasUI }: PiContext, reason: string): string {
  return hasUI ? `A person has refused this call. ${reason}`.trim() : `${NO_ASK} ${reason}`.trim();
}

function readContent({ content, parentToolCallId, structuredContent }: ToolResult): ContentResult['content'] {
  if (parentToolCallId === undefined) return content;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const unsaid = readStructured(structuredContent, texts.join('\n'));
  return [...content, ...unsaid.map((text) => ({ type: 'text', text }) as const)];
}

/** What pi keeps beside the content may hold the same: it goes with a result that was changed. For pi, `undefined` changes nothing. */
function writeResult({ content }: ToolResult, answer: Answer, said: string | undefined): object | undefined {
  const { result, resultStatus, attachments } = answer;
  const added = [said, answer.context].flatMap((text) =>
    text === undefined ? [] : [{ type: 'text', text }],
  );
  if (result === undefined) return added.length === 0 ? undefined : { content: [...content, ...added] };
  const isError = resultStatus === 'error';
  const changed = [{ type: 'text', text: result }, ...listImages(attachments), ...added];
  return { content: changed, details: {}, isError };
}

interface Boundary {
  readonly outcome: string;
  readonly entries: readonly unknown[];
}

interface TurnEnd extends Boundary {
  readonly message: { readonly content?: unknown };
  readonly toolResults: readonly (Omit<ToolResult, 'input'> & ToolCall)[];
}

function listenToTurns(host: InProcessHost, on: Listen): void {
  on<TurnEnd>('turn_end', async (event, context) => {
    const calls = event.toolResults.map((result) => ({
      ...writeCall({ ...result, input: findInput(event, result.toolCallId) }, context),
      tool_response: { content: result.content, isError: result.isError },
    }));
    if (calls.length === 0) return undefined;
    const { context: text } = await host.ask('tool_batch', tell(context, { tool_calls: calls }));
    return text === undefined ? undefined : { entries: [...event.entries, writeEntry(text)] };
  });
  on<Boundary>('agent_before_settle', async ({ outcome, entries }, context) => {
    if (outcome !== 'completed') return undefined;
    const { decision, reason = '' } = await host.ask('stop', tell(context, {}));
    return decision === 'deny' ? { entries: [...entries, writeEntry(reason)], continue: true } : undefined;
  });
}

function writeEntry(content: string): object {
  return { type: 'custom_message', customType: 'spec-hooks', content, display: true };
}

function findInput({ message: { content } }: TurnEnd, id: string): Record<string, unknown> {
  const calls = Array.isArray(content) ? content : [];
  const call: unknown = calls.find((part) => isRecord(part) && part.type === 'toolCall' && part.id === id);
  return isRecord(call) && isRecord(call.arguments) ? call.arguments : {};
}
