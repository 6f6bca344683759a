import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { Command, isCommand, isGraphBubbleUp, isGraphInterrupt } from '@langchain/langgraph';
import { type HookMessage, type LifecycleName, lifecycleRow, lifecycleTable, RunError } from '@spec/hooks';
import { type CallDecision, checkRewritten, type PassedCall, passCall } from '@spec/hooks/host';
import type { AgentMiddleware } from 'langchain';
import { listMessages, mapMessages, readCommand } from './command.ts';
import type { BegunCall } from './interrupts.ts';
import { answersCall, lendMessages, readText, toCall } from './messages.ts';
import { passMessage } from './others.ts';
import { askByInterrupt } from './person.ts';
import { noteShown, type Running, type StateLike, type Turns, withinTool } from './turns.ts';

export type WrapToolCall = NonNullable<AgentMiddleware['wrapToolCall']>;
type Request = Parameters<WrapToolCall>[0];
type Checked = Awaited<ReturnType<typeof checkRewritten>>;
type Given = Awaited<ReturnType<WrapToolCall>>;

/** The text of a failed call, as LangChain tells it to the model. */
class FailedText extends Error {}

/** The hooks on calls of tools. */
export const toolHooks: readonly LifecycleName[] = (Object.keys(lifecycleTable) as LifecycleName[]).filter(
  (name) => {
    const { toolCall, toolCalls } = lifecycleRow(name);
    return (toolCall ?? toolCalls) !== undefined;
  },
);

/** Sends calls of tools through the hooks. */
export function makeWrapToolCall(turns: Turns, asksItself: boolean): WrapToolCall {
  return (request, handler) =>
    turns.use(request.state as StateLike, request.runtime, (running) =>
      callTool(running, request, { handler, asksItself }),
    );
}

async function callTool(
  running: Running,
  request: Request,
  { handler, asksItself }: { readonly handler: Parameters<WrapToolCall>[1]; readonly asksItself: boolean },
): Promise<Given> {
  const { id = '', name, args } = request.toolCall;
  const requested = toCall(id, name, args);
  const { turn } = running;
  const bubble = new Bubble();
  running.answered.add(id);
  const decide = async (): Promise<CallDecision> => {
    const decided = await turn.decideCall(requested, { askLater: !asksItself });
    if (decided.outcome !== 'ask') return decided;
    const { decision, asked } = await askByInterrupt(decided, request.runtime.configurable);
    bubble.begun = { asked, arguments: decision.call.function.arguments };
    return decision;
  };
  let given: Given | undefined;
  const run = async (input: Record<string, unknown>): Promise<string> => {
    const { configurable } = request.runtime;
    const call = async () => handler(changeArgs(request, input));
    const made = await bubble.watch(() =>
      withinTool(running, { callId: id || crypto.randomUUID(), configurable }, call),
    );
    given = isCommand(made) ? readCommand(made) : made;
    return readGiven(given, id);
  };
  const validate = (input: Record<string, unknown>) => checkArgs(request, input);
  const passed = await passCall(turn, requested, { decide, validate, tool: run }).catch((error) =>
    bubble.rethrow(error),
  );
  running.results.set(passed.call.id, { toolCall: passed.call, result: passed.result });
  return tellParent(running, await passOtherMessages(running, makeGiven(passed, given), id));
}

/** A tool may interrupt the graph by throwing, which is no failure of the tool: it goes up, and no hook is told. */
class Bubble {
  /** How the call has come to run: what the tool asks says so, for when the graph is resumed. */
  begun: BegunCall = { asked: 0, arguments: '' };
  #thrown: unknown;

  async watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isGraphBubbleUp(error)) throw error;
      this.#thrown = error;
      if (isGraphInterrupt(error))
        for (const question of error.interrupts) Object.assign(question, { specHooks: this.begun });
      throw new RunError('aborted', 'The tool has interrupted the graph.', {});
    }
  }

  rethrow(error: unknown): never {
    throw this.#thrown ?? error;
  }
}

async function checkArgs({ tool, toolCall }: Request, args: Record<string, unknown>): Promise<Checked> {
  const isSame = JSON.stringify(args) === JSON.stringify(toolCall.args);
  return isSame ? { input: args } : checkRewritten((tool as { schema?: unknown } | undefined)?.schema, args);
}

function changeArgs(request: Request, args: Record<string, unknown>): Request {
  const isSame = JSON.stringify(args) === JSON.stringify(request.toolCall.args);
  return isSame ? request : { ...request, toolCall: { ...request.toolCall, args } };
}

/**
 * What a tool gave, as the text that hooks see.
 *
 * @throws {FailedText} for a result that tells of an error
 */
function readGiven(given: Given, callId: string): string {
  const results = findResults(given, callId);
  const text = results.map((message) => readText(message) ?? '').join('\n');
  if (results.some(({ status }) => status === 'error')) throw new FailedText(text);
  return text;
}

/** The results of the call: tools that change the state of the graph give them in a command. */
function findResults(given: Given, callId: string): readonly ToolMessage[] {
  if (!isCommand(given)) return [given];
  return listMessages(given).filter((one) => answersCall(one, callId)) as ToolMessage[];
}

function makeGiven({ call, result, row: { content, isSame } }: PassedCall, given: Given | undefined): Given {
  if (given !== undefined && isSame) return given;
  const { name } = call.function;
  const message = new ToolMessage({ content, tool_call_id: call.id, name, status: result.status });
  return given !== undefined && isCommand(given) ? replaceResults(given, message) : message;
}

/** One message takes the place of all results of its call. */
function replaceResults(command: Command, message: ToolMessage): Command {
  const [first] = findResults(command, message.tool_call_id);
  return mapMessages(command, (one) => {
    if (!answersCall(one, message.tool_call_id)) return [one];
    return one === first ? [message] : [];
  });
}

/** What else a command gives to the conversation passes the chains of a message, and is stored; what is there already is not new. */
async function passOtherMessages(running: Running, given: Given, callId: string): Promise<Given> {
  const { turn, messages } = running;
  if (!isCommand(given)) return given;
  noteShown(running, listMessages(given));
  if (!turn.takesMessages) return given;
  const known = new Set(lendMessages(messages).messages.map(describeRow));
  const passed = new Map<BaseMessage, BaseMessage>();
  for (const message of listMessages(given)) {
    const [row] = lendMessages([message]).messages;
    const isSaid = row !== undefined && message.type !== 'remove' && !answersCall(message, callId);
    if (!isSaid || known.has(describeRow(row))) continue;
    const changed = await passMessage(turn, message, { isStored: true });
    if (changed !== message) passed.set(message, changed);
  }
  noteShown(running, [...passed.values()]);
  if (passed.size === 0) return given;
  return mapMessages(given, (message) => [passed.get(message) ?? message]);
}

/** A command for the graph around the agent ends the agent, and the graph would keep what the user said as it was. */
function tellParent({ rewritten }: Running, given: Given): Given {
  if (!isCommand(given) || given.graph !== Command.PARENT) return given;
  const messages = listMessages(given);
  const untold = rewritten.filter(({ id }) => !messages.some((message) => message.id === id));
  const [first] = messages;
  return untold.length === 0
    ? given
    : mapMessages(given, (message) => (message === first ? [...untold, message] : [message]));
}

function describeRow({ created_at, ...row }: HookMessage): string {
  return JSON.stringify(row);
}
