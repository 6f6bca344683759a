import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { findAgent } from '@spec/agents';
import { stateFolder } from '../agent-state/places.ts';
import { type KeptSession, openSession } from '../agent-state/sessions.ts';
import { type AnsweringHooks, openAnsweringHooks } from '../hook/answer-event.ts';
import { describeFailure } from '../hook/refusals.ts';
import type { ThreadData, ThreadReply, ThreadRequest } from './messages.ts';

/** Runs the hooks of a folder for the daemon, in a thread that can be ended whatever runs in it. */
export function runThread(): void {
  const { folder } = workerData as ThreadData;
  const port = parentPort as MessagePort;
  // What a hook throws where nobody waits for it ends neither the thread nor another event.
  process.on('uncaughtException', () => {}).on('unhandledRejection', () => {});
  const answer = makeAnswerer(folder);
  port.on('message', (request: ThreadRequest) => {
    const { id } = request;
    void answer(request)
      .catch((error: unknown): ThreadReply => ({ id, kind: 'failed', why: describeFailure(error) }))
      .then((reply) => port.postMessage(reply));
  });
}

function makeAnswerer(folder: ThreadData['folder']): (request: ThreadRequest) => Promise<ThreadReply> {
  const opened = new Map<string, Promise<AnsweringHooks>>();
  const borrow = shareSessions(stateFolder(folder.root));
  const open = (agent: string): Promise<AnsweringHooks> => {
    const known = opened.get(agent) ?? openAnsweringHooks({ agent: findAgent(agent), ...folder });
    opened.set(agent, known);
    return known;
  };
  return async (request) => {
    const { id, agent } = request;
    const hooks = await open(agent);
    if (request.kind === 'open' || 'refusal' in hooks)
      return { id, kind: 'opened', opened: 'refusal' in hooks ? hooks : hooks.from };
    const { event, input, session, limit } = request;
    const { memory, giveBack } = borrow(`${agent} ${session}`);
    try {
      const abortSignal = AbortSignal.timeout(limit);
      return {
        ...{ id, kind: 'answered' },
        output: await hooks.answer({ event, input, session, memory, abortSignal }),
      };
    } finally {
      giveBack();
    }
  };
}

interface Borrowed {
  readonly memory: KeptSession;
  giveBack(): void;
}

/** Events of a session that come at once share what is kept of it. */
function shareSessions(state: string): (name: string) => Borrowed {
  const open = new Map<string, { readonly memory: KeptSession; users: number }>();
  return (name) => {
    const shared = open.get(name) ?? { memory: openSession(state, name), users: 0 };
    open.set(name, shared);
    shared.users += 1;
    return {
      memory: shared.memory,
      giveBack() {
        shared.users -= 1;
        if (shared.users === 0) open.delete(name);
      },
    };
  };
}
