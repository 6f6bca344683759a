// Nested: what the dialects whose files nest hooks in groups have in common. They alone call it; it knows none of them.

import { nearest } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import { isObject } from '../../json-object.ts';
import { COMMENT, type Fields, nameSort, readFields } from './fields.ts';
import type { Path, Report } from './report.ts';

/** The events of a format with nested entries. */
export interface EventNames {
  readonly known: readonly string[];
  /** Keys besides the events, for the hint on an unknown name. */
  readonly alsoKnown?: readonly string[];
  /** Events of the format that have no place in the lifecycle: what they would have done, as the end of a sentence. */
  readonly unsupported?: Readonly<Record<string, string>>;
  /** Where the events stand. Default: in `hooks`. */
  readonly at?: readonly string[];
}

/** One `{ matcher, hooks: [] }` of an event. */
export interface Group {
  readonly eventName: string;
  readonly fields: Fields;
  readonly handlers: readonly Fields[];
}

/** The groups of all known events below `hooks`; everything else there is a finding. */
export function readGroups(
  hooks: Readonly<JsonObject>,
  { known, alsoKnown = [], unsupported = {}, at = ['hooks'] }: EventNames,
  report: Report,
): Group[] {
  return Object.entries(hooks).flatMap(([eventName, groups]) => {
    const path = [...at, eventName];
    if (COMMENT.test(eventName)) return [];
    if (Object.hasOwn(unsupported, eventName)) {
      const would = unsupported[eventName];
      report.error(
        'unsupported_event',
        path,
        `${eventName} has no place in this runtime: ${would}. Its hooks do not run.`,
      );
      return [];
    }
    if (!known.includes(eventName)) {
      report.error('unknown_event', path, unknownEvent(eventName, { known, alsoKnown, unsupported }));
      return [];
    }
    if (!Array.isArray(groups)) {
      report.error(
        'bad_shape',
        path,
        `${eventName} must be a list of { matcher, hooks }, and is ${nameSort(groups as JsonValue)}.`,
      );
      return [];
    }
    return groups.flatMap(
      (group, i) => readGroup({ eventName, value: group, path: [...path, i] }, report) ?? [],
    );
  });
}

function unknownEvent(
  eventName: string,
  { known, alsoKnown, unsupported }: Required<Omit<EventNames, 'at'>>,
): string {
  const meant = nearest(eventName, [...known, ...alsoKnown, ...Object.keys(unsupported)]);
  const hint = meant === undefined ? `The events are ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  return `There is no event "${eventName}". ${hint}`;
}

interface GroupSource {
  readonly eventName: string;
  readonly value: JsonValue;
  readonly path: Path;
}

function readGroup({ eventName, value, path }: GroupSource, report: Report): Group | undefined {
  if (!isObject(value)) {
    report.error(
      'bad_shape',
      path,
      `An entry of ${eventName} must be { matcher, hooks }, and is ${nameSort(value)}.`,
    );
    return undefined;
  }
  const fields = readFields(value, path, report);
  const hooks = fields.value('hooks');
  if (!Array.isArray(hooks)) {
    const remedy = fields.has('command')
      ? 'Put the command into it: { "hooks": [{ "type": "command", … }] }.'
      : 'Add it.';
    report.error('bad_shape', path, `This entry of ${eventName} has no list "hooks". ${remedy}`);
    return undefined;
  }
  const handlers = hooks.flatMap((handler, i) => {
    const at = [...path, 'hooks', i];
    if (isObject(handler)) return [readFields(handler, at, report)];
    report.error(
      'bad_shape',
      at,
      `A hook must be an object such as { "type": "command", "command": "…" }, and is ${nameSort(handler)}.`,
    );
    return [];
  });
  return { eventName, fields, handlers };
}
