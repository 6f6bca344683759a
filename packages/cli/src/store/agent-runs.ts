import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@spec/runtime';
import { stateFolder } from '../agent-state/places.ts';
import { type SpooledEvent, takeSpool } from '../agent-state/spool.ts';
import { LAUNCHER } from '../project/agent-entries.ts';

/**
 * The store with the runs of hooks in coding agents, for projects that have none of their own. It is made where hooks are installed and none of
 * them has run yet. `undefined`: nothing is installed, and no agent has told of anything.
 */
export async function openAgentStore(root: string): Promise<string | undefined> {
  const folder = stateFolder(root);
  const path = join(folder, 'runs.db');
  if (existsSync(path)) return path;
  if (!existsSync(join(root, LAUNCHER)) && !existsSync(join(folder, 'runs.jsonl'))) return undefined;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { sqliteStore } = await import('@spec/runtime/sqlite');
  await sqliteStore({ path }).close();
  return path;
}

/** Brings the runs of hooks in coding agents into the ledger of a store, each once: a session of an agent is a thread without messages. */
export async function takeAgentRuns(root: string, open: () => Promise<Store>): Promise<void> {
  const pieces = takeSpool(stateFolder(root));
  if (pieces.length === 0) return;
  const store = await open();
  try {
    for (const { name, events, remove } of pieces) {
      for (const [session, some] of groupBySession(events)) await takeSession(store, session, { name, some });
      remove();
    }
  } finally {
    await store.close();
  }
}

function groupBySession(events: readonly SpooledEvent[]): Map<string, SpooledEvent[]> {
  const sessions = new Map<string, SpooledEvent[]>();
  for (const event of events) {
    const id = `${event.agent}:${event.session || 'unknown'}`;
    sessions.set(id, [...(sessions.get(id) ?? []), event]);
  }
  return sessions;
}

/** The name of the piece is stored with its runs: a process that ends before it has removed the piece brings nothing twice. */
async function takeSession(
  store: Store,
  threadId: string,
  { name, some }: { readonly name: string; readonly some: readonly SpooledEvent[] },
): Promise<void> {
  const [first] = some;
  if (first === undefined) return;
  if ((await store.getThread(threadId)) === null) await store.createThread(makeThread(threadId, first));
  if ((await store.getValue(threadId, TAKEN)) === name) return;
  const runs = some.flatMap((event) =>
    event.runs.map((run) => ({ ...run, threadId, turnId: null, step: 0 })),
  );
  await store.append(threadId, 0, { runs, values: [{ key: TAKEN, value: name }] });
}

const TAKEN = 'spec-hooks:spool';

function makeThread(id: string, { agent, runs }: SpooledEvent): Parameters<Store['createThread']>[0] {
  const createdAt = runs[0]?.at ?? Date.now() * 1000;
  return {
    ...{ id, agentId: agent, userId: null, parentId: null, depth: 0, createdAt },
    ...{ currentSide: 'a', terminated: null, turn: null, compaction: null, metadata: {} },
  };
}
