import type { RecordedRun, Records } from '@spec/hooks';
import type { NamedRun, WhyMatrix, WhyRow } from '../api.ts';
import type { HookOutlook, HookProject, ProjectOutlook } from '../ports.ts';
import { type EventQuestion, makeEvent, type RemadeEvent } from './make-event.ts';
import { nameRuns } from './read-runs.ts';
import type { Source } from './read-threads.ts';

/** How long before and after a message its event may have happened, in microseconds: a person may have been asked. */
const aroundMicros = 600_000_000;
const pagesAtMost = 10;

/** All hooks against one event: what was recorded then, and what those of today would do. `null` where the message is not there. */
export async function readWhy(
  source: Source,
  question: EventQuestion,
  project: HookProject | undefined,
): Promise<WhyMatrix | null> {
  const remade = await makeEvent(source, question);
  if (remade === null) return null;
  const [runs, outlook] = await Promise.all([
    readRunsThen(source.records, question.thread, remade),
    project?.explain(remade.event),
  ]);
  const { event, at, tool, calls, call } = remade;
  return {
    ...{ hook: event.hook, at, tool, calls, call },
    rows: joinRows(nameRuns(runs), outlook, event.hook),
    notLoaded: [
      ...(outlook?.notLoaded ?? []),
      ...(outlook?.switchedOff ?? []).map(({ file, message }) => ({ source: file, message })),
    ],
    hasProject: outlook !== undefined,
  };
}

/** The runs of the event, and the skips of its hooks that were told before: they are told once for a tool and thread. */
async function readRunsThen(
  records: Records,
  threadId: string,
  { event, subjects, at, tool }: RemadeEvent,
): Promise<readonly RecordedRun[]> {
  const found: RecordedRun[] = [];
  const earlier = new Map<string, RecordedRun>();
  const filter = { threadId, hook: event.hook, until: at + aroundMicros };
  let cursor: string | null | undefined;
  for (let page = 0; page < pagesAtMost && cursor !== null; page++) {
    const { items, next } = await records.runs({ ...filter, order: 'newest', size: 200, cursor });
    for (const run of items) {
      if (subjects.some(({ message, call }) => (message ?? call) === (run.about?.message ?? run.about?.call)))
        found.push(run);
      else if (run.outcome === 'skipped' && run.at <= at && tool !== null && run.why?.includes(tool))
        earlier.set(run.id, run);
    }
    cursor = next;
  }
  const ids = new Set(found.map(({ id }) => id));
  return [...found.reverse(), ...[...earlier.values()].filter(({ id }) => !ids.has(id))];
}

function joinRows(
  runs: readonly NamedRun[],
  outlook: ProjectOutlook | undefined,
  hook: string,
): readonly WhyRow[] {
  const now = (outlook?.hooks ?? []).filter((one) => one.hook === hook || one.runs !== false);
  const ofNow = now.map((one) =>
    makeRow(
      one,
      runs.find(({ id }) => id === one.id),
    ),
  );
  const gone = runs.filter(({ id }) => !now.some((one) => one.id === id));
  return [...ofNow, ...gone.map((run) => ({ id: run.id, source: run.source, recorded: run, today: null }))];
}

function makeRow({ id, source, runs, why, decision }: HookOutlook, recorded: NamedRun | undefined): WhyRow {
  return { id, source, recorded: recorded ?? null, today: { runs, why, decision } };
}
