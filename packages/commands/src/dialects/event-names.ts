import type { LifecycleName } from '@spec/hooks';
import { claudeEvents, unsupportedEvents } from './claude/events.ts';
import { copilotEvents } from './copilot/events.ts';
import { cursorEvents } from './cursor/events.ts';
import { geminiEvents } from './gemini/events.ts';
import { hubEvents } from './hub.ts';
import { serviceEvents } from './service/events.ts';
import { settingsEvents } from './settings.ts';

/** The lifecycle's counterpart of a format's event. */
export interface NamedEvent {
  readonly hook: LifecycleName;
  /** It is only for subagents. */
  readonly isOfSubagents: boolean;
}

type Row = { readonly hook: LifecycleName; readonly only?: 'main' | 'subagent' };

/** Of a name that several formats have the row of the last counts. */
const all: Readonly<Record<string, Row>> = {
  ...cursorEvents,
  ...copilotEvents,
  ...geminiEvents,
  ...claudeEvents,
  ...serviceEvents,
  ...hubEvents,
  ...settingsEvents,
};

const capitalFirst = Object.keys(all).toSorted((a, b) => Number(/^[a-z]/.test(a)) - Number(/^[a-z]/.test(b)));

/** The formats' names of events. Of two that differ in their case alone, the one that begins with a capital. */
export const eventNames: readonly string[] = capitalFirst.filter((name, i) => {
  const isSame = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  return capitalFirst.findIndex(isSame) === i;
});

/** Finds an event by its name in any format; `undefined` if no format has it, or the lifecycle does not support it. */
export function eventNamed(name: string): NamedEvent | undefined {
  const event = Object.hasOwn(all, name) ? all[name] : undefined;
  return event && { hook: event.hook, isOfSubagents: event.only === 'subagent' };
}

/** Says what the hooks of an unsupported event would have done. */
export function whyUnsupported(name: string): string | undefined {
  return Object.hasOwn(unsupportedEvents, name) ? unsupportedEvents[name] : undefined;
}
