// A mod for Claude Code: answers the events that its file of registrations passes on. It uses nothing of Node, since a mod has none.

import { isRecord } from '@spec/hooks';
import { readContentTexts } from '@spec/hooks/host';
import type { Answer, Moment, Payload } from '../agent.ts';
import { claudeMod as profile } from '../agents/claude-mod.ts';
import { type ContentPart, listImages } from '../agents/content.ts';
import { createInProcessHost, type InProcessHost, type InProcessOptions } from './host.ts';

export { claudeMod } from '../agents/claude-mod.ts';
export { writeModRegistrations } from './mod-registrations.ts';

/** An event of Claude Code, or what is answered to one. */
type Fields = Readonly<Record<string, unknown>>;

/** Passes an event on to other mods and to Claude Code. */
type Next = (event: Fields) => Promise<Fields>;

/** Where an event happens, where it does not say so itself. */
export interface ModPlace {
  readonly session: string;
  readonly folder?: string;
}

/** The hooks of a mod, one function for each event. */
export interface ClaudeMod {
  passCall(event: Fields, next: Next, place: ModPlace): Promise<Fields>;
  passPrompt(event: Fields, next: Next, place: ModPlace): Promise<Fields>;
  passRow(event: Fields, next: Next, place: ModPlace): Promise<Fields>;
  passSystem(event: Fields, next: Next, place: ModPlace): Promise<Fields>;
  passCompaction(event: Fields, next: Next, place: ModPlace): Promise<Fields>;
  passPermission(event: Fields, next: Next): Promise<Fields>;
  passStop(event: Fields, next: Next): Promise<Fields>;
  /** For events at which hooks can add context, or are only told. */
  tell(moment: Moment, event: Fields, next: Next): Promise<Fields>;
}

/** Claude Code ends a mod after 10 seconds: a deny of ours must come before. */
const DEADLINE = 9_000;

/** More calls than are ever under way at once. */
const MOST_CALLS = 1_000;

/**
 * Hooks as a mod of Claude Code: `spec-hooks bundle claude-mod` writes the file that calls its functions.
 *
 * @throws {DefinitionError} `bad_hook` if a mod cannot run a hook as documented; gives the reason for each hook
 */
export function createClaudeMod(options: InProcessOptions): ClaudeMod {
  const host = createInProcessHost(profile, options, { deadline: DEADLINE });
  const calls: Calling['calls'] = new Map();
  return {
    passCall: (event, next, place) => passCall({ host, calls, place }, event, next),
    passRow: (event, next, place) => passRow({ host, calls, place }, event, next),
    passPrompt: (event, next, { session }) => passPrompt({ host, session }, event, next),
    passSystem: (event, next, { session }) => passSystem({ host, session }, event, next),
    passCompaction: (event, next, { session }) => passCompaction({ host, session }, event, next),
    passPermission: (event, next) => passPermission(host, event, next),
    passStop: (event, next) => passStop(host, event, next),
    async tell(moment, event, next) {
      const { context } = await host.ask(moment, makeTold(event));
      return addContext(await next(event), context);
    },
  };
}

interface Calling {
  readonly host: InProcessHost;
  /** The calls whose results are not there yet, by their ids; `null` for one that these hooks have denied. */
  readonly calls: Map<string, Payload | null>;
  readonly place: ModPlace;
}

async function passCall({ host, calls, place }: Calling, event: Fields, next: Next): Promise<Fields> {
  const { tool, tool_use_id: id, ...input } = event;
  const payload = { tool_name: tool, tool_use_id: id, tool_input: input, cwd: place.folder };
  const answer = await host.ask('tool_call', { session: place.session, payload });
  const isDenied = answer.decision === 'deny';
  keepCall(calls, id, isDenied ? null : { ...payload, tool_input: answer.input ?? input });
  if (isDenied) return { deny: answer.reason };
  const passed = answer.input === undefined ? event : { ...answer.input, tool, tool_use_id: id };
  return joinVerdicts(await next(passed), answer);
}

function keepCall(calls: Calling['calls'], id: unknown, payload: Payload | null): void {
  const [oldest] = calls.size < MOST_CALLS ? [] : calls.keys();
  if (oldest !== undefined) calls.delete(oldest);
  calls.set(String(id), payload);
}

/** The stricter of what others say about a call and what these hooks say. */
function joinVerdicts(below: Fields, { decision, reason, input, context }: Answer): Fields {
  if (typeof below.deny === 'string') return below;
  const { allow: isAllowed, ask: asked, ...rest } = below;
  const ask = asked ?? (decision === 'ask' ? reason : undefined);
  const allowed = isAllowed === true || decision === 'allow' ? { allow: true } : {};
  const changed = input === undefined ? {} : { updatedInput: below.updatedInput ?? input };
  return addContext({ ...rest, ...(ask === undefined ? allowed : { ask }), ...changed }, context);
}

function addContext(below: Fields, context: string | undefined): Fields {
  if (context === undefined) return below;
  const { additionalContext: others = [] } = below;
  return { ...below, additionalContext: [...(Array.isArray(others) ? others : [others]), context] };
}

/** Events with the form of those of settings files say themselves which session they are of. */
function makeTold(payload: Fields): { readonly session: string; readonly payload: Payload } {
  return { session: typeof payload.session_id === 'string' ? payload.session_id : '', payload };
}

async function passPermission(host: InProcessHost, event: Fields, next: Next): Promise<Fields> {
  const { decision, reason, input } = await host.ask('permission', makeTold(event));
  if (decision === 'deny') return { decision: { behavior: 'deny', message: reason } };
  const below = await next(event);
  if (decision !== 'allow' || (isRecord(below.decision) && below.decision.behavior === 'deny')) return below;
  const changed = input === undefined ? {} : { updatedInput: input };
  return { ...below, decision: { behavior: 'allow', ...changed } };
}

async function passStop(host: InProcessHost, event: Fields, next: Next): Promise<Fields> {
  const { decision, reason } = await host.ask('stop', makeTold(event));
  const below = await next(event);
  return decision === 'deny' && below.block === undefined ? { ...below, block: reason } : below;
}

interface Sitting {
  readonly host: InProcessHost;
  readonly session: string;
}

async function passPrompt({ host, session }: Sitting, event: Fields, next: Next): Promise<Fields> {
  const answer = await host.ask('prompt', { session, payload: { prompt: event.text } });
  if (answer.decision === 'deny') return { drop: answer.userMessage ?? answer.reason };
  const { context: others = [] } = event;
  const context = answer.context === undefined ? [] : [answer.context];
  return next({
    ...event,
    ...(answer.prompt === undefined ? {} : { text: answer.prompt }),
    ...(context.length === 0 ? {} : { context: [...(others as readonly string[]), ...context] }),
  });
}

async function passCompaction({ host, session }: Sitting, event: Fields, next: Next): Promise<Fields> {
  const { messages } = event;
  const count = Array.isArray(messages) ? messages.length : 0;
  const payload = { trigger: event.trigger === 'manual' ? 'manual' : 'auto', message_count: count };
  const { decision, reason } = await host.ask('compaction', { session, payload });
  return decision === 'deny' ? { skip: reason } : next(event);
}

/** What hooks put behind the system message is a section of its own, so that what is before it stays cached. */
async function passSystem({ host, session }: Sitting, event: Fields, next: Next): Promise<Fields> {
  const below = await next(event);
  const sections = (below.sections ?? []) as readonly { readonly text: string }[];
  const text = sections.map((section) => section.text).join('\n\n');
  const passed = await host.passSystem(session, text);
  if (passed === text) return below;
  const isLonger = passed.startsWith(text);
  const own = { id: 'spec-hooks:system', text: isLonger ? passed.slice(text.length) : passed };
  return { ...below, sections: [...(isLonger ? sections : []), { ...own, scope: 'session' }] };
}

interface Row {
  readonly content?: unknown;
}

async function passRow(calling: Calling, event: Fields, next: Next): Promise<Fields> {
  const { message } = event as { readonly message?: Row };
  const blocks = Array.isArray(message?.content) ? message.content : [];
  const passed: unknown[] = [];
  for (const block of blocks) passed.push(await passBlock(calling, block));
  const isSame = passed.every((block, at) => block === blocks[at]);
  return next(isSame ? event : { ...event, message: { ...message, content: passed } });
}

/** An answer of the model tells of the calls, whose results name only their ids. A result whose call is not known is withheld. */
async function passBlock({ host, calls, place }: Calling, block: unknown): Promise<unknown> {
  if (!isRecord(block)) return block;
  const { type, id, name, input } = block;
  if (type === 'tool_use') keepCall(calls, id, { tool_name: name, tool_use_id: id, tool_input: input });
  if (type !== 'tool_result') return block;
  const call = calls.get(String(block.tool_use_id));
  calls.delete(String(block.tool_use_id));
  if (call === null) return block;
  const parts = readParts(block.content);
  const response = { content: parts, isError: block.is_error === true };
  const answer = await host.ask('tool_result', {
    session: place.session,
    payload: { ...call, tool_response: response },
  });
  return writeBlock(block, answer);
}

function writeBlock(block: Fields, { result, resultStatus, attachments, context }: Answer): Fields {
  const added = context === undefined ? [] : [{ type: 'text', text: context }];
  if (result === undefined && added.length === 0) return block;
  if (result === undefined) return { ...block, content: [...listBlocks(block.content), ...added] };
  const images = listImages(attachments).flatMap((part) => (part.type === 'image' ? [writeImage(part)] : []));
  const content = [{ type: 'text', text: result }, ...images, ...added];
  return { ...block, content, is_error: resultStatus === 'error' };
}

function listBlocks(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

function readParts(content: unknown): readonly ContentPart[] {
  return listBlocks(content).flatMap((block): ContentPart[] => {
    if (!isRecord(block)) return [];
    const texts = readContentTexts(block);
    if (texts.length > 0) return texts.map((text) => ({ type: 'text', text }));
    const { source } = block;
    if (block.type !== 'image' || !isRecord(source) || typeof source.data !== 'string') return [];
    return [{ type: 'image', data: source.data, mimeType: String(source.media_type) }];
  });
}

function writeImage({ data, mimeType }: ContentPart & { readonly type: 'image' }): Fields {
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
}
