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

/** What is kept of a session between its events. Different processes may answer them. */
export interface SessionMemory {
  /** How often hooks have kept the present turn going. */
  keptGoing: number;
  /** The functions `getValue`, `setValue` and `setValuesIf` of `state`. Default: values that end with the event. */
  readonly values?: Pick<ThreadPort, 'getValue' | 'setValue' | 'setValuesIf'>;
}

/** One event of an agent, as its hook command got it. */
export interface GivenEvent {
  /** The agent's own name for it. */
  readonly event: string;
  /** What the agent wrote to standard input. */
  readonly input: string;
  readonly memory?: SessionMemory;
  /** When it fires, the event counts as unanswered. */
  readonly abortSignal?: AbortSignal;
}

/** Hooks in one coding agent. */
export interface AgentHost {
  /** The events on which a hook can deny. Nothing passes there unless these hooks answer. */
  readonly guardedEvents: readonly string[];
  /** Runs the hooks of an event. Never rejects: if a guard gives no answer, the output denies. */
  answer(given: GivenEvent): Promise<Output>;
}

/**
 * Hooks in a coding agent.
 *
 * @throws {DefinitionError} `bad_hook` if the agent cannot run a hook as documented; gives the reason for each hook
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

/** The hooks that can deny at each guarded moment. */
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
    // A prompt does not mark a new turn: to go on, Gemini CLI sends the reason as a prompt.
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
    // The failure is reported below, without its text, which may hold any data.
  }
  throw new Unreadable('it is no JSON object');
}

/** If a guard gives no answer, this denies and says so, so that nobody takes it for a judgement. */
function refuse({ moment }: AgentEvent, error: unknown): Answer {
  const why =
    error instanceof Unreadable
      ? `The agent's message to its hooks cannot be read: ${error.message}. Its version may be newer than what is known of it.`
      : `The hooks failed: ${error instanceof Error ? error.message : 'no reason was given'}`;
  if (moment === 'tool_result') return { result: `This result was withheld. ${why}` };
  return { decision: 'deny', reason: describeBroken(why) };
}

/** The reason for a deny that no hook gave: what is broken, and what a person can do. */
export function describeBroken(why: string): string {
  return `Nobody has judged this, so it is denied. ${why} A person can look with "spec-hooks agents", and switch the hooks off with "spec-hooks uninstall".`;
}

/** The answer to an event when the hooks cannot be run at all. */
export function refuseEvent(agent: Agent, event: string, why: string): Output {
  const row = agent.events[event];
  if (row === undefined || !isGuarded(row)) return silence;
  return row.write({ decision: 'deny', reason: describeBroken(why) }, event);
}

/**
 * Finds an agent by its name.
 *
 * @throws {DefinitionError} `unknown_id`, with the nearest name
 */
export function findAgent(name: string): Agent {
  const found = agents.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  const names = agents.map((agent) => agent.name);
  const meant = nearest(name, names);
  const hint = meant === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new DefinitionError('unknown_id', `There is no agent "${name}". ${hint}`);
}
