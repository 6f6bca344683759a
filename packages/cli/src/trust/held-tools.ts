import { createTwoFilesPatch } from 'diff';
import {
  type HeldDefinition,
  listPins,
  removePins,
  type ServerPins,
  writePins,
} from '../agent-state/tool-pins.ts';
import { askPerson } from '../ask-person.ts';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { printable, printableLine } from '../printable.ts';
import { writeCount } from '../table.ts';

/** The options of `spec-hooks trust --tools`, as they were typed. */
export interface ToolFlags {
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly remove?: boolean;
  readonly json?: boolean;
}

/** Shows what the gateway holds back of MCP servers, and trusts it. @param servers their names, or none for all. Gives the exit code. */
export async function trustTools(servers: readonly string[], flags: ToolFlags): Promise<number> {
  const all = listPins().filter(
    ({ subject }) => servers.length === 0 || servers.some((one) => isMeant(subject, one)),
  );
  if (flags.list) return listServers(all, flags);
  if (flags.remove) return removeServers(servers, all);
  const looked: {
    readonly server: string;
    readonly held: readonly HeldDefinition[];
    readonly recorded: boolean;
  }[] = [];
  for (const pins of all)
    looked.push({ server: pins.subject, held: pins.held, recorded: await look(pins, flags) });
  if (flags.json) print({ servers: looked });
  else if (looked.every(({ held }) => held.length === 0))
    process.stdout.write('The gateway holds no tools back.\n');
  return looked.every(({ held, recorded }) => held.length === 0 || recorded)
    ? exitCodes.fine
    : exitCodes.findings;
}

/** Whether the gateway holds anything back. */
export function isAnythingHeld(): boolean {
  return listPins().some(({ held }) => held.length > 0);
}

function isMeant(subject: string, typed: string): boolean {
  return subject === typed || subject.endsWith(`#${typed}`);
}

/** What hides characters stays held back, whatever a person says. @returns whether all of it is trusted now */
async function look(pins: ServerPins, { yes, json }: ToolFlags): Promise<boolean> {
  const { subject, held } = pins;
  if (held.length === 0) return false;
  const open = held.filter(({ why }) => why !== 'hidden');
  if (!json) process.stdout.write(`${describeServer(pins)}\n`);
  if (open.length === 0) return false;
  const question = `Trust ${writeCount(open.length, 'change')} of ${printable(subject)}?`;
  const agrees =
    yes === true || (json !== true && (await askPerson(question, `trust ${printable(subject)}`)));
  if (!agrees) return false;
  const added = open.map(({ key, fingerprint, definition }) => [key, { fingerprint, definition }]);
  writePins({
    subject,
    trusted: { ...pins.trusted, ...Object.fromEntries(added) },
    held: held.filter(({ why }) => why === 'hidden'),
  });
  return open.length === held.length;
}

function describeServer({ subject, trusted, held }: ServerPins): string {
  const lines = held.map((one) => describeHeld(one, trusted?.[one.key]?.definition));
  return `${pc.bold(printable(subject))} tells this, which the gateway holds back:\n${lines.join('\n')}`;
}

const words = {
  new: 'new',
  changed: 'changed since it was trusted',
  hidden: 'hides characters; it stays held back',
} as const;

function describeHeld({ key, why, definition, hidden }: HeldDefinition, before: unknown): string {
  const head = `  ${pc.bold(printableLine(key))}, ${words[why]}`;
  if (why === 'hidden')
    return [head, ...hidden.map(({ at, shown }) => `    ${printableLine(at)}: ${printableLine(shown)}`)].join(
      '\n',
    );
  const patch = createTwoFilesPatch('', '', before === undefined ? '' : write(before), write(definition));
  const changes = patch
    .split('\n')
    .slice(4)
    .filter((line) => line !== '' && !line.startsWith('\\'));
  return [head, ...changes.map((line) => `    ${printable(line)}`)].join('\n');
}

function write(definition: unknown): string {
  return typeof definition === 'string' ? definition : JSON.stringify(definition, undefined, 2);
}

function listServers(all: readonly ServerPins[], { json }: ToolFlags): number {
  if (json)
    print({
      servers: all.map(({ subject, trusted, held }) => ({
        server: subject,
        trusted: Object.keys(trusted ?? {}),
        held,
      })),
    });
  else if (all.length === 0) process.stdout.write('No MCP server has been seen behind the gateway.\n');
  for (const { subject, trusted, held } of json ? [] : all) {
    const count = Object.keys(trusted ?? {}).length;
    process.stdout.write(`${printable(subject)}  ${count} trusted, ${held.length} held back\n`);
  }
  return exitCodes.fine;
}

/** A server that is forgotten is new when it is seen again. */
function removeServers(servers: readonly string[], all: readonly ServerPins[]): number {
  if (servers.length === 0) {
    process.stderr.write('spec-hooks: --remove: name the servers that are to be trusted no longer.\n');
    return exitCodes.wrongUsage;
  }
  for (const { subject } of all) {
    removePins(subject);
    process.stdout.write(`${printable(subject)} is forgotten.\n`);
  }
  return all.length > 0 ? exitCodes.fine : exitCodes.findings;
}

function print(result: object): void {
  process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
}
