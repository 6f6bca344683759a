import { type HookToolCall, type HookToolResult, parseArguments } from '@spec/hooks';
import type { CallDecision, HostTurn } from '@spec/hooks/host';
import { type AgentProfile, type Answer, type Moment, type Payload, readText, toText } from './agent.ts';
import { readCall, restoreFields } from './read-call.ts';
import { Unreadable } from './refusal.ts';

/** The data from which an event is answered. */
export interface Happening {
  readonly agent: AgentProfile;
  readonly payload: Payload;
  readonly turn: HostTurn;
  /** The folder where the globs of matchers start, absolute; `undefined`: nobody has said. */
  readonly home: string | undefined;
  /** How often hooks have kept the session's present turn going. */
  readonly keptGoing: number;
}

/** How hooks are asked at each moment. This is the only place that says it. */
export const askers: Readonly<Record<Moment, (happening: Happening) => Promise<Answer>>> = {
  tool_call: askAboutCall,
  permission: askAboutPermission,
  tool_result: ({ agent, ...rest }) =>
    passResult({ agent, ...rest }, (agent.readResult ?? readResponse)(rest.payload)),
  tool_failure: (happening) => {
    const { error, error_message: message } = happening.payload;
    return passResult(happening, { status: 'error', error: toText(error ?? message ?? 'The tool failed.') });
  },
  tool_batch: tellBatch,
  prompt: askAboutPrompt,
  stop: askAboutStop,
  compaction: async ({ turn, payload }) => {
    const trigger = payload.trigger === 'auto' ? 'auto' : 'manual';
    const { message_count: count } = payload;
    const messageCount = typeof count === 'number' ? count : 0;
    const verdict = await turn.run('before_compaction', { trigger, messageCount });
    return verdict.decision === 'deny' ? deny(verdict.reason, verdict.userMessage) : {};
  },
  session_start: async ({ turn, payload, agent }) => {
    const source = payload.source === 'resume' || payload.source === 'compact' ? 'opened' : 'created';
    const sessionId = turn.state.threadId;
    const session = { sessionId, source, agentId: agent.name, parentId: null } as const;
    return joinContexts(await turn.run('after_session_started', session));
  },
  subagent_start: async ({ turn, payload }) => {
    const { threadId } = turn.state;
    const sessionId = readText(payload, 'agent_id') ?? threadId;
    const agentId = readText(payload, 'agent_type') ?? 'subagent';
    const session = { sessionId, source: 'created', agentId, parentId: threadId } as const;
    return joinContexts(await turn.run('after_session_started', session));
  },
  session_end: async ({ turn, agent }) => {
    const sessionId = turn.state.threadId;
    await turn.run('after_session_ended', {
      ...{ sessionId, source: 'created', agentId: agent.name, parentId: null },
    });
    return {};
  },
  notification: async ({ turn, payload }) => {
    const kind = readText(payload, 'notification_type') ?? 'notice';
    await turn.run('after_notification', { kind, message: readText(payload, 'message') ?? '' });
    return {};
  },
};

/** Hooks judge a call and also every call that it makes. The strictest judgement counts. */
async function askAboutCall(happening: Happening): Promise<Answer> {
  const { agent, payload, turn } = happening;
  const call = requireCall(happening);
  const folder = readText(payload, 'cwd') ?? '.';
  const decided = await turn.decideCall(call, { askLater: true });
  let answer = toAnswer(decided, call);
  const innerCalls = agent.listInnerCalls?.(decided.call, folder) ?? [];
  if (innerCalls.length > MAX_INNER_CALLS) return deny(TOO_MANY);
  for (const inner of innerCalls) {
    if (answer.decision === 'deny') break;
    answer = stricter(answer, judgeInner(await turn.decideCall(inner, { askLater: true }), inner));
  }
  return { ...restoreInput(agent, payload, answer), ...takeContexts(turn) };
}

/** Agents go on where hooks do not answer in time: a call that makes more must not outlast them. */
const MAX_INNER_CALLS = 500;
const TOO_MANY = `This call changes more than ${MAX_INNER_CALLS} places, more than hooks judge at once. Make several calls of it.`;

function restoreInput(agent: AgentProfile, payload: Payload, answer: Answer): Answer {
  const { input } = answer;
  return input === undefined ? answer : { ...answer, input: restoreFields(agent, payload, input) };
}

function stricter(answer: Answer, inner: Answer): Answer {
  if (inner.decision === 'deny' || (inner.decision === 'ask' && answer.decision !== 'ask')) return inner;
  if (answer.decision !== 'allow' || inner.decision === 'allow') return answer;
  const { decision: _, ...undecided } = answer; // Nobody has allowed what is inside.
  return undecided;
}

/** If a hook changes an inner call, the change has nowhere to go. */
function judgeInner(decided: CallDecision, call: HookToolCall): Answer {
  const { input, ...answer } = toAnswer(decided, call);
  if (input === undefined || answer.decision === 'deny') return answer;
  return deny(
    `A hook changed what this call does to a file (${call.function.name}), which only a new call can do.`,
  );
}

function toAnswer(decided: CallDecision, given: HookToolCall): Answer {
  const { outcome, call, reason, userMessage, result } = decided;
  if (outcome === 'denied') return deny(reason, userMessage);
  if (outcome === 'answered' || result !== undefined)
    return deny(`The tool was not run. A hook answered in its place: ${describeResult(result)}`, userMessage);
  const input =
    call.function.arguments === given.function.arguments ? {} : { input: parseArguments(call) ?? {} };
  if (outcome === 'ask')
    return { decision: 'ask', reason: reason ?? 'A hook wants a person to decide.', userMessage, ...input };
  return decided.isAllowed === true ? { decision: 'allow', ...input } : input;
}

function describeResult(result: HookToolResult | undefined): string {
  return result?.result ?? result?.error ?? '';
}

async function askAboutPermission(happening: Happening): Promise<Answer> {
  const { agent, payload, turn } = happening;
  const call = requireCall(happening);
  const verdict = await turn.run('before_permission_request', { toolCall: call });
  const { decision, reason, userMessage, subject } = verdict;
  if (decision === 'deny') return deny(reason, userMessage);
  const isSame = subject.toolCall.function.arguments === call.function.arguments;
  const input = isSame ? {} : { input: parseArguments(subject.toolCall) ?? {} };
  if (decision !== 'allow') return { userMessage };
  return restoreInput(agent, payload, { decision, userMessage, ...input });
}

async function passResult(happening: Happening, first: HookToolResult): Promise<Answer> {
  const { turn } = happening;
  const call = requireCall(happening);
  const passed = await turn.passResult(call, first);
  const { status, attachments } = passed;
  const isSame =
    status === first.status &&
    describeResult(passed) === describeResult(first) &&
    isDeepEqual(attachments, first.attachments);
  const changed = { result: describeResult(passed), resultStatus: status, attachments };
  return { ...(isSame ? {} : changed), ...takeContexts(turn) };
}

async function tellBatch(happening: Happening): Promise<Answer> {
  const { agent, payload, turn } = happening;
  const { tool_calls: calls } = payload;
  const folder = findOtherFolder(happening);
  const results = (Array.isArray(calls) ? calls : []).flatMap((one: Payload) => {
    const toolCall = readCall(agent, one, folder);
    return toolCall === undefined ? [] : [{ toolCall, result: (agent.readResult ?? readResponse)(one) }];
  });
  await turn.endBatch(results);
  return takeContexts(turn);
}

/** Both are made of JSON. */
function isDeepEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

async function askAboutPrompt({ agent, payload, turn }: Happening): Promise<Answer> {
  const content = readText(payload, 'prompt');
  if (content === undefined) throw new Unreadable('it holds no prompt');
  const verdict = await turn.receive({ role: 'user', content });
  if (verdict.isDenied) return deny(verdict.reason, verdict.userMessage);
  const { content: changed } = verdict.message;
  if (changed === content) return takeContexts(turn);
  if (agent.rewritesPrompts !== true || typeof changed !== 'string')
    return deny('A hook changed this prompt, and this agent would send it as it was typed.');
  return { prompt: changed, ...takeContexts(turn) };
}

/** At most eight times in a turn, counted across the processes that answer its events. */
async function askAboutStop({ payload, turn, keptGoing }: Happening): Promise<Answer> {
  const isOver = (readText(payload, 'status') ?? 'completed') !== 'completed';
  if (isOver || keptGoing >= MAX_KEPT_GOING) return {};
  const verdict = await turn.run('before_stop', { reason: 'completed', keptGoing });
  return verdict.decision === 'deny' ? deny(verdict.reason, verdict.userMessage) : {};
}

const MAX_KEPT_GOING = 8;

function requireCall(happening: Happening): HookToolCall {
  const { agent, payload } = happening;
  const call = readCall(agent, agent.findCall?.(payload) ?? payload, findOtherFolder(happening));
  if (call === undefined) throw new Unreadable('it does not say which tool is called');
  return call;
}

/** The folder of the session, where the globs of matchers start in another one. */
function findOtherFolder({ payload, home }: Happening): string | undefined {
  const folder = readText(payload, 'cwd');
  return home === undefined || folder === home ? undefined : folder;
}

function readResponse({ tool_response: response }: Payload): HookToolResult {
  return { status: 'success', result: toText(response) };
}

function deny(reason = 'A hook denied this.', userMessage?: string): Answer {
  return { decision: 'deny', reason, userMessage };
}

function takeContexts(turn: HostTurn): Answer {
  return joinContexts(turn.takeContexts());
}

function joinContexts(contexts: readonly string[]): Answer {
  return contexts.length === 0 ? {} : { context: contexts.join('\n\n') };
}
