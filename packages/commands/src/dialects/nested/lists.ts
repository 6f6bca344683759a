import { nearest } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import { isObject } from '../../json-object.ts';
import { COMMENT, type Fields, nameSort, readFields } from './fields.ts';
import type { EventNames } from './groups.ts';
import type { Path, Report } from './report.ts';

/** One entry of an event whose list holds the hooks themselves. */
export interface ListedEntry {
  readonly eventName: string;
  readonly fields: Fields;
  readonly value: JsonObject;
}

/** The entries of all known events below `hooks`, where no groups are around them; everything else there is a finding. */
export function readLists(
  hooks: Readonly<JsonObject>,
  { known, unsupported = {} }: EventNames,
  report: Report,
): ListedEntry[] {
  return Object.entries(hooks).flatMap(([eventName, list]) => {
    const path = ['hooks', eventName];
    if (COMMENT.test(eventName)) return [];
    if (Object.hasOwn(unsupported, eventName)) {
      const message = `${eventName} has no place in this runtime: ${unsupported[eventName]}. Its hooks do not run.`;
      report.error('unsupported_event', path, message);
      return [];
    }
    if (!known.includes(eventName)) {
      report.error('unknown_event', path, unknownEvent(eventName, [...known, ...Object.keys(unsupported)]));
      return [];
    }
    if (Array.isArray(list))
      return list.flatMap((value, i) => readItem(value, { eventName, path: [...path, i] }, report));
    const message = `${eventName} must be a list of hooks, and is ${nameSort(list as JsonValue)}.`;
    report.error('bad_shape', path, message);
    return [];
  });
}

function unknownEvent(eventName: string, names: readonly string[]): string {
  const meant = nearest(eventName, names);
  const hint = meant === undefined ? `The events are ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  return `There is no event "${eventName}". ${hint}`;
}

function readItem(
  value: JsonValue,
  { eventName, path }: { readonly eventName: string; readonly path: Path },
  report: Report,
): ListedEntry[] {
  if (isObject(value)) return [{ eventName, value, fields: readFields(value, path, report) }];
  const message = `A hook must be an object such as { "command": "…" }, and is ${nameSort(value)}.`;
  report.error('bad_shape', path, message);
  return [];
}
