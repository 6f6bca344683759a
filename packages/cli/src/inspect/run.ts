import { createInterface } from 'node:readline';
import { DefinitionError } from '@spec/hooks';
import { createInspector, type Inspector, type RunningInspector } from '@spec/inspector';
import { exitCodes } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import type { ProjectFlags } from '../project/parts.ts';
import { type StoreFlags, withRecords } from '../store/open-store.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { hookProject } from './hook-project.ts';
import { openInBrowser } from './open-in-browser.ts';

/** The options of `spec-hooks inspect`, as they were typed. */
export interface InspectFlags extends StoreFlags, ProjectFlags {
  readonly port?: string;
  readonly open?: boolean;
  readonly content: boolean;
  readonly allowRun?: boolean;
}

/** Where the page is, if nobody says another place. */
const USUAL_PORT = 41_730;

/** Serves the page until the process is interrupted. Gives the exit code. */
export async function inspectStore(flags: InspectFlags): Promise<number> {
  const port = flags.port === undefined ? undefined : Number(flags.port);
  if (port !== undefined && (!Number.isInteger(port) || port < 1 || port > 65_535))
    return wrongUsage(`--port must be a number from 1 to 65535; got "${flags.port}".`);
  await withRecords(flags, async (records, db) => {
    const project = hookProject(flags, flags.allowRun === true);
    const inspector = createInspector({ records, name: db, showsContent: flags.content, project });
    const running = await listen(inspector, port);
    try {
      const url = running.makeLink();
      tellLink(url, { db, port: running.port, flags });
      if (flags.open === true) await openInBrowser(url);
      await waitForEnd(running);
    } finally {
      await running.close();
    }
  });
  return exitCodes.fine;
}

/** On the usual port; where nobody asked for one and that is in use, on any. */
async function listen(inspector: Inspector, port: number | undefined): Promise<RunningInspector> {
  try {
    return await inspector.listen(port ?? USUAL_PORT);
  } catch (error) {
    if (port !== undefined || !(error instanceof DefinitionError)) throw error;
    return inspector.listen();
  }
}

interface Told {
  readonly db: string;
  readonly port: number;
  readonly flags: InspectFlags;
}

function tellLink(url: string, { db, port, flags }: Told): void {
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ url, port, db })}\n`);
    return;
  }
  const allowed = flags.allowRun === true ? 'The page may run hooks of this project (--allow-run).\n' : '';
  process.stdout.write(
    `${printable(db)} is on\n\n  ${url}\n\nThe link is good once. Enter prints another one, Ctrl-C ends.\n${allowed}`,
  );
}

/** Ends with an interrupt; each Enter until then prints a link. */
async function waitForEnd(running: RunningInspector): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => process.stdout.write(`  ${running.makeLink()}\n`));
  const alive = setInterval(() => {}, 2 ** 30); // Standard input may be at its end.
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
    lines.on('SIGINT', resolve);
  });
  clearInterval(alive);
  lines.close();
}
