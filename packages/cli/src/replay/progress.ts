import { type Options, SingleBar } from 'cli-progress';
import type { Input } from './read.ts';

export interface Progress {
  update(conversations: number): void;
  stop(): void;
}

const quiet: Progress = { update: () => {}, stop: () => {} };

const barOptions: Options = {
  format: '{bar} {percentage}%  {conversations} conversations  {duration_formatted}',
  barCompleteChar: '━',
  barIncompleteChar: '─',
  hideCursor: true,
  clearOnComplete: true,
  stopOnComplete: false,
  stream: process.stderr,
};

/** A bar on standard error, where that is a terminal and the input's size is known. */
export function startProgress(input: Input, isWanted: boolean): Progress {
  if (!isWanted || !process.stderr.isTTY || input.size === undefined) return quiet;
  const bar = new SingleBar(barOptions);
  bar.start(input.size, 0, { conversations: 0 });
  return {
    update: (conversations) => bar.update(Math.min(input.bytesRead(), input.size ?? 0), { conversations }),
    stop: () => bar.stop(),
  };
}
