import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DefinitionError, type Records } from '@spec/hooks';
import {
  type Asks,
  createInspector,
  exportPage,
  type Inspector,
  type RunningInspector,
} from '@spec/inspector';
import { exitCodes } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import type { ProjectFlags } from '../project/parts.ts';
import { type StoreFlags, withAnswers, withRecords } from '../store/open-store.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { hookProject } from './hook-project.ts';

/** The options of `spec-hooks inspect`, as they were typed. */
export interface InspectFlags extends StoreFlags, ProjectFlags {
  readonly port?: string;
  readonly open?: boolean;
  readonly content: boolean;
  readonly allowRun?: boolean;
  readonly allowAnswers?: boolean;
  readonly html?: boolean;
}

/** Where the page is, if nobody says another place. */
const USUAL_PORT = 41_730;

/** Serves the page until the process is interrupted. Gives the exit code. */
export async function inspectStore(thread: string | undefined, flags: InspectFlags): Promise<number> {
  const port = flags.port === undefined ? undefined : Number(flags.port);
  if (port !== undefined && (!Number.isInteger(port) || port < 1 || port > 65_535))
    return wrongUsage(`--port must be a number from 1 to 65535; got "${flags.port}".`);
  if (!flags.content && (flags.allowAnswers === true || flags.html === true))
    return wrongUsage('--no-content shows no texts: leave it out, or --allow-answers and --html.');
  if (flags.html === true && thread === undefined)
    return wrongUsage('--html needs the id of a thread: spec-hooks inspect order-7 --html > order-7.html.');
  return withRecords(flags, async (records, { db, takeNews }) => {
    if (thread !== undefined) await checkThread(records, thread, db);
    if (flags.html === true) return writePage(records, thread ?? '', db);
    const hooks = hookProject(flags, flags.allowRun === true);
    const options = { records, name: db, showsContent: flags.content, hooks };
    const work = (asks?: Asks): Promise<void> =>
      servePage(createInspector({ ...options, ...(asks !== undefined && { asks }) }), {
        db,
        port,
        flags,
        thread,
        takeNews,
      });
    await (flags.allowAnswers === true ? answerFrom(flags.db ?? db, work) : work());
    return exitCodes.fine;
  });
}

/** Works with the questions that wait in the store. */
async function answerFrom(db: string, work: (asks: Asks) => Promise<void>): Promise<void> {
  // Loaded here, so that a page that only reads does not wait for the whole runtime.
  const { storedAsks } = await import('@spec/runtime');
  await withAnswers(db, (store) => work(storedAsks(store)));
}

interface Serving {
  readonly db: string;
  readonly port: number | undefined;
  readonly flags: InspectFlags;
  /** The conversation to begin with. */
  readonly thread: string | undefined;
  takeNews(): Promise<void>;
}

async function servePage(
  inspector: Inspector,
  { db, port, flags, thread, takeNews }: Serving,
): Promise<void> {
  const running = await listen(inspector, port);
  try {
    const url = running.makeLink(thread);
    tellLink(url, { db, port: running.port, flags });
    if (flags.open === true) await openInBrowser(url);
    await waitForEnd(running, thread, takeNews);
  } finally {
    await running.close();
  }
}

/** @throws {DefinitionError} `bad_option` */
async function checkThread(records: Records, thread: string, db: string): Promise<void> {
  if ((await records.threads({ size: 1, id: thread })).items.length > 0) return;
  throw new DefinitionError('bad_option', `${printable(db)} has no thread ${printable(thread)}.`);
}

/** One conversation as a page that needs nothing else. Gives the exit code. */
async function writePage(records: Records, thread: string, db: string): Promise<number> {
  const page = exportPage({ records, showsContent: true }, thread, db);
  await pipeline(Readable.from(page), process.stdout, { end: false });
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
  const allowed = [
    ...(flags.allowRun === true ? ['The page may run hooks of this project (--allow-run).\n'] : []),
    ...(flags.allowAnswers === true ? ['The page may answer questions (--allow-answers).\n'] : []),
  ].join('');
  process.stdout.write(
    `${printable(db)} is on\n\n  ${url}\n\nThe link is good once. Enter prints another one, Ctrl-C ends.\n${allowed}`,
  );
}

/** Milliseconds between two looks at what coding agents have told. */
const INTERVAL = 1_000;

/** Ends with an interrupt; each Enter until then prints a link. What agents tell meanwhile is shown, too. */
async function waitForEnd(
  running: RunningInspector,
  thread: string | undefined,
  takeNews: () => Promise<void>,
): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => process.stdout.write(`  ${running.makeLink(thread)}\n`));
  // A store that cannot be written shows what is in it. Standard input may be at its end: the timer keeps the process alive.
  const news = setInterval(() => void takeNews().catch(() => {}), INTERVAL);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
    lines.on('SIGINT', resolve);
  });
  clearInterval(news);
  lines.close();
}

/** How long the browser may take to read the file. */
const readMs = 60_000;

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a link by a file that only this user can read: arguments of processes can be read by all. */
async function openInBrowser(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'spec-hooks-open-'));
  const file = join(folder, 'open.html');
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`, {
    mode: 0o600,
  });
  const [command = 'xdg-open', ...args] = openers[process.platform] ?? [];
  const child = spawn(command, [...args, file], { stdio: 'ignore', detached: true });
  child.once('error', () =>
    process.stderr.write('spec-hooks: no browser could be started: open the link by hand.\n'),
  );
  child.unref();
  setTimeout(() => void rm(folder, { recursive: true, force: true }), readMs).unref();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
