import { isStepOfTurn, readKept } from '../stores/kept-value.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { idPart } from '../thread/ids.ts';
import { commit } from './commit.ts';

interface DeletedAnswer {
  readonly turnId: string;
  readonly step: number;
}

const DELETED = 'runtime/deleted-answer';

/**
 * Notes that an answer of the turn under way is to be deleted: its calls may have begun, and have no results to tell of it. Where it
 * is not deleted in the end, the note says nothing.
 */
export async function noteDeletedAnswer(view: ThreadView, id: string): Promise<void> {
  const { core } = view;
  const { turn } = core.record;
  const step = turn === null ? undefined : readStepOfAnswer(id, turn.id);
  if (turn === null || step === undefined || step <= (await findStepOfDeletedAnswer(core, turn.id))) return;
  const value: DeletedAnswer = { turnId: turn.id, step };
  await commit(view, 'deleteMessage', { values: [{ key: DELETED, value }] });
}

function readStepOfAnswer(id: string, turnId: string): number | undefined {
  const prefix = [`${idPart(turnId)}.`, `${turnId}.`].find((start) => id.startsWith(start));
  const [, step] = /^(\d+)\.answer$/.exec(id.slice(prefix?.length)) ?? [];
  return prefix === undefined || step === undefined ? undefined : Number(step);
}

/** The last step of a turn whose answer was deleted while the turn ran; 0 if none was. */
export async function findStepOfDeletedAnswer({ store, id }: ThreadCore, turnId: string): Promise<number> {
  const noted: DeletedAnswer | undefined = await readKept(
    store,
    { threadId: id, key: DELETED },
    isStepOfTurn,
  );
  return noted?.turnId === turnId ? noted.step : 0;
}
