import { RunError, type SessionInfo, type StopInfo, type Verdict } from '@spec/hooks';
import { joinForModel, noteUserMessage } from './answers.ts';
import type { Asked, Runner } from './runner.ts';

/** The functions about sessions and turns. */
export interface SessionFunctions {
  onSessionStart(sessionId: string, projectDir?: string): Promise<void>;
  onSessionEnd(sessionId: string, projectDir?: string): Promise<void>;
  /**
   * @returns what to put beside the prompt
   * @throws {RunError} `hook_failed` where a hook refused the prompt; `onNotice` hears why
   */
  onUserPromptSubmit(
    promptContent: string,
    sessionId: string,
    projectDir?: string,
  ): Promise<string | undefined>;
  /** @returns `true`: the agent has to go on, at most 8 times in a row; `onNotice` hears why */
  onStop(stopReason: string | undefined, sessionId: string): Promise<boolean>;
  /** @returns `true`: a hook blocks the compaction */
  onCompaction(preTokens: number, messageCount: number, sessionId: string): Promise<boolean>;
}

export function sessionFunctions(runner: Runner): SessionFunctions {
  const stops = createStops();
  return {
    async onSessionStart(sessionId, projectDir) {
      const asked = runner.in({ sessionId, projectDir });
      const texts = await asked.chain('after_session_started', makeSession(sessionId));
      for (const text of texts) asked.note('context', text);
    },
    async onSessionEnd(sessionId, projectDir) {
      stops.forget(sessionId);
      await runner.in({ sessionId, projectDir }).chain('after_session_ended', makeSession(sessionId));
    },
    async onUserPromptSubmit(content, sessionId, projectDir) {
      stops.forget(sessionId);
      const asked = runner.in({ sessionId, projectDir });
      return promptContext(
        await asked.chainForModel('before_user_message', { role: 'user', content }),
        asked,
      );
    },
    async onStop(stopReason, sessionId) {
      const asked = runner.in({ sessionId });
      const stop = { reason: readReason(stopReason), keptGoing: stops.of(sessionId) };
      const { decision, reason = '' } = await asked.chain('before_stop', stop);
      const goesOn = decision === 'deny' && stops.mayGoOn(sessionId);
      if (goesOn) asked.note('keep-going', reason);
      else stops.forget(sessionId);
      return goesOn;
    },
    async onCompaction(preTokens, messageCount, sessionId) {
      const asked = runner.in({ sessionId });
      const info = { trigger: 'auto' as const, messageCount, preTokens };
      const verdict = await asked.chain('before_compaction', info);
      noteUserMessage(verdict, asked);
      return verdict.decision === 'deny';
    },
  };
}

function makeSession(sessionId: string): SessionInfo {
  return { sessionId, source: 'created', agentId: 'main', parentId: null };
}

/** The lifecycle has three words for why a turn ends; a loop's own word that is none of them means that it is done. */
function readReason(stopReason: string | undefined): StopInfo['reason'] {
  return stopReason === 'limit' || stopReason === 'stopped' ? stopReason : 'completed';
}

/** @throws {RunError} `hook_failed` where the prompt was refused */
function promptContext(verdict: Verdict, asked: Asked): string | undefined {
  const { decision, by, reason, context } = verdict;
  noteUserMessage(verdict, asked);
  if (decision !== 'deny' && decision !== 'ask') return joinForModel([...context, ...asked.contexts()]);
  asked.note('denied', reason ?? '');
  const message = `The hook "${by}" refused this prompt. What it says of it goes to onNotice.`;
  throw new RunError('hook_failed', message, { hook: 'before_user_message', id: by ?? '' });
}

/** How often in a row a stop can be put off. */
const MOST = 8;

/** The most sessions that are remembered. The oldest is forgotten first. */
const SESSIONS = 10_000;

/** Counts how often in a row the stop of a session was put off. */
interface Stops {
  of(sessionId: string): number;
  /** Counts one more; `false` where it was put off too often. */
  mayGoOn(sessionId: string): boolean;
  forget(sessionId: string): void;
}

function createStops(): Stops {
  const counts = new Map<string, number>();
  const of = (sessionId: string): number => counts.get(sessionId) ?? 0;
  return {
    of,
    mayGoOn(sessionId) {
      const count = of(sessionId) + 1;
      counts.delete(sessionId);
      if (count > MOST) return false;
      counts.set(sessionId, count);
      if (counts.size > SESSIONS) counts.delete(counts.keys().next().value as string);
      return true;
    },
    forget: (sessionId) => void counts.delete(sessionId),
  };
}
