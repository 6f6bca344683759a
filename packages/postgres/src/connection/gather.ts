import type { Rows, Session, Statement } from './session.ts';

/** The most questions that share a statement. */
const togetherAtMost = 64;

/** The most statements under way at once: a second one where the first is slow. Meanwhile questions gather. */
const underWayAtMost = 2;

/** From so many milliseconds on a statement is slow: it waits for a lock or for the network, and would hold up all other threads. */
const slowAfter = 20;

/** A row of an answer: a list in the order of the columns. */
export type Row = Rows[number];

/** Something to be asked of the server, of one thread. */
export interface Question {
  /** The thread, encoded. */
  readonly thread: string;
}

/** A statement that takes one question as JSON, and one that takes a list of them; either gives a row for each question. */
export interface Asking<One extends Question> {
  readonly alone: Statement;
  readonly all: Statement;
  /** Those that are asked together, in the same order, where they have to agree on something. */
  readonly agree?: (together: readonly One[]) => readonly One[];
}

interface Waiting<One> {
  readonly question: One;
  resolve(row: Row): void;
  reject(error: unknown): void;
}

/** Asks together what comes in one round of the event loop, and what comes while a statement is under way. */
export function gatherQuestions<One extends Question>(
  session: Pick<Session, 'ask'> & { readonly settings: Pick<Session['settings'], 'batching'> },
  { alone, all, agree = (together) => together }: Asking<One>,
): (question: One) => Promise<Row> {
  const waiting: Waiting<One>[] = [];
  let underWay = 0;
  let slow = 0;
  let isDue = false;
  const isBusy = (): boolean => underWay > slow || underWay >= underWayAtMost;

  async function askAlone(question: One): Promise<Row> {
    const [row = []] = await session.ask(alone, [JSON.stringify(question)]);
    return row;
  }

  function flush(): void {
    isDue = false;
    while (waiting.length > 0 && !isBusy()) void sendNext();
  }

  async function sendNext(): Promise<void> {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      slow += 1;
      flush();
    }, slowAfter);
    underWay += 1;
    await send(waiting.splice(0, togetherAtMost));
    clearTimeout(timer);
    underWay -= 1;
    if (isSlow) slow -= 1;
    flush();
  }

  async function send(batch: readonly Waiting<One>[]): Promise<void> {
    const [first] = batch;
    if (batch.length === 1 && first) return settle(first, askAlone(first.question));
    // Sorted by thread, so that no two statements wait for each other.
    const ordered = [...batch].sort((a, b) => (a.question.thread < b.question.thread ? -1 : 1));
    try {
      const together = JSON.stringify(agree(ordered.map(({ question }) => question))); // It fails for more text than a string holds.
      const rows = await session.ask(all, [together]);
      for (const [index, { resolve }] of ordered.entries()) resolve(rows[index] ?? []);
    } catch {
      // One question made the whole batch fail: each is asked again alone.
      await Promise.all(ordered.map((one) => settle(one, askAlone(one.question))));
    }
  }

  if (!session.settings.batching) return askAlone;
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (isDue || isBusy()) return;
      isDue = true;
      setImmediate(flush);
    });
}

async function settle<One>({ resolve, reject }: Waiting<One>, row: Promise<Row>): Promise<void> {
  await row.then(resolve, reject);
}
