import type { JsonObject } from 'type-fest';

const KEYS = ['action', 'continueOnError', 'priority', 'inputMatchers'];
/** Keys that no hub has. */
const OTHER_KEYS = ['continueOnFailure', 'condition'];
const EVENTS = ['Stop', 'AgentStart', 'AgentEnd'];
const VARIABLE = /\{\{\s*(?:toolName|input\.|result|sandbox)/;
const REGEX = /[\^$\\+?[\]]|\.\*/;

/** Whether flat entries are written for a hub: by its keys, its events, its templates, or a matcher that only it can read. */
export function looksLikeHub(entries: readonly (readonly [eventName: string, entry: JsonObject])[]): boolean {
  if (entries.some(([, entry]) => OTHER_KEYS.some((key) => Object.hasOwn(entry, key)))) return false;
  return entries.some(([eventName, entry]) => {
    const { command, matcher } = entry;
    return (
      KEYS.some((key) => Object.hasOwn(entry, key)) ||
      EVENTS.includes(eventName) ||
      (typeof command === 'string' && VARIABLE.test(command)) ||
      (typeof matcher === 'string' && REGEX.test(matcher))
    );
  });
}
