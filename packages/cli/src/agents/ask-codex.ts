import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isRecord } from '@spec/hooks';
import type { Installation } from './installation.ts';
import { isOurs } from './make-entries.ts';

/** How long it may take, in milliseconds: it is started for this. */
const LIMIT = 10_000;

/** Asks Codex what it makes of the entries in its file, since it skips those that nobody has reviewed without a word. `undefined`: it cannot be asked. */
export async function askCodex({ agent, scope, root, file }: Installation): Promise<string | undefined> {
  const listed = await listHooks(scope === 'project' ? root : process.cwd());
  if (listed === undefined) return undefined;
  const ours = listed.filter((hook) => hook.sourcePath === file && isOurs(hook.command, agent, scope));
  if (ours.length === 0) return 'Codex says that it reads none of the entries: trust the project in Codex.';
  const skipped = ours.filter(
    ({ enabled, trustStatus }) => enabled === false || !RUNS.has(String(trustStatus)),
  );
  if (skipped.length === 0) return 'Codex says that it runs all of the entries from its next session on.';
  const statuses = [...new Set(skipped.map(({ trustStatus }) => String(trustStatus)))].join(', ');
  return `Codex says that it skips ${skipped.length} of ${ours.length} entries (${statuses}). Review them in Codex with /hooks.`;
}

const RUNS: ReadonlySet<string> = new Set(['trusted', 'managed']);

type ListedHook = Readonly<Record<string, unknown>>;

/** `codex app-server` speaks JSON-RPC in lines. It runs no hook for this. */
function listHooks(folder: string): Promise<readonly ListedHook[] | undefined> {
  const child = spawn('codex', ['app-server'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {});
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  return new Promise<readonly ListedHook[] | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), LIMIT);
    child.on('error', () => resolve(undefined)).on('close', () => resolve(undefined));
    child.on('close', () => clearTimeout(timer));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result } = parseLine(line);
      if (id === 1) {
        send({ method: 'initialized' });
        send({ id: 2, method: 'hooks/list', params: { cwds: [folder] } });
      }
      if (id === 2) resolve(readHooks(result));
    });
    send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'spec-hooks', version: '1' } } });
  }).finally(() => child.kill('SIGKILL'));
}

function parseLine(line: string): ListedHook {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function readHooks(result: unknown): readonly ListedHook[] | undefined {
  const data = isRecord(result) ? result.data : undefined;
  if (!Array.isArray(data)) return undefined;
  const folders: readonly unknown[] = data;
  return folders.flatMap((one) =>
    isRecord(one) && Array.isArray(one.hooks) ? one.hooks.filter(isRecord) : [],
  );
}
