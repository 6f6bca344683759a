import { Worker } from 'node:worker_threads';

/**
 * Ends this process when it is not over in time, whatever runs in it: the launcher then answers in its place. A hook that never gives the
 * thread back stops every timer of this thread.
 *
 * @param limit milliseconds
 * @returns takes the watch off
 */
export function startWatchdog(limit: number): () => void {
  const text = `setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${limit});`;
  const worker = new Worker(text, { eval: true, stdout: true, stderr: true });
  worker.unref();
  return () => void worker.terminate();
}
