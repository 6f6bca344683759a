import type { LifecycleName } from '@spec/hooks';
import { claudeEvents, unsupportedEvents } from './claude/events.ts';
import { hubEvents } from './hub.ts';
import { serviceEvents } from './service/events.ts';
import { settingsEvents } from './settings.ts';

/** What the lifecycle has for an event of a format. */
export interface NamedEvent {
  readonly hook: LifecycleName;
  /** It is told of subagents alone. */
  readonly isOfSubagents: boolean;
}

const all = { ...claudeEvents, ...serviceEvents, ...hubEvents, ...settingsEvents };

/** The names that the formats have for events. */
export const eventNames: readonly string[] = Object.keys(all);

/** What a format calls by this name, whichever format it is; `undefined`: none has such an event, or the lifecycle has no place for it. */
export function eventNamed(name: string): NamedEvent | undefined {
  const event = Object.hasOwn(all, name) ? all[name] : undefined;
  return event && { hook: event.hook, isOfSubagents: event.only === 'subagent' };
}

/** What the hooks of an event would have done that the lifecycle has no place for. */
export function whyUnsupported(name: string): string | undefined {
  return Object.hasOwn(unsupportedEvents, name) ? unsupportedEvents[name] : undefined;
}
