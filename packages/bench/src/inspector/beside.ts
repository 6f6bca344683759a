import { join } from 'node:path';
import { median } from '../measure.ts';
import { connect, FILE } from '../turn/ours.ts';
import type { Figures } from './figures.ts';
import { withPage } from './page.ts';
import { type InspectCommand, startServer } from './server.ts';

const begun = 100;
/** Milliseconds of turns, one after another, that are counted at a time: some looks of a page fall into each. */
const countedMs = 2_000;
/** Milliseconds of turns until a page that was opened looks as seldom as it does from then on. */
const settledMs = 4_000;

interface BesideOptions {
  readonly command: InspectCommand;
  readonly rounds: number;
}

/** What turns of a runtime take while a browser shows their conversation, against the same turns without a page. Each round lies between two without one, which are what it is compared with: a machine that grows faster or slower does so in both. */
export async function measureBeside(folder: string, { command, rounds }: BesideOptions): Promise<Figures> {
  const connection = await connect({ folder, synchronous: 'NORMAL' });
  const turn = await connection.thread(begun);
  await countTurns(turn);
  const server = await startServer({ command, db: join(folder, FILE), cwd: folder });
  const ratios = await withPage(server, async (page) => {
    const counted: number[] = [];
    let before = await countTurns(turn);
    for (let round = 0; round < rounds; round++) {
      await page.goto(`http://127.0.0.1:${server.port}/t/thread-0`);
      await page.waitForSelector('.is-live');
      await page.waitForSelector('.message');
      await countTurns(turn, settledMs);
      const beside = await countTurns(turn);
      await page.goto('about:blank');
      const after = await countTurns(turn);
      counted.push(((before + after) / 2 / beside) * 100);
      before = after;
    }
    return counted;
  });
  await server.end();
  await connection.close();
  return { 'a turn beside an open page, % of one alone': { target: 103, measured: median(ratios) } };
}

async function countTurns(turn: () => unknown, ms: number = countedMs): Promise<number> {
  const startedAt = performance.now();
  let turns = 0;
  for (; performance.now() - startedAt < ms; turns++) await turn();
  return turns / (performance.now() - startedAt);
}
