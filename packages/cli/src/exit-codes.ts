/** What the process says by its exit code. */
export const exitCodes = {
  fine: 0,
  /** A finding, or a failure. */
  findings: 1,
  wrongUsage: 2,
  denied: 3,
  asked: 4,
  /** What shells give for a process that Ctrl-C ended. */
  interrupted: 130,
} as const;
