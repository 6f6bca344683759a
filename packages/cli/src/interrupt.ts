/**
 * Aborted by the first Ctrl-C; the second one ends the process, as ever.
 *
 * @param sentence what is said on standard error then
 */
export function interruptSignal(sentence: string): AbortSignal {
  const interrupt = new AbortController();
  const onInterrupt = (): void => {
    process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt);
    process.stderr.write(`${sentence}; Ctrl-C again to stop at once.\n`);
    interrupt.abort();
  };
  process.on('SIGINT', onInterrupt).on('SIGTERM', onInterrupt);
  return interrupt.signal;
}
