import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether the environments of processes can be read here. */
export const canFindProcesses: boolean = existsSync('/proc/self/environ');

/** The ids of all processes that were started with this value of MCP_TEST_MARK. */
export function markedProcesses(mark: string): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => readEnvironment(id).includes(`MCP_TEST_MARK=${mark}`)).map(Number);
}

function readEnvironment(id: string): string {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1');
  } catch {
    return ''; // It has ended.
  }
}

/** Waits until no marked process is left; gives those that are after all. */
export async function untilGone(mark: string, withinMs: number): Promise<number[]> {
  for (const end = Date.now() + withinMs; Date.now() < end && markedProcesses(mark).length > 0; )
    await new Promise((resolve) => setTimeout(resolve, 20));
  return markedProcesses(mark);
}
