import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram, createHookJudge, type JudgedHooks, judgingEnv } from './judged-hooks.ts';
import { findProgram, type Snippet, toDocuments } from './snippets.ts';

/** What a block printed on standard output, and how it ended. */
export interface SnippetRun {
  readonly printed: string;
  readonly exitCode: number | null;
  /** Standard error, with the documents' lines in place of the files'; nothing where it ran beside others. */
  readonly errors?: string;
  /** The hooks that it has defined, where it ended well. */
  readonly hooks: JudgedHooks | undefined;
}

/**
 * Runs blocks one after another in a few processes, which takes a tenth of the time that a process for each does. Gives those that came to
 * their end; one that ends its process, or never ends, has to be run apart.
 */
export async function runTogether(snippets: readonly Snippet[]): Promise<Map<Snippet, SnippetRun>> {
  const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
  const host = join(folder, 'host.mjs');
  bundleProgram('snippet-host.ts', host);
  const hosts = availableParallelism();
  const shares = Array.from({ length: hosts }, (_, share) =>
    snippets.filter((_, at) => at % hosts === share),
  );
  const runs = await Promise.all(
    shares.map((share, n) => runShare(share, { host, file: join(folder, `${n}.jsonl`) })),
  );
  rmSync(folder, { recursive: true, force: true });
  return new Map(runs.flatMap((found) => [...found]));
}

async function runShare(
  share: readonly Snippet[],
  { host, file }: { host: string; file: string },
): Promise<Map<Snippet, SnippetRun>> {
  const found = new Map<Snippet, SnippetRun>();
  for (let rest = share; rest.length > 0; ) {
    rmSync(file, { force: true });
    const env = { ...process.env, ...judgingEnv, SNIPPET_RUNS: file, NO_COLOR: '1' };
    const child = spawn(process.execPath, [host, ...rest.map(findProgram)], { stdio: 'ignore', env });
    const watch = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    await waitForExit(child);
    clearTimeout(watch);
    const ended = readRuns(file);
    for (const [at, run] of ended.entries()) found.set(rest[at] as Snippet, run);
    rest = rest.slice(ended.length + 1); // The next one has ended the process.
  }
  return found;
}

/** Milliseconds for the blocks of one process. */
const PATIENCE = 60_000;

interface HostedRun extends JudgedHooks {
  readonly printed: string;
  readonly exitCode: number;
}

function readRuns(file: string): SnippetRun[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.map((line) => {
    const { printed, exitCode, count, problems } = JSON.parse(line) as HostedRun;
    return { printed: trimLines(printed), exitCode, hooks: { count, problems } };
  });
}

/** Runs one block against the packages as they are built, in a process and an empty folder of its own. */
export async function runApart(snippet: Snippet): Promise<SnippetRun> {
  const cwd = mkdtempSync(join(tmpdir(), 'snippet-'));
  const judge = createHookJudge();
  const child = spawn(process.execPath, ['--enable-source-maps', ...judge.nodeArgs, findProgram(snippet)], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...judge.env, NO_COLOR: '1' },
  });
  const output = { printed: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.errors += text));
  const exitCode = await waitForExit(child);
  rmSync(cwd, { recursive: true, force: true });
  return {
    printed: trimLines(output.printed),
    errors: toDocuments(output.errors, [snippet]),
    exitCode,
    hooks: exitCode === 0 ? judge.read() : undefined,
  };
}

const waitForExit = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.on('close', resolve));

const trimLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
