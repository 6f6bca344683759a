import { type AnyHook, type HookToolCall, RunError } from '@spec/hooks';
import { realPaths } from '@spec/hooks/node';
import {
  type AnyTool,
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type LanguageModel,
  type Runtime,
  type RunValues,
  type Store,
} from '@spec/runtime';
import { type ScriptedReply, scriptedModel } from '@spec/runtime/testing';
import { type ModelPrompt, observedModel } from '../observed-model.ts';
import { findProjectFolder } from '../project/config.ts';
import type { Conversation, RecordedMessage } from './formats/conversation.ts';
import { isPlainCall } from './segments.ts';

/** A runtime in which a recording plays the model and the tools. */
export interface RecordedRuntime {
  readonly runtime: Runtime;
  /** Puts the answers of one turn on the model's and the tools' lips; `onLast` is called with the last of the model's. */
  play(replies: readonly RecordedMessage[], onLast: () => void): void;
}

export interface RecordedOptions {
  readonly store: Store;
  readonly hooks: readonly AnyHook[];
  /** Called with what the model is sent, before it is. */
  readonly onModelCall?: (prompt: ModelPrompt) => void;
  /** Called with the values of every run of a hook. They are data. */
  readonly onRunValues?: ((entry: RunValues) => void) | undefined;
}

const AGENT = 'recorded';
const NO_ANSWER = 'A hook keeps the agent going, and the recording has no further answer.';
/** How long a replay that was killed still holds its thread, in milliseconds. */
export const LEASE_MS = 2_000;

export function recordedRuntime(
  conversation: Conversation,
  { store, hooks, onModelCall = () => {}, onRunValues }: RecordedOptions,
): RecordedRuntime {
  const replies: ScriptedReply[] = [];
  const results: RecordedResults = new Map();
  let onLastReply = (): void => {};
  const model: LanguageModel = observedModel(
    scriptedModel(
      forever(() => {
        const reply = replies.shift() ?? new RunError('not_found', NO_ANSWER);
        if (replies.length === 0) onLastReply();
        return reply;
      }),
      { keepsCalls: 0 },
    ),
    onModelCall,
  );
  const names = toolNames(conversation);
  const runtime = createRuntime({
    policies: hooks,
    models: { recorded: model },
    tools: names.map((name) => recordedTool(name, results)),
    prompts: [definePrompt({ name: AGENT, tools: names })],
    agents: [defineAgent({ name: AGENT, prompt: AGENT, maxSteps: conversation.messages.length + 1 })],
    store: leftOpen(store),
    lease: LEASE_MS,
    environment: realPaths(findProjectFolder()),
    warnings: 'off', // failures are part of the report
    ...(onRunValues === undefined ? {} : { onRunValues }),
  });
  return {
    runtime,
    play(turn, onLast) {
      onLastReply = onLast;
      // What hooks kept an earlier turn from using up must not be heard in this one.
      replies.length = 0;
      results.clear();
      for (const message of turn) {
        if (message.role === 'tool') addResult(results, message, conversation);
        else replies.push({ text: message.content, toolCalls: (message.tool_calls ?? []).map(toScripted) });
      }
    },
  };
}

/** The name of the agent that recordings run under. */
export const recordedAgent: string = AGENT;

function toScripted({ id, function: { name, arguments: input } }: HookToolCall): {
  id: string;
  name: string;
  input: string;
} {
  return { id, name, input };
}

/** By the id of their call, in the order in which they are used up. */
type RecordedResults = Map<string, (string | FailedResult)[]>;

interface FailedResult {
  readonly status: 'error';
  readonly error: string;
}

function addResult(
  results: RecordedResults,
  { tool_call_id, content }: RecordedMessage,
  { failedCalls }: Conversation,
): void {
  const id = tool_call_id as string;
  const text = content as string;
  findQueue(results, id).push(failedCalls?.has(id) ? { status: 'error', error: text } : text);
}

function recordedTool(name: string, results: RecordedResults): AnyTool {
  return defineTool({
    name,
    parameters: { type: 'object' },
    execute: (_input, { toolCallId }) =>
      findQueue(results, toolCallId).shift() ?? {
        status: 'error',
        error: 'The recording has no result for this call.',
      },
  });
}

function findQueue(results: RecordedResults, id: string): (string | FailedResult)[] {
  const queue = results.get(id) ?? [];
  results.set(id, queue);
  return queue;
}

function toolNames({ messages }: Conversation): string[] {
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  return [...new Set(calls.filter(isPlainCall).map((call) => call.function.name))];
}

function* forever<T>(next: () => T): Generator<() => T> {
  for (;;) yield next;
}

/** Every conversation has a runtime of its own over the one store. */
function leftOpen(store: Store): Store {
  return { ...store, close: async () => {} };
}
