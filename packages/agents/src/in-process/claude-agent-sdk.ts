// Hooks for the Claude Agent SDK: callbacks, which the SDK calls in the program that starts an agent. A limit and a catch stand around each event.

import { isRecord } from '@spec/hooks';
import { type AgentEvent, isGuarded, type Output } from '../agent.ts';
import { claudeCode } from '../agents/claude-code.ts';
import { createInProcessHost, type InProcessHost, type InProcessOptions } from './host.ts';

/** What a callback answers, as far as it is the same at all events. What is said for one event alone stands beside it. */
export interface ClaudeAgentAnswer {
  readonly decision?: 'block';
  readonly reason?: string;
  readonly systemMessage?: string;
}

/** The callbacks for one event. */
export interface ClaudeAgentMatcher {
  hooks: ((
    input: { readonly hook_event_name: string },
    toolUseId: string | undefined,
    options: { readonly signal: AbortSignal },
  ) => Promise<ClaudeAgentAnswer>)[];
  /** In seconds. */
  timeout: number;
  onFailure?: 'block';
}

/** The option `hooks` of `query`: the events that hooks are for. */
export type ClaudeAgentHooks = Record<string, ClaudeAgentMatcher[]>;

/** How long the SDK waits for an event, in seconds: longer than our own limit, so that ours ends it. */
const WAIT = 30;

/**
 * Hooks for an agent of the Claude Agent SDK: `query({ prompt, options: { hooks: createClaudeAgentHooks({ policies: [guard] }) } })`. Callbacks
 * never reject, and where a hook guards, the SDK blocks when it gets no answer.
 *
 * @throws {DefinitionError} `bad_hook` if the SDK cannot run a hook as documented; gives the reason for each hook
 */
export function createClaudeAgentHooks(options: InProcessOptions): ClaudeAgentHooks {
  const host = createInProcessHost(claudeCode, options);
  const events = Object.entries(claudeCode.events).filter(([, { moment }]) => host.concerns(moment));
  return Object.fromEntries(events.map(([name, event]) => [name, [makeMatcher(host, name, event)]]));
}

function makeMatcher(host: InProcessHost, name: string, event: AgentEvent): ClaudeAgentMatcher {
  const { moment, seconds = WAIT, write } = event;
  return {
    hooks: [
      async (input, _, { signal: abortSignal }) => {
        const payload: Readonly<Record<string, unknown>> = { ...input };
        const session = typeof payload.session_id === 'string' ? payload.session_id : '';
        return readAnswer(write(await host.ask(moment, { session, payload, abortSignal }), name));
      },
    ],
    timeout: seconds,
    ...(isGuarded(event) ? { onFailure: 'block' } : {}),
  };
}

/** What a command would print, as the object that a callback gives. */
function readAnswer({ stdout, stderr, code }: Output): ClaudeAgentAnswer {
  if (code === 2) return { decision: 'block', reason: stderr };
  const answer: unknown = stdout === '' ? {} : JSON.parse(stdout);
  return isRecord(answer) ? answer : {};
}
