import Table from 'cli-table3';
import type { Told } from './workers.ts';

interface Seen {
  turns: number;
  attempts: number;
  turnId: string;
  worker: number | undefined;
  /** Of the turns that took more than one attempt. */
  takenOver: number;
}

/** What is known of the threads, as a table in the terminal. */
export class Board {
  readonly #threads = new Map<string, Seen>();
  #lines = 0;

  note({ threadId, turnId, state, worker }: Told): void {
    const seen = this.#threads.get(threadId) ?? {
      turns: 0,
      attempts: 0,
      turnId: '',
      worker: undefined,
      takenOver: 0,
    };
    this.#threads.set(threadId, seen);
    if (state === 'begun') {
      seen.attempts = turnId === seen.turnId ? seen.attempts + 1 : 1;
      if (seen.attempts === 2) seen.takenOver++;
      seen.turnId = turnId;
      seen.worker = worker;
    }
    if (state !== 'ended') return;
    seen.turns++;
    seen.worker = undefined;
  }

  /** Draws over what was drawn before; where nobody looks at a terminal, below it. */
  draw(pids: Readonly<Record<string, number>>): void {
    const table = new Table({
      head: ['thread', 'turns', 'taken over', 'now', 'worker', 'attempt'],
      style: { head: [], border: [] },
    });
    for (const [id, { turns, takenOver, turnId, worker, attempts }] of this.#threads)
      table.push(
        worker === undefined
          ? [id, turns, takenOver, '', '', '']
          : [id, turns, takenOver, turnId, worker, attempts],
      );
    const servers = Object.entries(pids).map(([name, pid]) => `${name} ${pid}`);
    const text = `${table.toString()}\n${servers.join(', ')}. Try kill -9 with any of these numbers. Ctrl-C ends.\n`;
    if (process.stdout.isTTY && this.#lines > 0) process.stdout.write(`\u001b[${this.#lines}A\u001b[J`);
    this.#lines = text.split('\n').length - 1;
    process.stdout.write(text);
  }
}
