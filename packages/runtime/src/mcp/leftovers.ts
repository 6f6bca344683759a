import { endProcess, processIds, startedWith } from '@spec/hooks/node';

/** The variable by which what a server started is known, wherever it went: children inherit it. */
const MARK = 'SPEC_MCP_SERVER';

/** So often it is looked again where something was found: what forks while it is ended has children by then. */
const ROUNDS = 20;

/** What a server is started with, so that {@link endLeftovers} finds what it starts. */
export function marked(mark: string): Record<string, string> {
  return { [MARK]: mark };
}

/** Ends all processes that a server started outside of its group (`setsid`). Finds nothing where there is no /proc. */
export function endLeftovers(mark: string): void {
  for (let round = 0; round < ROUNDS; round++) {
    const found = processIds().filter((id) => startedWith(id).includes(`${MARK}=${mark}\0`));
    if (found.length === 0) return;
    for (const id of found) endProcess(id);
  }
}
