import type { Retention } from '@spec/runtime';
import { droppedFrom, withoutRunsBefore } from '@spec/runtime/store-kit';
import type { Session } from '../connection/session.ts';
import { decodeOrNull } from '../texts.ts';

/** The most rows that one statement prunes. Turns go on in between. */
const rowsAtOnce = 500;

/** The size of a row without its runs, in bytes. */
const rowBytes = 64;

/** Removes old runs; returns how many. */
export function pruning(session: Session): (retention: Retention) => Promise<number> {
  const byAge = pruningByAge(session);
  const bySize = pruningBySize(session);
  return async ({ before, keepBytes }) => {
    const old = before === undefined ? 0 : await byAge(before);
    return old + (keepBytes === undefined ? 0 : await bySize(keepBytes));
  };
}

type OldRow = [key: number, turnId: string | null, runs: string];

/** Leaves a row that others changed since it was read to the next round. */
function pruningByAge(session: Session): (before: number) => Promise<number> {
  const list = session.prepare(`
    select r.key::float8, r.turn_id, r.runs from $schema.hook_runs r
    where r.key > $1::bigint and r.oldest < $2 order by r.key limit ${rowsAtOnce}`);
  const write = session.prepare(`
    with cut as (
      select c.key, c.old, c.runs, c.oldest from json_to_recordset($1::json) as c (key bigint, old text, runs text, oldest float8)
    ), gone as (
      delete from $schema.hook_runs r using cut where r.key = cut.key and r.runs = cut.old and cut.runs is null returning r.key
    ), kept as (
      update $schema.hook_runs r set runs = cut.runs, oldest = cut.oldest from cut
      where r.key = cut.key and r.runs = cut.old and cut.runs is not null returning r.key
    )
    select key::float8 from gone union all select key::float8 from kept`);
  return async (before) => {
    let pruned = 0;
    for (let last = 0; ; ) {
      const rows = (await session.ask(list, [last, before])) as OldRow[];
      if (rows.length === 0) return pruned;
      last = rows.at(-1)?.[0] ?? last;
      const cut = rows.map(([key, turnId, old]) => {
        const { runs, oldest, dropped } = withoutRunsBefore(
          { turnId: decodeOrNull(turnId), runs: old },
          before,
        );
        return { key, old, runs, oldest: Number.isFinite(oldest) ? oldest : 0, dropped: dropped.runs };
      });
      const changed = cut.filter(({ old, runs }) => runs !== old);
      const written = new Set((await session.ask(write, [JSON.stringify(changed)])).map(([key]) => key));
      pruned += changed.reduce((sum, { key, dropped }) => sum + (written.has(key) ? dropped : 0), 0);
    }
  };
}

type GoneRow = [turnId: string | null, runs: string];

function pruningBySize(session: Session): (keepBytes: number) => Promise<number> {
  const first = session.prepare(`
    select max(s.key)::float8 from (
      select r.key, sum(octet_length(r.runs) + ${rowBytes}) over (order by r.key desc) as bytes from $schema.hook_runs r
    ) s where s.bytes > $1`);
  const remove = session.prepare(`
    delete from $schema.hook_runs r where r.key in (
      select o.key from $schema.hook_runs o where o.key <= $1::bigint order by o.key limit ${rowsAtOnce}
    ) returning r.turn_id, r.runs`);
  return async (keepBytes) => {
    const [[newest] = []] = await session.ask(first, [keepBytes]);
    if (typeof newest !== 'number') return 0;
    for (let pruned = 0; ; ) {
      const gone = (await session.ask(remove, [newest])) as GoneRow[];
      if (gone.length === 0) return pruned;
      for (const [turnId, runs] of gone) pruned += droppedFrom({ turnId: decodeOrNull(turnId), runs }).runs;
    }
  };
}
