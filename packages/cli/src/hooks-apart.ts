import { whereThrown } from '@spec/hooks';

/** What hooks leave running may go on for so long after a command has ended, in milliseconds. */
const PATIENCE = 1_000;

/**
 * Does work in which hooks run: what they print goes to standard error, what they throw where nobody can catch it is told and ends
 * nothing, and what they leave running does not keep the process alive.
 */
export async function withHooksApart<T>(work: () => Promise<T>): Promise<T> {
  const giveBack = keepStdout();
  const note = (error: unknown): void => {
    const where = whereThrown(error) ?? 'a value that is not an Error';
    process.stderr.write(`spec-hooks: ${where} was thrown by a timer or a promise that no hook waits for.\n`);
  };
  process.on('uncaughtException', note).on('unhandledRejection', note);
  try {
    return await work();
  } finally {
    giveBack();
    setTimeout(() => process.exit(), PATIENCE).unref();
  }
}

/** What is printed on standard output goes to standard error, until the function that comes back is called; logs still do after it. */
export function keepStdout(): () => void {
  console.log = console.info = console.debug = console.error;
  const { write } = process.stdout;
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return () => {
    process.stdout.write = write;
  };
}
