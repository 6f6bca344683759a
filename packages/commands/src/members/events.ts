import {
  type Decision,
  type HookArgs,
  type HookToolResult,
  type LifecycleName,
  type LifecycleSignatures,
  lifecycleRow,
  type ThreadState,
} from '@spec/hooks';
import type { Dialect } from '../normal-form.ts';
import type { Merged } from './merged.ts';
import { decideModelCall } from './model-call.ts';
import { type OccasionDetails, readToolCall } from './occasion.ts';

/** What a hook's return value is made of. */
export interface Giving<K extends LifecycleName> {
  readonly merged: Merged;
  readonly args: HookArgs<K>;
  readonly state: ThreadState;
  readonly dialect: Dialect;
}

/** Everything that commands need to know about a lifecycle hook. There is no other place. */
export interface EventRow<K extends LifecycleName> {
  details(args: HookArgs<K>, state: ThreadState): OccasionDetails | Promise<OccasionDetails>;
  give(giving: Giving<K>): Promise<Awaited<ReturnType<LifecycleSignatures[K]>>>;
}

type EventTable = { readonly [K in LifecycleName]?: EventRow<K> };

/** The lifecycle hooks in which commands can run. */
const eventTable: EventTable = {
  before_user_message: {
    details: ([{ content }]) => ({ prompt: content ?? '' }),
    give: async ({ merged, state }) => makeDecision(merged, state),
  },
  before_tool_call: {
    details: ([call]) => ({ tool: readToolCall(call) }),
    give: async ({ merged, state }) => makeDecision(merged, state),
  },
  before_permission_request: {
    details: ([{ toolCall, reason }]) => ({
      tool: readToolCall(toolCall),
      ...(reason === undefined ? {} : { reason }),
    }),
    give: async ({ merged, state }) => makeDecision(merged, state),
  },
  before_model_call: {
    details: ([request]) => ({ modelRequest: request }),
    async give({ merged, args: [request], state }) {
      const { input: _, result: __, ...said } = makeDecision({ ...merged, input: undefined }, state) ?? {};
      const own = said.decision === undefined ? decideModelCall(merged, request) : {};
      const given = { ...said, ...own };
      return Object.keys(given).length === 0 ? null : given;
    },
  },
  after_tool_call_success: {
    details: ([call, result]) => ({ tool: readToolCall(call), result }),
    give: (giving) => makeResult(giving, 'result'),
  },
  after_tool_call_failure: {
    details: ([call, result]) => ({ tool: readToolCall(call), result }),
    give: (giving) => makeResult(giving, 'error'),
  },
  after_tool_batch: {
    details: ([results]) => ({
      batch: results.map(({ toolCall, result }) => ({ tool: readToolCall(toolCall), result })),
    }),
    give: async ({ merged, state }) => takeTexts(merged, state),
  },
  before_stop: {
    details: async ([{ reason, keptGoing }], state) => ({ reason, keptGoing, ...(await lastWords(state)) }),
    async give({ merged, state }) {
      emitUserMessages(merged, state);
      const { keepGoing, contexts, endsTurn } = merged;
      if (endsTurn) state.execution.stop();
      else if (keepGoing.length > 0) return { keepGoing: join([...keepGoing, ...contexts]) };
      await inject(contexts, state);
      return null;
    },
  },
  before_compaction: {
    details: ([compaction]) => ({ compaction, reason: compaction.trigger }),
    give: async ({ merged, state }) => makeDecision({ ...merged, input: undefined }, state),
  },
  after_session_started: {
    details: ([{ source }]) => ({ reason: source }),
    give: async ({ merged, state }) => takeTexts(merged, state),
  },
  after_session_ended: {
    details: ([{ source }]) => ({ reason: source }),
    give: async ({ merged, state }) => emitUserMessages(merged, state),
  },
  after_notification: {
    details: ([notification]) => ({ notification, reason: notification.kind }),
    give: async ({ merged, state }) => emitUserMessages(merged, state),
  },
  after_thread_created: {
    details: () => ({}),
    give: async ({ merged, state }) => emitUserMessages(merged, state),
  },
  after_subagent_created: {
    details: ([child]) => ({ reason: child.agentId }),
    give: async ({ merged, state }) => emitUserMessages(merged, state),
  },
};

/** A row, whatever its hook. */
export interface AnyEventRow {
  details(args: readonly unknown[], state: ThreadState): OccasionDetails | Promise<OccasionDetails>;
  give(giving: Omit<Giving<LifecycleName>, 'args'> & { readonly args: readonly unknown[] }): Promise<unknown>;
}

/** The row of a hook; `undefined` if no command can run in it. */
export function eventRow(event: LifecycleName): AnyEventRow | undefined {
  return eventTable[event] as AnyEventRow | undefined;
}

/** Whether commands that run in a hook are for one call of a tool: their matchers are on the tool. */
export function isAboutTool(event: LifecycleName): boolean {
  return eventTable[event] !== undefined && lifecycleRow(event).toolCall !== undefined;
}

/** The tool that a hook is given a call of; `undefined` where it is about no single call. */
export function findToolName(event: LifecycleName, args: readonly unknown[]): string | undefined {
  return lifecycleRow(event).toolCall?.(args).function.name;
}

/** How many messages are searched for the model's last one. */
const LOOK_BACK = 20;

async function lastWords(state: ThreadState): Promise<OccasionDetails> {
  const messages = await state.getMessages({ last: LOOK_BACK });
  const text = messages.findLast(({ role }) => role === 'assistant')?.content;
  return typeof text === 'string' ? { lastAssistantMessage: text } : {};
}

/** A hook that ends the turn also denies what it was asked about, because the turn would not use the result. */
function makeDecision(
  { endsTurn, ...merged }: Omit<Merged, 'keepGoing'>,
  state: ThreadState,
): Decision | null {
  if (endsTurn) state.execution.stop();
  const decision = endsTurn ? 'deny' : merged.decision;
  const given: Decision = {
    ...(decision === undefined ? {} : { decision }),
    ...(merged.reasons.length === 0 ? {} : { reason: merged.reasons.join('\n') }),
    ...(merged.userMessages.length === 0 ? {} : { userMessage: merged.userMessages.join('\n') }),
    ...(merged.contexts.length === 0 ? {} : { context: [...merged.contexts] }),
    ...(merged.input === undefined ? {} : { input: merged.input }),
  };
  return Object.keys(given).length === 0 ? null : given;
}

/** Makes a tool's result from what entries changed and from their texts for the model. */
async function makeResult(
  { merged, args, state, dialect }: Giving<'after_tool_call_success' | 'after_tool_call_failure'>,
  field: 'result' | 'error',
): Promise<HookToolResult | null> {
  emitUserMessages(merged, state);
  if (merged.endsTurn) state.execution.stop();
  const [, result] = args;
  const { contexts } = merged;
  const behind = contexts.length === 0 ? undefined : dialect.contextBehindResult?.(contexts);
  if (behind === undefined) await inject(contexts, state);
  if (merged.output === undefined && behind === undefined) return null;
  return { ...result, [field]: `${merged.output ?? result[field] ?? ''}${behind ?? ''}` };
}

function takeTexts(merged: Merged, state: ThreadState): string[] | null {
  emitUserMessages(merged, state);
  if (merged.endsTurn) state.execution.stop();
  return merged.contexts.length === 0 ? null : [...merged.contexts];
}

/** The event that carries an entry's text for the person to the listeners of a thread. */
const MESSAGE_EVENT = 'command_hook_message';

/** Sends texts for the person to the thread's listeners if no decision carries them. */
function emitUserMessages({ userMessages }: Merged, state: ThreadState): undefined {
  for (const message of userMessages) state.emit(MESSAGE_EVENT, { message });
}

async function inject(contexts: readonly string[], state: ThreadState): Promise<void> {
  if (contexts.length > 0) await state.injectMessage({ role: 'user', content: join(contexts) });
}

function join(texts: readonly string[]): string {
  return texts.join('\n\n');
}
