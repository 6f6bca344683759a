import { isAbsolute } from 'node:path';
import { parseArgs } from 'node:util';
import { type Agent, findAgent } from '@spec/agents';
import { DefinitionError } from '@spec/hooks';
import { type HookScope, ownFolder } from '../agent-state/places.ts';

/** The folder whose hooks are asked. */
export interface HookFolder {
  readonly scope: HookScope;
  /** Absolute. */
  readonly root: string;
}

/** An event of an agent. */
export interface CalledEvent {
  readonly agent: Agent;
  /** The agent's own name for it. */
  readonly event: string;
}

/** What `spec-hooks hook` is called with. */
export interface Called extends CalledEvent, HookFolder {
  /** Whether a launcher reads standard output alone: it writes an objection where the agent reads it. */
  readonly isLaunched: boolean;
  /** Where the launcher looks for a daemon; `undefined`: it asks none. */
  readonly socket: string | undefined;
}

/** @throws {DefinitionError} `bad_option`, `unknown_id` */
export function readCalled(args: readonly string[]): Called {
  const { values } = parseArgs({
    args: [...args],
    options: {
      agent: { type: 'string' },
      event: { type: 'string' },
      root: { type: 'string' },
      launcher: { type: 'boolean', default: false },
      socket: { type: 'string', default: '' },
    },
  });
  const { agent = '', event = '', root, launcher: isLaunched, socket } = values;
  const called = { ...findCalledEvent(agent, event), ...findFolder(root), isLaunched };
  return { ...called, socket: isAbsolute(socket) ? socket : undefined };
}

/** @throws {DefinitionError} `bad_option`, `unknown_id` */
export function findCalledEvent(agent: string, event: string): CalledEvent {
  const found = findAgent(agent);
  if (Object.hasOwn(found.events, event)) return { agent: found, event };
  throw new DefinitionError(
    'bad_option',
    `${found.title} has no event "${event}" that hooks are for. It has: ${Object.keys(found.events).join(', ')}.`,
  );
}

/** @param root the project; without one, a person's own hooks are asked */
export function findFolder(root: string | undefined): HookFolder {
  if (root === undefined) return { scope: 'user', root: ownFolder() };
  if (!isAbsolute(root)) throw new DefinitionError('bad_option', '--root must be an absolute path.');
  return { scope: 'project', root };
}

/** How long all hooks of an event may take, in milliseconds: well below what most agents wait. */
export const DEADLINE = 25_000;

/** How long the hooks of an event may take, in milliseconds: below what the agent waits. */
export function findLimit({ agent, event }: CalledEvent): number {
  const { seconds } = agent.events[event] ?? {};
  return seconds === undefined ? DEADLINE : seconds * 800;
}
