/** The entries that run in the background, by thread. */
export interface Background {
  /** Starts a task; its signal ends it. It must not reject. */
  start(threadId: string, task: (signal: AbortSignal) => Promise<void>): void;
  /** Waits for the tasks of a thread, then ends those that are not done. @param graceMs milliseconds */
  drain(threadId: string, graceMs: number): Promise<void>;
  /** Ends all tasks and accepts no more. */
  close(): Promise<void>;
}

/** Creates a place for entries that run in the background. */
export function createBackground(): Background {
  const threads = new Map<string, Map<Promise<void>, AbortController>>();
  let isClosed = false;

  async function end(tasks: ReadonlyMap<Promise<void>, AbortController>): Promise<void> {
    for (const controller of tasks.values()) controller.abort();
    await Promise.all(tasks.keys());
  }

  return {
    start(threadId, task) {
      const controller = new AbortController();
      if (isClosed) controller.abort();
      const tasks = threads.get(threadId) ?? new Map<Promise<void>, AbortController>();
      threads.set(threadId, tasks);
      const running = task(controller.signal).finally(() => {
        tasks.delete(running);
        if (tasks.size === 0) threads.delete(threadId);
      });
      tasks.set(running, controller);
    },
    async drain(threadId, graceMs) {
      const tasks = threads.get(threadId);
      if (tasks === undefined) return;
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(tasks.keys()), grace]);
      clearTimeout(timer);
      await end(tasks);
    },
    async close() {
      isClosed = true;
      await Promise.all([...threads.values()].map(end));
    },
  };
}
