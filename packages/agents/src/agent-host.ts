import { DefinitionError, isRecord, type LifecycleName, nearest } from '@spec/hooks';
import { createHost, type Host, type HostOptions, type ThreadPort } from '@spec/hooks/host';
import {
  type Agent,
  type AgentEvent,
  type Answer,
  isGuarded,
  type Moment,
  type Output,
  type Payload,
  readText,
  silence,
} from './agent.ts';
import { agents } from './agents/index.ts';
import { askers, Unreadable } from './moments.ts';

/** Which hooks run in an agent. */
export interface AgentHostOptions
  extends Pick<HostOptions, 'hooks' | 'policies' | 'allowPartial' | 'timeout' | 'onRun' | 'environment'> {
  readonly agent: Agent;
}

/** What is kept of a session between its events, which different processes may answer. */
export interface SessionMemory {
  /** How often hooks have kept the present turn going. */
  keptGoing: number;
  /** `state.getValue` and its like. Default: values that end with the event. */
  readonly values?: Pick<ThreadPort, 'getValue' | 'setValue' | 'setValuesIf'>;
}

/** One event of an agent, as its hook command got it. */
export interface GivenEvent {
  /** As the agent calls it. */
  readonly event: string;
  /** What stood on standard input. */
  readonly input: string;
  readonly memory?: SessionMemory;
  /** When it fires the event counts as unanswered. */
  readonly abortSignal?: AbortSignal;
}

/** Hooks in one coding agent. */
export interface AgentHost {
  /** The events on which nothing may pass without an answer of these hooks: one of them decides there. */
  readonly guardedEvents: readonly string[];
  /** Runs the hooks of an event. Never rejects: where a guard gave no answer, the output denies. */
  answer(given: GivenEvent): Promise<Output>;
}

/**
 * Hooks in a coding agent.
 *
 * @throws {DefinitionError} `bad_hook` where the agent does not run a hook as documented, with the reason of each
 */
export function createAgentHost({ agent, ...options }: AgentHostOptions): AgentHost {
  const host = createHost({ name: agent.title, honours: agent.honours, ...options });
  return {
    guardedEvents: Object.entries(agent.events)
      .filter(([, event]) => isGuarded(event) && decides(host, event))
      .map(([name]) => name),
    answer: (given) => answerEvent({ agent, host }, given),
  };
}

/** The hooks that can deny at a moment that is guarded. */
const deciding: Readonly<Partial<Record<Moment, readonly LifecycleName[]>>> = {
  tool_call: ['before_tool_call'],
  permission: ['before_permission_request'],
  prompt: ['before_user_message'],
};

function decides({ scope }: Host, { moment }: AgentEvent): boolean {
  return (deciding[moment] ?? []).some((name) => (scope[name]?.length ?? 0) > 0);
}

async function answerEvent(
  { agent, host }: { readonly agent: Agent; readonly host: Host },
  { event: name, input, memory = { keptGoing: 0 }, abortSignal }: GivenEvent,
): Promise<Output> {
  const event = agent.events[name];
  if (event === undefined || !Object.hasOwn(agent.events, name)) return silence;
  try {
    const payload = parsePayload(input);
    const { values = {} } = memory;
    const turn = host.openTurn({
      ...{ threadId: readText(payload, 'session_id'), agentId: agent.name, abortSignal, thread: values },
    });
    // A prompt says nothing of a new turn: Gemini CLI goes on by sending the reason as one.
    if (event.moment === 'stop' && payload.stop_hook_active === false) memory.keptGoing = 0;
    const answer = await askers[event.moment]({ agent, event, payload, turn, keptGoing: memory.keptGoing });
    if (event.moment === 'stop') memory.keptGoing = answer.decision === 'deny' ? memory.keptGoing + 1 : 0;
    return event.write(answer, name);
  } catch (error) {
    return decides(host, event) || event.moment === 'tool_result'
      ? event.write(refuse(event, error), name)
      : silence;
  }
}

function parsePayload(input: string): Payload {
  try {
    const value: unknown = JSON.parse(input);
    if (isRecord(value)) return value;
  } catch {
    // Told below, without the text: it may hold anything.
  }
  throw new Unreadable('it is no JSON object');
}

/** A guard that gave no answer denies, and says so: nobody must take it for a judgement. */
function refuse({ moment }: AgentEvent, error: unknown): Answer {
  const why =
    error instanceof Unreadable
      ? `The agent's message to its hooks cannot be read: ${error.message}. Its version may be newer than what is known of it.`
      : `The hooks failed: ${error instanceof Error ? error.message : 'no reason was given'}`;
  if (moment === 'tool_result') return { result: `This result was withheld. ${why}` };
  return { decision: 'deny', reason: describeBroken(why) };
}

/** The reason of a deny that no hook has given: it says what is broken, and how a person goes on. */
export function describeBroken(why: string): string {
  return `Nobody has judged this, so it is denied. ${why} A person can look with "spec-hooks agents", and switch the hooks off with "spec-hooks uninstall".`;
}

/** What an event is answered with where the hooks cannot be asked at all. */
export function refuseEvent(agent: Agent, event: string, why: string): Output {
  const row = agent.events[event];
  if (row === undefined || !isGuarded(row)) return silence;
  return row.write({ decision: 'deny', reason: describeBroken(why) }, event);
}

/**
 * Finds an agent by its name.
 *
 * @throws {DefinitionError} `unknown_id` with the nearest that there is
 */
export function findAgent(name: string): Agent {
  const found = agents.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  const names = agents.map((agent) => agent.name);
  const meant = nearest(name, names);
  const hint = meant === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new DefinitionError('unknown_id', `There is no agent "${name}". ${hint}`);
}
