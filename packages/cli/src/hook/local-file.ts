import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '@spec/hooks/node';

/** What the launcher finds on this machine. It stands beside the launcher, in a file that is not shared. */
export interface LocalFile {
  /** Node, absolute. */
  readonly node: string;
  /** The program of `spec-hooks`, absolute. */
  readonly cli: string;
  /** The folder of the launcher when it was installed: in a copy of it, nothing is asked that answers for the first. */
  readonly here: string;
  /** Where a daemon listens; empty: the launcher asks none. */
  readonly socket: string;
  /** The program that asks the daemon, absolute; empty: there is none. */
  readonly curl: string;
  /** The events on which the launcher denies where it gets no answer, by agent. Of an agent that is not there, all that are guarded. */
  readonly guards: Readonly<Record<string, readonly string[]>>;
}

/** @param folder where the launcher stands */
export function writeLocalFile(folder: string, { guards, ...found }: LocalFile): void {
  const agents = Object.keys(guards);
  const events = agents.flatMap((agent) => (guards[agent] ?? []).map((event) => `${agent}:${event}`));
  const lines = [
    '# Made by spec-hooks for this machine: not to be shared.',
    ...names.map((name) => `${name.toUpperCase()}=${quote(found[name])}`),
    `KNOWN=${quote(agents.join(' '))}`,
    `GUARDS=${quote(events.join(' '))}`,
  ];
  const draft = join(folder, `local.${process.pid}.tmp`);
  // A project could come with a link of this name.
  rmSync(draft, { force: true });
  writeFileSync(draft, `${lines.join('\n')}\n`, { flag: 'wx' });
  renameSync(draft, join(folder, 'local'));
}

const names = ['node', 'cli', 'here', 'socket', 'curl'] as const;

/** Many times what is written there: a link of the project may lead to a file without end. */
const MAX_BYTES = 65_536;

/** What stands there now; nothing where there is no such file. */
export function readLocalFile(folder: string): LocalFile | undefined {
  let text: string;
  try {
    text = readRegularFile(join(folder, 'local'), MAX_BYTES).toString('utf8');
  } catch {
    return undefined;
  }
  const read = (name: string): string => unquote(new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '');
  const split = (name: string): string[] => read(name).split(' ').filter(Boolean);
  const events = split('GUARDS').map((one) => one.split(':'));
  const guards = split('KNOWN').map((agent): [string, string[]] => [
    agent,
    events.flatMap(([of, event = '']) => (of === agent ? [event] : [])),
  ]);
  const [node = '', cli = '', here = '', socket = '', curl = ''] = names.map((name) =>
    read(name.toUpperCase()),
  );
  return { node, cli, here, socket, curl, guards: Object.fromEntries(guards) };
}

/** Notes the events at which hooks decide, for the time when they cannot be asked. */
export function noteGuards(folder: string, agent: string, events: readonly string[]): void {
  const local = readLocalFile(folder);
  if (local === undefined || local.guards[agent]?.join() === events.join()) return;
  try {
    writeLocalFile(folder, { ...local, guards: { ...local.guards, [agent]: events } });
  } catch {
    // A read-only folder: the launcher goes by what it has.
  }
}

/** A word for a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function unquote(word: string): string {
  return word.replace(/^'|'$/g, '').replaceAll(`'\\''`, "'");
}
