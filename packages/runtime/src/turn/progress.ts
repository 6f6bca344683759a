import { readToolCalls } from '../history/exchanges.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import type { Flow } from '../thread/flow.ts';
import { countStep } from '../thread/sides.ts';
import { findStepOfDeletedAnswer } from '../writes/deleted-answers.ts';
import { begunCalls } from './queue.ts';

/** How many messages are read at once on the way back to the start of the turn. */
const PAGE = 100;

/**
 * Puts a turn that goes on after a crash before the step that it was in: the ids of its messages tell how far it got
 * (design §7.4).
 */
export async function findProgress(view: ThreadView): Promise<void> {
  const { core, flow } = view;
  const stored = await listStoredPlaces(core, flow);
  const { step: queuedAt = 1 } = (await begunCalls(view)) ?? {};
  const deleted = await findStepOfDeletedAnswer(core, flow.flowId);
  const places = [...stored, { step: deleted, what: 'result.', callCount: 0 }];
  flow.stepCount = Math.max(0, queuedAt - 1, ...places.map(stepsDoneAt(places)));
  const answers = places.filter(({ what, step }) => what === 'answer' && step <= flow.stepCount);
  for (const { callCount } of answers.sort((one, other) => one.step - other.step))
    countStep(core.agent, flow.talk, callCount);
  flow.keptGoing = places.filter(({ what }) => what === 'continue').length;
}

interface StoredPlace {
  readonly step: number;
  readonly what: string;
  /** How many tools its message calls. */
  readonly callCount: number;
}

/**
 * What comes after all else in a step is there: so is the rest of it, and what was asked about it. A step with results whose answer
 * was deleted is over too: asked again in its place, the model would make other calls under the keys of those that ran.
 */
function stepsDoneAt(places: readonly StoredPlace[]): (place: StoredPlace) => number {
  const answered = new Set(places.filter(({ what }) => what === 'answer').map(({ step }) => step));
  return ({ step, what }) => {
    const isOver = what === 'continue' || (what.startsWith('result.') && !answered.has(step));
    return isOver ? step : step - 1;
  };
}

/** Lists the places of a turn's messages, back to its first. */
async function listStoredPlaces(core: ThreadCore, { prefix }: Flow): Promise<StoredPlace[]> {
  const places: StoredPlace[] = [];
  let page: StoredMessage[] = await core.store.listMessages(core.id, { last: PAGE });
  for (;;) {
    const found = page.flatMap((message) => readStoredPlace(message, prefix) ?? []);
    places.push(...found);
    const [oldest] = page;
    if (page.length < PAGE || oldest === undefined || found.some(({ step }) => step === 0)) return places;
    page = await core.store.listMessages(core.id, { last: PAGE, before: oldest.id });
  }
}

function readStoredPlace(message: StoredMessage, prefix: string): StoredPlace | undefined {
  const { id } = message;
  if (!id.startsWith(prefix)) return undefined;
  const [step = '', ...what] = id.slice(prefix.length).split('.');
  if (!/^\d+$/.test(step) || !/^[a-z]/.test(what[0] ?? '')) return undefined; // It may be of a turn whose id begins with this one's.
  return { step: Number(step), what: what.join('.'), callCount: readToolCalls(message).length };
}
