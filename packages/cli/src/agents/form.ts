import type { Agent, AgentProfile } from '@spec/agents';
import type { HookScope } from '../agent-state/places.ts';
import {
  addEntries,
  type ConfigurationFile,
  findOurs,
  isLeftOver,
  readConfiguration,
  removeEntries,
} from './change-file.ts';
import { makeEntries } from './make-entries.ts';
import { isPlugin, readPlugin, writePlugin } from './plugin-file.ts';

/** How hooks get into an agent: by entries in its configuration, or by a file that it loads. */
interface Form {
  /** @throws {DefinitionError} `bad_option` for what must not be changed */
  read(file: string): ConfigurationFile;
  /** The text of the file with the hooks in it. */
  add(text: string | undefined): string;
  /** The text of the file without them; nothing if nothing else is in it. */
  remove(text: string): string | undefined;
  isIn(text: string): boolean;
}

interface FormPlace {
  readonly agent: AgentProfile;
  readonly scope: HookScope;
}

/** How hooks get into an agent, for a project or a person. */
export function findForm({ agent, scope }: FormPlace): Form {
  if (!isCommandAgent(agent))
    return {
      read: readPlugin,
      add: () => writePlugin(agent, scope),
      remove: () => undefined,
      isIn: isPlugin,
    };
  const place = { agent, scope };
  return {
    read: (file) => readConfiguration(file, Object.keys(agent.events)),
    add: (text) => addEntries(text, makeEntries(agent, scope), place),
    remove(text) {
      const rest = removeEntries(text, place);
      return isLeftOver(rest, place) ? undefined : rest;
    },
    isIn: (text) => Object.keys(agent.events).some((event) => findOurs(text, event, place).length > 0),
  };
}

/** Whether an agent starts a command for each event. */
export function isCommandAgent(agent: AgentProfile): agent is Agent {
  return 'events' in agent;
}
