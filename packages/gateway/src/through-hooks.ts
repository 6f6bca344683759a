import { McpError, type Result } from '@modelcontextprotocol/sdk/types.js';
import { type HookToolCall, type HookToolResult, isRecord } from '@spec/hooks';
import type { CallOutcome, HostTurn } from '@spec/hooks/host';
import { type Answer, makeToolResult, REFUSED, readError } from './answers.ts';
import { countAtMost } from './count-at-most.ts';
import { UpstreamFailure } from './failures.ts';
import { makeError, readErrorText } from './peer.ts';

/** A request of a client that passes the hooks as the call of a tool. */
export interface GuardedRequest {
  /** Asks the server, with the arguments as hooks have left them. */
  readonly ask: (input: Readonly<Record<string, unknown>>) => Promise<Result>;
  /** Reads what it answers; `undefined` if that is nothing of the kind. */
  readonly read: (raw: Result) => Answer | undefined;
  /** The most characters that an answer may have as JSON. */
  readonly maxCharacters: number;
  /** What the server is called, for messages. */
  readonly server: string;
}

/** What came of a guarded request. */
export interface GuardedOutcome extends Pick<CallOutcome, 'result'> {
  /** What the server answered, if it was asked. */
  readonly answer: Answer | undefined;
  /** Whether no hook has changed what the server answered. */
  readonly isUnchanged: boolean;
}

/** What the client is to get. */
export interface Passed {
  readonly outcome: GuardedOutcome;
  /** What hooks have for the conversation. */
  readonly contexts: readonly string[];
}

/** Asks a server for something, by way of the hooks: they decide on it, and see what comes back before the client does. */
export async function askThroughHooks(
  turn: HostTurn,
  call: HookToolCall,
  request: GuardedRequest,
): Promise<GuardedOutcome> {
  let answer: Answer | undefined;
  const outcome = await turn.runCall(call, async (input) => {
    answer = await askServer(request, input);
    return answer.seen;
  });
  return { result: outcome.result, answer, isUnchanged: outcome.returned !== undefined };
}

/** Asks a server for something that no hook sees. */
export async function askUnseen(
  request: GuardedRequest,
  input: Readonly<Record<string, unknown>>,
): Promise<GuardedOutcome> {
  const answer = await askServer(request, input);
  return { answer, isUnchanged: true, result: answer.seen };
}

/** Whatever a server does is an answer: hooks see its errors, too. */
async function askServer(request: GuardedRequest, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  try {
    const raw = await request.ask(input);
    const misfit = measureAnswer(raw, request);
    const answer = misfit === undefined ? request.read(raw) : undefined;
    if (answer !== undefined) return answer;
    throw new UpstreamFailure(request.server, misfit ?? 'gave no valid result');
  } catch (error) {
    const failure = error instanceof McpError ? refuseLong(error, request) : error;
    if (failure instanceof McpError) return readError(failure, readErrorText(failure));
    if (failure instanceof UpstreamFailure) return readError(failure, failure.message);
    throw error;
  }
}

/** An error is an answer, too: it can be as long, and as deep. */
function refuseLong(error: McpError, request: GuardedRequest): McpError | UpstreamFailure {
  const misfit = measureAnswer({ message: error.message, data: error.data }, request);
  return misfit === undefined ? error : new UpstreamFailure(request.server, misfit);
}

/** Why an answer is too long or too deep; its JSON is only written where it may be. */
function measureAnswer(raw: Result, { maxCharacters }: GuardedRequest): string | undefined {
  if (countAtMost(raw) <= maxCharacters) return undefined;
  try {
    const { length } = JSON.stringify(raw);
    return length > maxCharacters
      ? `answered with ${length} characters, and ${maxCharacters} are allowed`
      : undefined;
  } catch {
    return 'answered with what is nested too deep to be read';
  }
}

/** What a tool answers after the hooks, with what they have for the conversation. */
export function writeToolAnswer({ outcome, contexts }: Passed, hasSchema: boolean): Result {
  const result = pickToolAnswer(outcome, hasSchema);
  if (contexts.length === 0) return result;
  const content: unknown[] = Array.isArray(result.content) ? result.content : [];
  return { ...result, content: [...content, ...contexts.map((text) => ({ type: 'text', text }))] };
}

function pickToolAnswer({ answer, isUnchanged, result }: GuardedOutcome, hasSchema: boolean): Result {
  if (answer === undefined) return makeToolResult(result, hasSchema);
  return isUnchanged ? answer.give() : rebuildTool(answer, result, hasSchema);
}

/** An error of a tool that is a result stays one; what a hook withholds takes the place of the whole result. */
function rebuildTool(answer: Answer, changed: HookToolResult, hasSchema: boolean): Result {
  const isWithheld = changed.status === 'error' && answer.seen.status === 'success';
  return isWithheld ? makeToolResult(changed, hasSchema) : answer.rebuild(changed);
}

/** What a resource or a prompt is after the hooks. @throws an error for the client, if hooks refuse it */
export function writeAnswer(
  { answer, isUnchanged, result }: GuardedOutcome,
  make: (text: string) => Result,
): Result {
  if (answer !== undefined) return isUnchanged ? answer.give() : answer.rebuild(result);
  if (result.status === 'error') throw makeError(REFUSED, result.error ?? 'This was denied.');
  return make(result.result ?? '');
}

/** What was sent as arguments, as an object. */
export function readInput(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
