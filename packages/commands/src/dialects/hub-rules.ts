import type { JsonObject } from 'type-fest';
import type { SettingsFile, WrittenRule } from '../normal-form.ts';
import type { EntrySource } from './flat.ts';
import { COMMENT, fieldsOf } from './nested/fields.ts';
import type { Report } from './nested/report.ts';

/** Reads a declarative rule as it is written (rules-and-scripts, "Declarative Rules"). Whoever loads it checks the rest. */
export function readRule(
  { eventName, value, position, path }: EntrySource,
  { file, report }: { readonly file: SettingsFile; readonly report: Report },
): WrittenRule | undefined {
  const fields = fieldsOf(value as JsonObject, path, report);
  fields.text('action');
  if (fields.has('command')) {
    const problem = 'An entry has a command or an action, not both. Make two entries of it.';
    fields.refuse('command', problem, 'bad_shape');
  }
  if (fields.has('event') && fields.value('event') !== eventName)
    fields.refuse('event', `This rule stands in the list of ${eventName}. Remove "event", or move the rule.`);
  if (fields.isBroken) return undefined;
  const written = Object.entries(value as JsonObject).filter(([key]) => !COMMENT.test(key));
  return {
    rule: { id: file.entryId('hub', eventName, position), ...Object.fromEntries(written), event: eventName },
    place: file.place(path),
    lines: Object.fromEntries(written.map(([key]) => [key, file.place([...path, key]).line])),
  };
}
