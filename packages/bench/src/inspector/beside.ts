import { join } from 'node:path';
import { median } from '../measure.ts';
import { connect, FILE } from '../turn/ours.ts';
import type { Figures } from './figures.ts';
import { type InspectCommand, startServer } from './server.ts';

const turnsInRound = 40;
const begun = 100;
/** What a page with an open conversation asks for after each change. */
const asksOfPage = [
  '/api/threads/thread-0/messages?size=50',
  '/api/threads?size=30',
  '/api/threads/thread-0/turns?size=25',
];

interface BesideOptions {
  readonly command: InspectCommand;
  readonly rounds: number;
}

/** What turns of a runtime take beside an open page, against the same turns without one. In each round both are taken. */
export async function measureBeside(folder: string, { command, rounds }: BesideOptions): Promise<Figures> {
  const connection = await connect({ folder, synchronous: 'NORMAL' });
  const turn = await connection.thread(begun);
  await runTurns(turn);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await runTurns(turn);
    const server = await startServer({ command, db: join(folder, FILE), cwd: folder });
    const askAll = (): Promise<unknown> => Promise.all(asksOfPage.map((path) => server.get(path)));
    // A page asks for what is visible when it is opened and whenever something was stored, but not before it has the answer.
    await askAll();
    let asked: Promise<unknown> | undefined;
    await server.follow(() => {
      asked ??= askAll().finally(() => {
        asked = undefined;
      });
    });
    const beside = await runTurns(turn);
    await asked;
    await server.end();
    ratios.push((beside / alone) * 100);
  }
  await connection.close();
  return { 'a turn beside an open page, % of one alone': { target: 103, measured: median(ratios) } };
}

async function runTurns(turn: () => unknown): Promise<number> {
  const startedAt = performance.now();
  for (let done = 0; done < turnsInRound; done++) await turn();
  return performance.now() - startedAt;
}
