// In-process: hooks in agents that load code of others, such as plugins and extensions. A limit and a catch stand around each event; it reads and writes no file.

import { createHost, type HostOptions, type HostTurn } from '@spec/hooks/host';
import type { AgentProfile, Answer, Moment, Payload } from '../agent.ts';
import { askers } from '../moments.ts';
import { decides, describeBroken, refuse } from '../refusal.ts';

/** Which hooks run in an agent. */
export type InProcessOptions = Pick<
  HostOptions,
  'hooks' | 'policies' | 'allowPartial' | 'timeout' | 'onRun' | 'environment'
>;

/** How hooks run in an agent that gives them less than others do. */
export interface InProcessLimits {
  /** All hooks of one event have so long together, in milliseconds. */
  readonly deadline?: number;
}

/** What happens in an agent, as its plugin was told. */
export interface Told {
  /** The agent's id of the session. */
  readonly session: string;
  readonly payload: Payload;
  /** When it fires, the event counts as unanswered. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** Hooks in one agent, in its own process. */
export interface InProcessHost {
  /** The moments at which a hook can deny. */
  readonly guarded: readonly Moment[];
  /** Whether a hook is on the system message. */
  readonly seesSystem: boolean;
  /** Whether any hook runs at a moment. */
  concerns(moment: Moment): boolean;
  /** Runs the hooks of a moment. Never rejects: if a guard gives no answer, the answer denies. */
  ask(moment: Moment, told: Told): Promise<Answer>;
  /**
   * Sends the system message through `after_system_message`.
   *
   * @throws {RunError} if a hook that blocks has failed: the model must not be called
   */
  passSystem(session: string, text: string): Promise<string>;
}

const DEADLINE = 25_000;

const guardedMoments: readonly Moment[] = ['tool_call', 'permission', 'prompt'];

/**
 * Hooks in an agent that loads code of others.
 *
 * @throws {DefinitionError} `bad_hook` if the agent cannot run a hook as documented; gives the reason for each hook
 */
export function createInProcessHost(
  profile: AgentProfile,
  options: InProcessOptions,
  { deadline = DEADLINE }: InProcessLimits = {},
): InProcessHost {
  const host = createHost({ name: profile.title, honours: profile.honours, ...options });
  const keptGoing = new Map<string, number>();
  const openTurn = (threadId: string, abortSignal: AbortSignal): HostTurn =>
    host.openTurn({ threadId, agentId: profile.name, abortSignal });
  return {
    guarded: guardedMoments.filter((moment) => decides(host, moment)),
    seesSystem: host.scope.after_system_message !== undefined,
    concerns: (moment) => concerns(host.scope, moment),
    async ask(moment, { payload, session, abortSignal }) {
      const isOfMain = payload.agent_id === undefined;
      // Where no hook is on prompts, nobody is told of them: a turn that stops for the first time is another one, too.
      if (moment === 'prompt' || (isOfMain && payload.stop_hook_active === false)) keptGoing.delete(session);
      if (!concerns(host.scope, moment)) return {};
      const before = keptGoing.get(session) ?? 0;
      const happening = { agent: profile, payload, keptGoing: before, home: options.environment?.cwd };
      try {
        const answer = await withLimit({ abortSignal, deadline }, (signal) =>
          askers[moment]({ ...happening, turn: openTurn(session, signal) }),
        );
        if (moment !== 'stop') return answer;
        if (answer.decision === 'deny') keptGoing.set(session, before + 1);
        else if (isOfMain) keptGoing.delete(session);
        return answer;
      } catch (error) {
        return refuse(host, moment, { error, wayOut: profile.wayOut }) ?? {};
      }
    },
    async passSystem(session, text) {
      if (host.scope.after_system_message === undefined) return text;
      return withLimit({ deadline }, (signal) => openTurn(session, signal).run('after_system_message', text));
    },
  };
}

/** The hooks that run at each moment: where there is none, the agent waits for nothing. */
const hooksAt = {
  tool_call: ['before_tool_call', 'before_permission_request'],
  permission: ['before_permission_request'],
  tool_result: ['after_tool_call_success', 'after_tool_call_failure', 'before_store_tool_result'],
  tool_failure: ['after_tool_call_failure', 'before_store_tool_result'],
  tool_batch: ['after_tool_batch'],
  prompt: ['before_user_message'],
  stop: ['before_stop'],
  compaction: ['before_compaction'],
  session_start: ['after_session_started'],
  subagent_start: ['after_session_started'],
  session_end: ['after_session_ended'],
  notification: ['after_notification'],
} as const satisfies Readonly<Record<Moment, readonly string[]>>;

function concerns(scope: object, moment: Moment): boolean {
  return hooksAt[moment].some((name) => Object.hasOwn(scope, name));
}

/** A signal of `AbortSignal.timeout` would stay for its whole time: a timer that is cleared costs an event next to nothing. */
async function withLimit<Result>(
  { abortSignal, deadline }: { readonly abortSignal?: AbortSignal | undefined; readonly deadline: number },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limited = new AbortController();
  const end = (): void => limited.abort();
  const timer = setTimeout(end, deadline);
  if (abortSignal?.aborted === true) end();
  abortSignal?.addEventListener('abort', end, { once: true });
  try {
    return await work(limited.signal);
  } finally {
    clearTimeout(timer);
    abortSignal?.removeEventListener('abort', end);
  }
}

/**
 * Denies what hooks guarded, because they cannot be asked.
 *
 * @param guarded without it, all that can be guarded
 */
export function createRefusingHost(why: string, guarded: readonly string[] = guardedMoments): InProcessHost {
  const moments = guardedMoments.filter((moment) => guarded.includes(moment));
  return {
    guarded: moments,
    seesSystem: false,
    concerns: (moment) => moments.includes(moment),
    ask: async (moment) =>
      moments.includes(moment) ? { decision: 'deny', reason: describeBroken(why) } : {},
    passSystem: async (_, text) => text,
  };
}

/** Runs no hook, and tells each session once why. */
export function createTellingHost(why: string): InProcessHost {
  const told = new Set<string>();
  return {
    guarded: [],
    seesSystem: false,
    concerns: (moment) => moment === 'prompt',
    async ask(moment, { session }) {
      if (moment !== 'prompt' || told.has(session)) return {};
      told.add(session);
      return { context: why };
    },
    passSystem: async (_, text) => text,
  };
}
