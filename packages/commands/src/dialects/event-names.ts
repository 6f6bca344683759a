import type { LifecycleName } from '@spec/hooks';
import { claudeEvents, unsupportedEvents } from './claude/events.ts';
import { hubEvents } from './hub.ts';
import { serviceEvents } from './service/events.ts';
import { settingsEvents } from './settings.ts';

/** The lifecycle's counterpart of a format's event. */
export interface NamedEvent {
  readonly hook: LifecycleName;
  /** It is only for subagents. */
  readonly isOfSubagents: boolean;
}

const all = { ...claudeEvents, ...serviceEvents, ...hubEvents, ...settingsEvents };

/** The formats' names of events. */
export const eventNames: readonly string[] = Object.keys(all);

/** Finds an event by its name in any format; `undefined` if no format has it, or the lifecycle does not support it. */
export function eventNamed(name: string): NamedEvent | undefined {
  const event = Object.hasOwn(all, name) ? all[name] : undefined;
  return event && { hook: event.hook, isOfSubagents: event.only === 'subagent' };
}

/** Says what the hooks of an unsupported event would have done. */
export function whyUnsupported(name: string): string | undefined {
  return Object.hasOwn(unsupportedEvents, name) ? unsupportedEvents[name] : undefined;
}
