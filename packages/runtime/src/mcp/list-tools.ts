import type { Tool } from '@modelcontextprotocol/sdk/types.js';

/** A page of a server's tools. */
export interface ToolPage {
  readonly tools: readonly Tool[];
  readonly nextCursor?: string | undefined;
}

/** What a server may list: far more than any model takes, and little enough to hold. */
const MAX_PAGES = 1_000;
const MAX_TOOLS = 20_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * All tools of a server, page by page. A server decides when it has told all: its pages, its tools, their size and the time for
 * all of them are bounded, and a cursor that comes again ends the listing.
 *
 * @param ask gives the page of a cursor within so many milliseconds
 * @param refuse makes the error of a server that lists too much
 */
export async function listAllTools(
  ask: (cursor: string | undefined, timeoutMs: number) => Promise<ToolPage>,
  timeoutMs: number,
  refuse: (what: string) => Error,
): Promise<Tool[]> {
  const until = performance.now() + timeoutMs;
  const tools: Tool[] = [];
  const asked = new Set<string>();
  let characters = 0;
  for (let cursor: string | undefined; ; ) {
    const left = until - performance.now();
    if (left <= 0) throw refuse(`did not tell all its tools within ${timeoutMs} ms`);
    const page = await ask(cursor, left);
    if (tools.length + page.tools.length > MAX_TOOLS) throw refuse(`lists more than ${MAX_TOOLS} tools`);
    for (const tool of page.tools) tools.push(tool);
    const measured = measureTools(page.tools);
    if (measured === undefined) throw refuse('describes a tool that is nested too deep to be read');
    characters += measured;
    if (characters > MAX_CHARACTERS)
      throw refuse(`tells more than ${MAX_CHARACTERS} characters of its tools`);
    const { nextCursor } = page;
    if (nextCursor === undefined) return tools;
    if (asked.has(nextCursor)) throw refuse('lists its tools in a circle: a cursor came again');
    if (asked.size === MAX_PAGES) throw refuse(`lists its tools on more than ${MAX_PAGES} pages`);
    asked.add(nextCursor);
    cursor = nextCursor;
  }
}

/** The characters of their JSON; `undefined` where it is nested so deep that it cannot be written. */
function measureTools(tools: readonly Tool[]): number | undefined {
  try {
    return JSON.stringify(tools).length;
  } catch {
    return undefined;
  }
}
