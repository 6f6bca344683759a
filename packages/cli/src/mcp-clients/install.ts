// MCP clients: rewrites the configuration of an MCP client so that its servers stand behind the gateway, and puts it back byte for byte. The commands call it; it changes nothing that a person has not seen.

import { createGateway } from '@spec/gateway';
import { isRecord } from '@spec/hooks';
import { type HookScope, ownFolder } from '../agent-state/places.ts';
import { type ConfigurationFile, readFileToChange, replaceFile } from '../agents/change-file.ts';
import { agreesToChange, type InstallFlags } from '../agents/install.ts';
import { nameFile } from '../agents/installation.ts';
import { exitCodes } from '../exit-codes.ts';
import { readAccepted, writeAccepted } from '../hook/accepted.ts';
import { openFolder, settingsFolder } from '../hook/open-hooks.ts';
import { withHooksApart } from '../hooks-apart.ts';
import { describeLost } from '../trust/lost-code.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { findClient, findClientFile, type McpClient } from './clients.ts';
import { type Edit, readServers, unwrapServers, wrapServers } from './edit-servers.ts';
import { readOriginals, writeOriginals } from './originals.ts';

/** Leads the MCP servers of a client through the gateway, after a person has seen the change. Gives the exit code. */
export async function installGateway(name: string, flags: InstallFlags): Promise<number> {
  const place = openPlace(name, flags);
  const { client, file, scope } = place;
  if (file.text === undefined) return tellNothing(client, file);
  const edit = wrapServers(file.text, client, { client: client.name, scope });
  tellLeft(
    edit,
    'is no process and no address, logs in as only the client can, or is written in a form that is not edited: it stays as it is',
  );
  if (edit.rewritten.length === 0) return tellNothing(client, file);
  const problem = await tryHooks(scope, flags);
  if (problem?.isRefused === true) {
    process.stderr.write(`spec-hooks: ${problem.text}\n`);
    return exitCodes.findings;
  }
  const action = `lead the MCP servers of ${client.title} through the gateway`;
  if (!(await agrees(place, edit, { flags, action })))
    return flags.dryRun === true ? exitCodes.fine : exitCodes.findings;
  // Before the file itself: what it held must not be lost whatever happens now.
  writeOriginals(file.path, [
    ...readOriginals(file.path).filter((one) => !isIn(edit, one.name)),
    ...edit.rewritten,
  ]);
  if (flags.allowPartial !== undefined) writeAccepted(findSettings(scope), 'gateway', flags.allowPartial);
  replaceFile(file.path, edit.text);
  print(`${countServers(edit)} of ${client.title} now go through the gateway. Restart ${client.title}.`);
  if (problem !== undefined) print(problem.text);
  return problem === undefined ? exitCodes.fine : exitCodes.findings;
}

/** Puts the MCP servers of a client back as they were. Gives the exit code. */
export async function uninstallGateway(name: string | undefined, flags: InstallFlags): Promise<number> {
  if (name === undefined) return wrongUsage('Name the client whose servers are to be put back.');
  const place = openPlace(name, flags);
  const { client, file } = place;
  const originals = readOriginals(file.path);
  if (originals.length === 0 || file.text === undefined) return tellNothing(client, file);
  const edit = unwrapServers(file.text, client, originals);
  tellLeft(edit, 'has been changed since: it stays as it is');
  const action = `put the MCP servers of ${client.title} back`;
  if (!(await agrees(place, edit, { flags, action })))
    return flags.dryRun === true ? exitCodes.fine : exitCodes.findings;
  replaceFile(file.path, edit.text);
  writeOriginals(
    file.path,
    originals.filter((one) => !isIn(edit, one.name)),
  );
  print(`${countServers(edit)} of ${client.title} are as they were. Restart ${client.title}.`);
  return edit.left.length === 0 ? exitCodes.fine : exitCodes.findings;
}

interface Place {
  readonly client: McpClient;
  readonly scope: HookScope;
  readonly file: ConfigurationFile;
}

function openPlace(name: string, { user, project }: InstallFlags): Place {
  const client = findClient(name);
  const wanted = user === true ? 'user' : project === true ? 'project' : undefined;
  const { file, scope } = findClientFile(client, wanted);
  return { client, scope, file: readFileToChange(file) };
}

function tellNothing({ title }: McpClient, { path, text }: ConfigurationFile): number {
  const why =
    text === undefined
      ? `there is no ${nameFile(path)}, so ${title} has no servers there`
      : `no server of ${title} in ${nameFile(path)} is to be changed`;
  print(`Nothing changes: ${why}.`);
  return exitCodes.fine;
}

function tellLeft({ left }: Edit, why: string): void {
  for (const name of left) process.stderr.write(`spec-hooks: ${name} ${why}.\n`);
}

function isIn({ rewritten }: Edit, name: string): boolean {
  return rewritten.some((one) => one.name === name);
}

function countServers({ rewritten }: Edit): string {
  return rewritten.length === 1 ? '1 server' : `${rewritten.length} servers`;
}

async function agrees(
  { client, file }: Place,
  { text }: Edit,
  { flags, action }: { readonly flags: InstallFlags; readonly action: string },
): Promise<boolean> {
  const secrets = listSecrets(readServers(file.text ?? '', client)).concat(
    listSecrets(readServers(text, client)),
  );
  const hide = (shown: string): string =>
    secrets.reduce((left, secret) => left.replaceAll(secret, '***'), shown);
  return agreesToChange(file, text, { flags, action, hide });
}

/** What is in environments and headers, as JSON writes it: nobody else has to read it. */
function listSecrets(servers: Readonly<Record<string, unknown>>): string[] {
  return Object.values(servers).flatMap((server) => {
    const { env, headers, http_headers } = isRecord(server) ? server : {};
    const values = [env, headers, http_headers].flatMap((one) => (isRecord(one) ? Object.values(one) : []));
    const texts = values.filter((value) => typeof value === 'string' && value.length > 3);
    return texts.map((value) => JSON.stringify(value).slice(1, -1));
  });
}

interface Problem {
  readonly text: string;
  /** The gateway would not run the hooks as they are. */
  readonly isRefused: boolean;
}

/** Opens the hooks as the gateway will. Nothing of a project runs that nobody has trusted. */
async function tryHooks(scope: HookScope, { allowPartial }: InstallFlags): Promise<Problem | undefined> {
  const from = process.cwd();
  const root = scope === 'user' ? ownFolder() : from;
  try {
    const opened = await withHooksApart(() => openFolder({ scope, root }));
    if ('refusal' in opened) {
      if (opened.refusal === 'lost') return { text: describeLost(opened), isRefused: false };
      const look = `spec-hooks trust ${opened.subject}`;
      return {
        text: `The code of the hooks is not trusted, and the gateway does not start before it is: ${look}`,
        isRefused: false,
      };
    }
    const { hooks, policies } = opened;
    const accepted = allowPartial ?? readAccepted(settingsFolder(scope, root), 'gateway');
    createGateway({ servers: [{ name: 'any', open: neverOpen }], hooks, policies, allowPartial: accepted });
    await opened.close();
    return undefined;
  } catch (error) {
    const text = (error as Error).message.replace(
      /allowPartial: \[(.*)\]/,
      (_, ids: string) => `--allow-partial ${ids.replaceAll(/[",]/g, '')}`,
    );
    return { text, isRefused: true };
  } finally {
    process.chdir(from);
  }
}

function neverOpen(): never {
  throw new Error('This gateway serves nobody.');
}

function findSettings(scope: HookScope): string {
  return settingsFolder(scope, scope === 'user' ? ownFolder() : process.cwd());
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
