import { eventNamed, eventNames, type NamedEvent, whyUnsupported } from '@spec/commands';
import { isLifecycleName, lifecycleTable, nearest } from '@spec/hooks';

/** What an option `--event` names. */
export interface AskedEvent extends NamedEvent {
  /** As it was typed. */
  readonly name: string;
}

/** Every name that `--event` takes: those of the formats, then ours. */
export const knownEvents: readonly string[] = [...eventNames, ...Object.keys(lifecycleTable)];

/** The event of a name, ours or one of any format; a sentence on what to write where there is none. */
export function findEvent(name: string): AskedEvent | string {
  if (isLifecycleName(name)) return { name, hook: name, isOfSubagents: false };
  const event = eventNamed(name);
  return event === undefined ? unknownEvent(name) : { name, ...event };
}

function unknownEvent(name: string): string {
  const unsupported = whyUnsupported(name);
  if (unsupported !== undefined) return `Hooks of ${name} never run here: ${unsupported}.`;
  const meant = nearest(name, knownEvents);
  return `There is no event "${name}". ${meant === undefined ? `There are ${knownEvents.join(', ')}.` : `Did you mean "${meant}"?`}`;
}
