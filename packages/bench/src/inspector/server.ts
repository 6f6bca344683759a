import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { main } from '../agents/agent-project.ts';

/** How the command is started: Node's flags, and its file. */
export type InspectCommand = readonly string[];

/** The command as it is built. */
export const builtCommand: InspectCommand = [main];

/** `spec-hooks inspect` in a process of its own. */
export interface InspectServer {
  readonly port: number;
  /** Milliseconds from its start to the printed link. */
  readonly msToLink: number;
  /** A link for a browser, good once. */
  makeLink(): Promise<string>;
  /** What a route gives. @throws where it is refused */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  /** Calls back with each event of the stream, from now on until `end`. */
  follow(onEvent: (event: { readonly kind: string }) => void): Promise<void>;
  /** The most memory that the process took, in bytes; `undefined` where the system does not tell. */
  readPeak(): number | undefined;
  end(): Promise<void>;
}

interface ServerOptions {
  readonly command: InspectCommand;
  readonly db: string;
  /** The folder with the configuration. */
  readonly cwd: string;
}

/** Starts the command and takes the token, as a page does. */
export async function startServer({ command, db, cwd }: ServerOptions): Promise<InspectServer> {
  const startedAt = performance.now();
  const args = [...command, 'inspect', '--db', db, '--json', '--trust'];
  const child = spawn(process.execPath, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const msToLink = performance.now() - startedAt;
  const { url, port } = JSON.parse(line) as { url: string; port: number };
  const token = await exchangeKey(port, new URL(url).hash.slice('#key='.length));
  const abort = new AbortController();
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return response;
  };
  return {
    port,
    msToLink,
    get: async <T>(path: string) => (await ask(path)).json() as Promise<T>,
    post: async <T>(path: string, body: unknown) =>
      (await ask(path, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<T>,
    async makeLink() {
      child.stdin.write('\n');
      return String((await once(lines, 'line'))[0]).trim();
    },
    async follow(onEvent) {
      const response = await ask('/api/live', { signal: abort.signal });
      void readEvents(response, onEvent).catch(() => {});
    },
    readPeak: () => readPeak(child),
    async end() {
      abort.abort();
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function exchangeKey(port: number, key: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  return ((await answer.json()) as { token: string }).token;
}

async function readEvents(
  response: Response,
  onEvent: (event: { readonly kind: string }) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    const parts = (text + decoder.decode(bytes, { stream: true })).split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) if (part.startsWith('data: ')) onEvent(JSON.parse(part.slice('data: '.length)));
  }
}

function readPeak({ pid }: ChildProcess): number | undefined {
  const file = `/proc/${pid}/status`;
  const found = existsSync(file) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) : null;
  return found === null ? undefined : Number(found[1]) * 1_024;
}
