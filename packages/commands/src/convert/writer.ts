import type { LifecycleName } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import type { EntryHandler } from '../entry-handler.ts';
import type { CommandEntry } from '../normal-form.ts';
import type { MatcherModel } from './matcher-model.ts';

/** An entry on its way into another format. */
export interface WritableEntry {
  readonly entry: CommandEntry;
  readonly eventName: string;
  readonly model: MatcherModel;
  /** Its command as one line; absent for other handlers. */
  readonly command: string | undefined;
}

/** A file in a format, with the path of each entry, such as `hooks.PreToolUse[0]`, in the order of the entries. */
export interface WrittenFile {
  readonly content: JsonObject;
  readonly paths: readonly string[];
}

/** One event of a format. */
export type EventName = readonly [name: string, hook: LifecycleName, only?: 'main' | 'subagent'];

/** Writes one format. */
export interface Writer {
  /** The types of handlers that the format has besides commands. */
  readonly takes?: readonly EntryHandler['type'][];
  readonly events: readonly EventName[];
  /** @param maxConcurrent how many of them run at once, if the source says so */
  write(entries: readonly WritableEntry[], maxConcurrent?: number): WrittenFile;
}

/** Finds the format's event for an entry: one of the same name, the same event, or else one of the same hook for at least as many threads, or else any of that hook. */
export function eventNameFor(
  { events }: Writer,
  { event, eventName, only }: CommandEntry,
): string | undefined {
  const ofHook = events.filter(([, hook]) => hook === event);
  if (ofHook.some(([name, , those]) => name === eventName && those === only)) return eventName;
  const same =
    ofHook.find(([, , those]) => those === only) ?? ofHook.find(([, , those]) => those === undefined);
  return (same ?? (only === undefined ? ofHook[0] : undefined))?.[0];
}

/** The events of a format, by the rows that its dialect has of them. */
export function listEvents(
  rows: Readonly<Record<string, { readonly hook: LifecycleName; readonly only?: 'main' | 'subagent' }>>,
): readonly EventName[] {
  return Object.entries(rows).map(([name, { hook, only }]) => (only ? [name, hook, only] : [name, hook]));
}

/** Lists by event, and the path of each item as it is added. */
export interface Lists {
  readonly hooks: JsonObject;
  add(eventName: string, item: JsonObject): string;
}

export function createLists(): Lists {
  const hooks: Record<string, JsonObject[]> = {};
  return {
    hooks,
    add(eventName, item) {
      const list = hooks[eventName] ?? [];
      hooks[eventName] = list;
      return `hooks.${eventName}[${list.push(item) - 1}]`;
    },
  };
}

/** Removes the fields that are `undefined`. */
export function defined(fields: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Whether an entry blocks on any failure. */
export function blocks({ effects }: CommandEntry): boolean {
  return Object.values(effects).includes('block') || Object.values(effects).includes('ask');
}
