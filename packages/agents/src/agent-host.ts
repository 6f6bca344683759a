import { DefinitionError, isRecord, nearest } from '@spec/hooks';
import { createHost, type Host, type HostOptions, type ThreadPort } from '@spec/hooks/host';
import {
  type Agent,
  type AgentProfile,
  isGuarded,
  type Output,
  type Payload,
  readText,
  silence,
} from './agent.ts';
import { agents, allAgents } from './agents/index.ts';
import { askers } from './moments.ts';
import { decides, describeBroken, refuse, Unreadable } from './refusal.ts';

/** Which hooks run in an agent. */
export interface AgentHostOptions
  extends Pick<HostOptions, 'hooks' | 'policies' | 'allowPartial' | 'timeout' | 'onRun' | 'environment'> {
  readonly agent: Agent;
  /** Whether another agent that runs the file of this one has entries of its own. Then these are silent in it. Default: none has. */
  readonly isInstalled?: ((agent: string) => boolean) | undefined;
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
export function createAgentHost({ agent, isInstalled, ...options }: AgentHostOptions): AgentHost {
  const host = createHost({ name: agent.title, honours: agent.honours, ...options });
  return {
    guardedEvents: Object.entries(agent.events)
      .filter(([, event]) => isGuarded(event) && decides(host, event.moment))
      .map(([name]) => name),
    answer: (given) => answerEvent({ agent, host, isInstalled, home: options.environment?.cwd }, given),
  };
}

interface Answering extends Pick<AgentHostOptions, 'agent' | 'isInstalled'> {
  readonly host: Host;
  /** The folder where the globs of matchers start. */
  readonly home: string | undefined;
}

async function answerEvent(
  { agent, host, isInstalled, home }: Answering,
  { event: name, input, memory = { keptGoing: 0 }, abortSignal }: GivenEvent,
): Promise<Output> {
  const event = agent.events[name];
  if (event === undefined || !Object.hasOwn(agent.events, name)) return silence;
  try {
    const payload = parsePayload(input);
    if (isAnsweredElsewhere(payload, agent, isInstalled)) return silence;
    const { values = {} } = memory;
    const turn = host.openTurn({
      ...{
        threadId: readText(payload, 'session_id') ?? readText(payload, 'sessionId'),
        agentId: agent.name,
        abortSignal,
        thread: values,
      },
    });
    // A prompt does not mark a new turn: to go on, Gemini CLI sends the reason as a prompt.
    const isFirst = payload.stop_hook_active === false || payload.loop_count === 0;
    // Subagents stop in the middle of a turn: a model that starts one each time would be kept going for ever.
    const isOfTurn = event.moment === 'stop' && payload.agent_id === undefined;
    if (isOfTurn && isFirst) memory.keptGoing = 0;
    const answer = await askers[event.moment]({ agent, payload, turn, home, keptGoing: memory.keptGoing });
    if (event.moment === 'stop' && answer.decision === 'deny') memory.keptGoing++;
    else if (isOfTurn) memory.keptGoing = 0;
    return event.write(answer, name);
  } catch (error) {
    const refusal = refuse(host, event.moment, { error });
    return refusal === undefined ? silence : event.write(refusal, name);
  }
}

/** Some agents run the files of others beside their own: the same event must not be judged twice. */
function isAnsweredElsewhere(
  payload: Payload,
  { alsoRunBy = {} }: Agent,
  isInstalled: AgentHostOptions['isInstalled'],
): boolean {
  const teller = Object.keys(alsoRunBy).find((name) => typeof payload[alsoRunBy[name] ?? ''] === 'string');
  return teller !== undefined && isInstalled?.(teller) === true;
}

function parsePayload(input: string): Payload {
  try {
    const value: unknown = JSON.parse(input);
    if (isRecord(value)) return value;
  } catch {
    // The failure is reported below, without its text, which may hold any data.
  }
  throw new Unreadable('it is not a JSON object');
}

/** The answer to an event when the hooks cannot be run at all. */
export function refuseEvent(agent: Agent, event: string, why: string): Output {
  const row = agent.events[event];
  if (row === undefined || !isGuarded(row)) return silence;
  return row.write({ decision: 'deny', reason: describeBroken(why) }, event);
}

/**
 * Finds an agent that starts a command for each event, by its name.
 *
 * @throws {DefinitionError} `unknown_id`, with the nearest name
 */
export function findAgent(name: string): Agent {
  return findByName(agents, name);
}

/**
 * Finds any agent by its name.
 *
 * @throws {DefinitionError} `unknown_id`, with the nearest name
 */
export function findAgentProfile(name: string): AgentProfile {
  return findByName(allAgents, name);
}

function findByName<Known extends AgentProfile>(all: readonly Known[], name: string): Known {
  const found = all.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  const names = all.map((agent) => agent.name);
  const meant = nearest(name, names);
  const hint = meant === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new DefinitionError('unknown_id', `There is no agent "${name}". ${hint}`);
}
