import { type Options, SingleBar } from 'cli-progress';

/** How far a piece of work is. */
export interface Progress {
  /**
   * @param done in the unit of the work's total
   * @param detail in words, such as `12 cases`
   */
  update(done: number, detail: string): void;
}

/** A piece of work that may take long. */
export interface Work {
  /** What is going on, such as `Importing thread.jsonl`. */
  readonly label: string;
  /** How much there is to do, in any unit. Absent: nobody knows; what is going on is said in a line, without a bar. */
  readonly total?: number | undefined;
  /** `false`: nothing is shown, whatever standard error is. */
  readonly isWanted: boolean;
  /** The event loop stands still meanwhile: a clock would stand still too, and Ctrl-C would have to wait to be answered. */
  readonly standsStill?: boolean;
}

/** Does work, and shows how far it is where standard error is a terminal. Nothing of that is left there, however the work ends. */
export async function withProgress<T>(work: Work, run: (progress: Progress) => Promise<T>): Promise<T> {
  if (!work.isWanted || !process.stderr.isTTY) return run({ update: () => {} });
  const { bar, stop } = startBar(work);
  try {
    return await run({ update: (done, detail) => bar.update(done, { detail }) });
  } finally {
    stop();
  }
}

function startBar({ label, total, standsStill = false }: Work): { bar: SingleBar; stop(): void } {
  const hasBar = total !== undefined;
  const clock = standsStill ? '' : '  {duration_formatted}';
  const answered = signals.filter((signal) => process.listenerCount(signal) > 0);
  const printing = printAbove();
  const bar = new SingleBar({
    ...looks,
    format: `${hasBar ? '{bar} {percentage}%' : label}  {detail}${clock}`,
    hideCursor: hasBar,
    stream: printing.stream,
  });
  const stop = (): void => {
    process.off('exit', stop);
    for (const signal of signals) process.off(signal, onSignal);
    bar.stop();
    printing.giveBack();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    stop();
    if (!answered.includes(signal)) process.kill(process.pid, signal);
  };
  process.on('exit', stop);
  if (!standsStill) for (const signal of signals) process.on(signal, onSignal);
  bar.start(total ?? 1, 0, { detail: '' });
  return { bar, stop };
}

const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

const looks: Options = {
  barCompleteChar: '━',
  barIncompleteChar: '─',
  clearOnComplete: true,
  stopOnComplete: false,
  forceRedraw: true,
  linewrap: true,
};

interface Printing {
  /** Where the bar writes to. */
  readonly stream: NodeJS.WritableStream;
  giveBack(): void;
}

/** Saving and restoring the place of the cursor: that place moves with what is printed above the bar. */
const cursorPlace: readonly unknown[] = ['\u001b7', '\u001b8'];

/** What is printed meanwhile, by hooks for example, comes to stand above the bar. */
function printAbove(): Printing {
  const { stdout, stderr } = process;
  const draw = stderr.write.bind(stderr);
  const own = (text: string): boolean => (cursorPlace.includes(text) ? true : draw(text));
  const restores = (isOnTerminal(stdout) ? [stdout, stderr] : [stderr]).map((stream) => {
    const { write } = stream;
    stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
      draw('\r\u001b[K');
      const isTaken = write.call(stream, chunk, ...rest);
      if (!String(chunk).endsWith('\n')) draw('\n');
      return isTaken;
    }) as typeof stream.write;
    return () => {
      stream.write = write;
    };
  });
  return {
    stream: Object.create(stderr, { write: { value: own } }) as NodeJS.WritableStream,
    giveBack: () => {
      for (const restore of restores) restore();
    },
  };
}

/** What is written to standard output comes to the terminal there, or by standard error where a command keeps the two apart. */
function isOnTerminal(stdout: NodeJS.WriteStream): boolean {
  const { write } = Object.getPrototypeOf(stdout) as NodeJS.WriteStream;
  return stdout.isTTY || stdout.write !== write;
}
