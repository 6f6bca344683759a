// The dialect `service`: reads its settings and understands its answers. The table of dialects in `load` lists it; it never starts a command.

import { checkOptionNames, listPaths } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { dialectTraits } from '../../dialect-traits.ts';
import { isObject } from '../../json-object.ts';
import type { CommandEntry, CompiledEntry, Dialect } from '../../normal-form.ts';
import { allowingOnly } from '../nested/allow.ts';
import { groupsIn, isNested } from '../nested/shape.ts';
import { readServiceAnswer } from './answer.ts';
import { CONFIG_KEYS, type Environment } from './config.ts';
import { type ServiceEvent, serviceEvents } from './events.ts';
import { matcherFrom } from './matcher.ts';
import { writeServicePayload } from './payload.ts';
import { readService } from './read.ts';

export interface ServiceOptions {
  /** Where HOOKS_ENABLED and similar variables are read. Default: the environment of this process. */
  readonly environment?: Environment;
}

/** The dialect with nested entries, matcher objects and timeouts in seconds (hook service chapter), with options of the operator. */
export function createService(options: ServiceOptions = {}): Dialect {
  checkOptionNames('service', options, { environment: true });
  const { environment = process.env } = options;
  return {
    ...dialectTraits.service,
    name: 'service',
    recognises,
    read: (file) => readService(file, environment),
    compile,
    strategy: (eventName) => serviceEvents[eventName]?.strategy ?? 'parallel',
    contextBehindResult: (contexts) => `\n\n[Hook Context]\n${contexts.join('\n\n')}`,
  };
}

/** The dialect with nested entries, matcher objects and timeouts in seconds, as it is. */
export const service: Dialect = createService();

/** What tells a file from one of the `claude` dialect: its own keys, matchers that are objects, entries with names. */
function recognises(content: JsonObject): boolean {
  if (!isObject(content.hooks)) return false;
  const { hooks } = content;
  if (CONFIG_KEYS.some((key) => Object.hasOwn(hooks, key))) return true;
  if (!isNested(content)) return false;
  if (Array.isArray(hooks.Compaction)) return true;
  return groupsIn(content).some(
    ({ matcher, name }) => isObject(matcher) || (typeof name === 'string' && typeof matcher !== 'string'),
  );
}

/** @throws {DefinitionError} `bad_matcher` */
function compile(entry: CommandEntry): CompiledEntry {
  const { matcher, eventName } = entry;
  const event = serviceEvents[eventName] as ServiceEvent;
  const wanted = event.isTool && isObject(matcher) ? matcherFrom(matcher) : undefined;
  const isByToolName =
    event.isTool === true && !(isObject(matcher) && ('paths' in matcher || 'commands' in matcher));
  return {
    entry,
    ...(isByToolName ? { isByToolName } : {}),
    mismatch: ({ tool, projectDir }) => (tool === undefined ? undefined : wanted?.mismatch(tool, projectDir)),
    invocation(occasion) {
      const [filePath, another] = occasion.tool === undefined ? [] : listPaths(occasion.tool.input);
      return {
        handler: entry.handler,
        payload: writeServicePayload(eventName, occasion),
        env: {},
        // One of two paths could be a decoy: the command is given neither.
        payloadVariables:
          filePath === undefined ? {} : { FILE_PATH: another === undefined ? filePath : undefined },
      };
    },
    answer: (given, { tool, projectDir }) =>
      allowingOnly(
        readServiceAnswer(entry, given),
        () => tool === undefined || wanted === undefined || wanted.isAll(tool, projectDir),
      ),
  };
}
