import type { Output } from '@spec/agents';
import { stateFolder } from '../agent-state/places.ts';
import { noteHeartbeat, openSession } from '../agent-state/sessions.ts';
import { type CalledEvent, findLimit, type HookFolder } from '../hook/called.ts';
import type { UntrustedCode } from '../hook/open-hooks.ts';
import { readSession } from '../hook/read-input.ts';
import { answerUntrusted, describeFailure, refuse } from '../hook/refusals.ts';
import { type HookThread, makeUnanswered, Unanswered } from './hook-thread.ts';
import { keepThread, Untrusted } from './kept-thread.ts';

/** The hooks of a folder, which answer without being loaded for each event. */
export interface WarmHooks {
  /** Never rejects: if a guard gives no answer, the output denies. @param given what the agent sends */
  answer(called: CalledEvent, given: Promise<string>): Promise<Output>;
  close(): void;
}

/** The thread has this much longer than its hooks, in milliseconds: to say that they were ended. */
const GRACE = 1_500;

export function openWarmHooks(folder: HookFolder): WarmHooks {
  const kept = keepThread(folder);
  return {
    close: () => kept.retire(),
    async answer(called, given) {
      const until = performance.now() + findLimit(called) + GRACE;
      const asked: AskedAgent = { ...called, ...folder, session: '' };
      noteHeartbeat(stateFolder(folder.root), called.agent.name, called.event);
      try {
        const input = await given;
        asked.session = readSession(input);
        return await askThread(await kept.find(called.agent.name), asked, { input, until });
      } catch (error) {
        if (error instanceof Untrusted) return await tellUntrusted(asked, error.code);
        return refuse(asked, error instanceof Unanswered ? error.message : describeFailure(error));
      }
    },
  };
}

interface AskedAgent extends CalledEvent, HookFolder {
  /** Empty until it is read. */
  session: string;
}

async function askThread(
  thread: HookThread,
  asked: AskedAgent,
  { input, until }: { readonly input: string; readonly until: number },
): Promise<Output> {
  const { agent, event, session } = asked;
  const question = { kind: 'answer', agent: agent.name, event, input, session } as const;
  const reply = await thread.ask({ ...question, limit: findLimit(asked) }, until - performance.now());
  if (reply.kind === 'answered') return reply.output;
  if (reply.kind === 'opened' && 'refusal' in reply.opened) throw new Untrusted(reply.opened);
  throw makeUnanswered(reply);
}

async function tellUntrusted(asked: AskedAgent, code: UntrustedCode): Promise<Output> {
  const kept = openSession(stateFolder(asked.root), `${asked.agent.name} ${asked.session}`);
  const output = answerUntrusted(asked, code, kept);
  await kept.save();
  return output;
}
