import { ErrorCode, type Result } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@spec/hooks';
import { makeToolResult, REFUSED, readContents, readMessages, readToolResult } from './answers.ts';
import { startTask } from './call-task.ts';
import type { Entry } from './catalog.ts';
import { type Passage, pass } from './passage.ts';
import { makeError } from './peer.ts';
import type { Held } from './pins.ts';
import { makeToolPrefix } from './server-names.ts';
import type { ClientRequest, Session } from './session.ts';
import { readInput, writeAnswer, writeToolAnswer } from './through-hooks.ts';

/** Calls a tool, by way of the hooks. */
export async function callTool(session: Session, request: ClientRequest): Promise<Result> {
  const name = String(request.params.name);
  const entry = await session.catalog.find('tools/list', name);
  if (entry === undefined) return refuseUnknown(session, name);
  const hasSchema = entry.definition.outputSchema !== undefined;
  const passage: Passage = {
    upstream: entry.upstream,
    tool: nameTool(entry),
    input: readInput(request.params.arguments),
    params: (input) => ({ ...request.params, name: entry.own, ...keepArguments(request.params, input) }),
    check: () => refuseHeld(session.catalog.findHeldOf(entry.upstream, entry.own)),
    read: (raw) => readToolResult(raw, hasSchema),
  };
  if (isRecord(request.params.task)) return startTask(session, request, { passage, hasSchema });
  return writeToolAnswer(await pass(session, request, passage), hasSchema);
}

/** A call without arguments is passed on without. */
function keepArguments(
  { arguments: given }: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): object {
  return given === undefined && Object.keys(input).length === 0 ? {} : { arguments: input };
}

function refuseUnknown(session: Session, name: string): Result {
  const held = session.catalog.findHeld(name);
  if (held === undefined) throw makeError(ErrorCode.InvalidParams, `Tool ${name} not found`);
  return makeToolResult({ status: 'error', error: describeHeld(held) }, false);
}

/** Hooks and persons may take long: meanwhile the tool may have become another one. @throws an error for the client */
function refuseHeld(held: Held | undefined): void {
  if (held !== undefined) throw makeError(REFUSED, describeHeld(held));
}

function describeHeld({ why }: Held): string {
  return `This call was denied. ${whyHeld[why]}`;
}

const look = 'A person can look at it with: spec-hooks trust';
const whyHeld = {
  new: `The tool is held back, since it was not there when its server was trusted. ${look}`,
  changed: `The tool is held back, since it has changed since its server was trusted. ${look}`,
  hidden: 'The tool is held back, since its name or its description holds hidden characters.',
} as const;

function nameTool({ upstream, own }: Pick<Entry, 'upstream' | 'own'>): string {
  return makeToolPrefix(upstream.name) + own;
}

/** Reads a resource, by way of the hooks. */
export async function readResource(session: Session, request: ClientRequest): Promise<Result> {
  const uri = String(request.params.uri);
  const upstream = await session.requireResource(uri);
  const { outcome } = await pass(session, request, {
    ...{ upstream, tool: 'ReadMcpResourceTool', input: { server: upstream.name, uri } },
    params: (input) => ({ ...request.params, uri: input.uri }),
    read: readContents,
  });
  return writeAnswer(outcome, (text) => ({ contents: [{ uri, mimeType: 'text/plain', text }] }));
}

/** Gets the messages of a prompt, by way of the hooks. */
export async function getPrompt(session: Session, request: ClientRequest): Promise<Result> {
  const { name, arguments: given } = request.params;
  const entry = await session.catalog.find('prompts/list', String(name));
  if (entry === undefined) throw makeError(ErrorCode.InvalidParams, `Prompt ${String(name)} not found`);
  const { upstream, own } = entry;
  const { outcome } = await pass(session, request, {
    ...{ upstream, tool: 'GetMcpPromptTool' },
    input: { server: upstream.name, name: own, arguments: readInput(given) },
    params: (input) => ({
      ...{ ...request.params, name: own },
      ...keepArguments(request.params, isRecord(input.arguments) ? input.arguments : {}),
    }),
    read: readMessages,
  });
  return writeAnswer(outcome, (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] }));
}
