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
  readonly blocksEventLoop?: boolean;
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

function startBar({ label, total, blocksEventLoop = false }: Work): { bar: SingleBar; stop(): void } {
  const hasBar = total !== undefined;
  const clock = blocksEventLoop ? '' : '  {duration_formatted}';
  const heardByOthers = signals.filter((signal) => process.listenerCount(signal) > 0);
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
    if (!heardByOthers.includes(signal)) process.kill(process.pid, signal);
  };
  process.on('exit', stop);
  if (!blocksEventLoop) for (const signal of signals) process.on(signal, onSignal);
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
  const drawBar = (text: string): boolean => (cursorPlace.includes(text) ? true : draw(text));
  const clear = (): boolean => draw('\r\u001b[K');
  const restores = (isOnTerminal(stdout) ? [stdout, stderr] : [stderr]).map((stream) =>
    printLines(stream, clear),
  );
  return {
    stream: Object.create(stderr, { write: { value: drawBar } }) as NodeJS.WritableStream,
    giveBack: () => {
      for (const restore of restores) restore();
    },
  };
}

type Written = Uint8Array | string;
type Callback = (error?: Error | null) => void;

const NEWLINE = 0x0a;

/** Lets a stream print whole lines, each after a call of `before`. What comes back gives the stream its own way again. */
function printLines(stream: NodeJS.WriteStream, before: () => void): () => void {
  const { write } = stream;
  let begun: Buffer = Buffer.alloc(0);
  stream.write = (chunk: Written, second?: BufferEncoding | Callback, third?: Callback): boolean => {
    const [encoding, callback] = typeof second === 'function' ? [undefined, second] : [second, third];
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    const all = Buffer.concat([begun, bytes]);
    const end = all.lastIndexOf(NEWLINE) + 1;
    begun = all.subarray(end);
    if (end > 0) before();
    return write.call(stream, all.subarray(0, end), undefined, callback);
  };
  return () => {
    stream.write = write;
    if (begun.length > 0) stream.write(begun);
  };
}

/** What is written to standard output comes to the terminal there, or by standard error where a command keeps the two apart. */
function isOnTerminal(stdout: NodeJS.WriteStream): boolean {
  const { write } = Object.getPrototypeOf(stdout) as NodeJS.WriteStream;
  return stdout.isTTY || stdout.write !== write;
}
