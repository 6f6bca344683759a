// Dialects: read one format each, and say what its commands are given and what their answers mean. The table of dialects in `load` lists them; they never start a command.

import { durationInMs, type LifecycleName, nearest } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import { isObject } from '../json-object.ts';
import type {
  CommandEntry,
  DialectName,
  Effect,
  Effects,
  HandlerAnswer,
  ReadFile,
  SettingsFile,
  WrittenRule,
} from '../normal-form.ts';
import { readAnyText } from '../run/read-output.ts';
import { type Fields, nameSort, readFields } from './nested/fields.ts';
import { createReport, type Report } from './nested/report.ts';

/** An event of a format with flat entries. */
export interface FlatEvent {
  readonly hook: LifecycleName;
  readonly alsoAt?: LifecycleName;
  readonly only?: 'main';
  /** It is about a tool call, so a matcher applies. */
  readonly isTool?: true;
}

/** A format whose events hold lists of `{ matcher, command, … }`. */
export interface FlatFormat {
  readonly name: DialectName;
  readonly events: Readonly<Record<string, FlatEvent>>;
  /** Reads the keys that only this format has. If it refuses one, the entry is left out. */
  readMore(fields: Fields, eventName: string, report: Report): FlatMore;
  /** Reads an entry with an action, in the format that has rules. */
  readRule?(source: EntrySource, reading: Pick<Reading, 'file' | 'report'>): WrittenRule | undefined;
}

/** What the formats have different keys for. */
export interface FlatMore
  extends Pick<CommandEntry, 'effects'>,
    Partial<Pick<CommandEntry, 'condition' | 'priority' | 'isAwaited'>> {
  /** A matcher of more than the tool's name. */
  readonly inputMatchers?: JsonObject;
}

/** The default timeout in milliseconds: both documents say 5 seconds. */
const TIMEOUT_MS = 5_000;

/** No command finishes in less, so a smaller number means seconds. */
const SUSPICIOUS_MS = 100;

/** Reads a file. A wrong entry becomes a finding and is left out. */
export function readFlat(file: SettingsFile, format: FlatFormat): ReadFile {
  const report = createReport(file);
  const { hooks, path } = readHooks(file.content, format, report);
  const sources = Object.entries(hooks).flatMap(([eventName, list]) => {
    const at = [...path, eventName];
    if (!Object.hasOwn(format.events, eventName)) {
      report.error('unknown_event', at, unknownEvent(eventName, format));
      return [];
    }
    if (!Array.isArray(list)) {
      const problem = `${eventName} must be a list of { matcher, command }, and is ${nameSort(list as JsonValue)}.`;
      report.error('bad_shape', at, problem);
      return [];
    }
    return list.map((value, position): EntrySource => {
      return { eventName, value, position, path: [...at, position] };
    });
  });
  const reading = { file, format, report };
  const entries: CommandEntry[] = [];
  const rules: WrittenRule[] = [];
  for (const source of sources) {
    if (format.readRule !== undefined && isRule(source.value))
      rules.push(...[format.readRule(source, reading) ?? []].flat());
    else entries.push(...[readEntry(source, reading) ?? []].flat());
  }
  return { entries, rules, findings: report.findings };
}

/** The documents also show the events without the key `hooks` around them. */
function readHooks(
  content: JsonObject,
  { events }: FlatFormat,
  report: Report,
): { readonly hooks: JsonObject; readonly path: readonly string[] } {
  const { hooks } = content;
  if (isObject(hooks)) return { hooks, path: ['hooks'] };
  if (hooks !== undefined) {
    report.error(
      'bad_shape',
      ['hooks'],
      `hooks must be an object from events to lists, and is ${nameSort(hooks)}.`,
    );
    return { hooks: {}, path: [] };
  }
  const own = Object.entries(content).filter(([key]) => Object.hasOwn(events, key));
  for (const [key] of own)
    report.note(
      'no_hooks_key',
      [key],
      `${key} is at the top of the file and is read as if it were in "hooks".`,
    );
  return { hooks: Object.fromEntries(own), path: [] };
}

function unknownEvent(eventName: string, { events }: FlatFormat): string {
  const known = Object.keys(events);
  const meant = nearest(eventName, known);
  const hint = meant === undefined ? `The events are ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  return `There is no event "${eventName}". ${hint}`;
}

function isRule(value: JsonValue): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, 'action');
}

/** One element of the list of an event. */
export interface EntrySource {
  readonly eventName: string;
  readonly value: JsonValue;
  readonly position: number;
  readonly path: readonly (string | number)[];
}

interface Reading {
  readonly file: SettingsFile;
  readonly format: FlatFormat;
  readonly report: Report;
}

function readEntry(
  { eventName, value, position, path }: EntrySource,
  { file, format, report }: Reading,
): CommandEntry | undefined {
  if (!isObject(value)) {
    report.error('bad_shape', path, `An entry must be an object with a command, and is ${nameSort(value)}.`);
    return undefined;
  }
  const { hook, alsoAt, only, isTool } = format.events[eventName] as FlatEvent;
  const fields = readFields(value, path, report);
  const command = readCommand(fields);
  const matcher = readMatcher(fields, { eventName, isTool }, report);
  const timeoutMs = readTimeout(fields, report);
  const { inputMatchers, ...more } = format.readMore(fields, eventName, report);
  if (command === undefined || fields.isBroken) return undefined;
  fields.finish();
  const whole = inputMatchers === undefined ? matcher : { matcher: matcher ?? '.*', inputMatchers };
  return {
    id: file.entryId(format.name, eventName, position),
    dialect: format.name,
    layer: file.layer,
    position: file.findPosition(path),
    eventName,
    event: hook,
    ...(alsoAt === undefined ? {} : { alsoAt }),
    ...(only === undefined ? {} : { only }),
    ...(whole === undefined ? {} : { matcher: whole }),
    handler: { type: 'command', command },
    priority: 0,
    timeoutMs,
    rewrite: 'none',
    isAwaited: true,
    ...more,
  };
}

function readCommand(fields: Fields): string | undefined {
  const type = fields.text('type');
  if (type !== undefined && type !== 'command')
    fields.refuse(
      'type',
      'An entry of this format is a command. Remove "type", and write "command".',
      'unsupported_handler',
    );
  if (fields.has('hooks'))
    fields.refuse(
      'hooks',
      'An entry of this format has its command beside its matcher, not in a list "hooks". Move it out.',
      'bad_shape',
    );
  const command = fields.text('command');
  if (fields.has('command') || fields.isBroken) return command;
  const remedy = fields.has('action')
    ? 'It is a declarative rule: put it into a rule file, or into a hub file.'
    : 'Add "command": "…", a line for the shell.';
  fields.refuse('command', `This entry has no command. ${remedy}`, 'no_command');
  return undefined;
}

function readMatcher(
  fields: Fields,
  { eventName, isTool }: { readonly eventName: string; readonly isTool: true | undefined },
  report: Report,
): string | undefined {
  if (fields.value('matcher') === '') return undefined;
  const matcher = fields.text('matcher');
  if (matcher === undefined || isTool) return matcher;
  const message = `A matcher does not count on ${eventName}: the entry runs each time. Remove it.`;
  report.warning('matcher_ignored', [...fields.path, 'matcher'], message);
  return undefined;
}

function readTimeout(fields: Fields, report: Report): number {
  const ms = fields.time('timeout', 'milliseconds') ?? TIMEOUT_MS;
  if (durationInMs(ms) === undefined)
    fields.refuse('timeout', 'A timeout is between 1 and 2147483647 milliseconds (24 days).');
  else if (ms < SUSPICIOUS_MS) {
    const message = `Timeouts are in milliseconds: ${ms} ms end before a command can do anything. Write ${ms * 1_000} if seconds are meant.`;
    report.warning('suspicious_timeout', [...fields.path, 'timeout'], message);
  }
  return Math.ceil(ms);
}

/** The same effect for each way to fail. */
export function allEffects(effect: Effect): Effects {
  return {
    onBlockingExit: effect,
    onExit: effect,
    onTimeout: effect,
    onLaunchError: effect,
    onInvalidOutput: effect,
  };
}

/** Reports an entry that wants to block on an event that cannot. */
export function cannotBlock(
  fields: Fields,
  { key, eventName, gates }: { key: string; eventName: string; gates: string },
  report: Report,
): void {
  const message = `${key}: false does nothing on ${eventName}: only ${gates} can block. Remove it, or move the entry.`;
  report.warning('cannot_block', [...fields.path, key], message);
}

/** The actions of rules. */
const ACTIONS: readonly unknown[] = ['deny', 'allow', 'log', 'script'];

/**
 * The entries with a command, or with a rule's action, and no list `hooks` around it. Beside such lists an action says nothing of the format.
 * None, where more entries have such a list than have a command.
 */
export function flatEntriesIn(
  content: JsonObject,
  events: readonly string[],
): readonly (readonly [string, JsonObject])[] {
  const hooks = isObject(content.hooks) ? content.hooks : content;
  const entries = Object.entries(hooks).flatMap(([eventName, list]) => {
    if (!Array.isArray(list) || (hooks === content && !events.includes(eventName))) return [];
    return (list as JsonValue[]).filter(isObject).map((entry) => [eventName, entry] as const);
  });
  const flat = entries.filter(([, entry]) => !Array.isArray(entry.hooks));
  const isFlat = flat.length === entries.length;
  const found = flat.filter(
    ([, { command, action }]) => typeof command === 'string' || (isFlat && ACTIONS.includes(action)),
  );
  return found.length < entries.length - flat.length ? [] : found;
}

/** The text of a failed command: its errors, or else its output. */
export function selectWords({ stdout, stderr }: HandlerAnswer): string {
  return readAnyText(stderr).trim() || readAnyText(stdout).trim();
}
