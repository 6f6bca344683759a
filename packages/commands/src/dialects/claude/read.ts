import type { JsonObject } from 'type-fest';
import { dialectTraits } from '../../dialect-traits.ts';
import type { EntryHandler } from '../../entry-handler.ts';
import { isObject } from '../../json-object.ts';
import type { CommandEntry, ReadFile, SettingsFile } from '../../normal-form.ts';
import type { Fields } from '../nested/fields.ts';
import { reportForeignVariables } from '../nested/foreign-variables.ts';
import { type Group, readGroups } from '../nested/groups.ts';
import { createReport, type Report } from '../nested/report.ts';
import type { ClaudeEvent } from './events.ts';
import { readEffects } from './read-effects.ts';
import { readHandler } from './read-handler.ts';
import type { Shared } from './shared.ts';
import { readTimeoutMs } from './timeouts.ts';
import { reportVariables } from './variables.ts';
import { type ClaudeVariant, hasKey, type OwnKey, type Switches } from './variant.ts';

interface Reading extends Pick<Shared, 'variant' | 'options'> {
  readonly file: SettingsFile;
  readonly report: Report;
}

/** Reads a settings file or the `hooks.json` of a plugin. A wrong entry becomes a finding and is left out. */
export function readClaude(file: SettingsFile, { variant, options }: Omit<Shared, 'folder'>): ReadFile {
  const report = createReport(file);
  const { allBy, isOff } = readSwitches(file.content, variant);
  if (allBy !== undefined) {
    const message = `${allBy.words} switches the hooks of this file off: none is loaded.`;
    report.note('disabled', allBy.path, message);
    return { entries: [], findings: report.findings };
  }
  const positions = new Map<string, number>();
  const reading = { file, report, variant, options };
  const entries = findGroups(file.content, variant, report).flatMap((group) => {
    const shared = readGroup(group, reading);
    return group.handlers.flatMap((fields) => {
      const position = positions.get(group.eventName) ?? 0;
      positions.set(group.eventName, position + 1);
      if (group.fields.isBroken) return [];
      if (isOff?.([fields.value('name'), fields.value('command')].map(String))) {
        report.note('disabled', fields.path, 'The file switches this hook off by its name or its command.');
        return [];
      }
      return readEntry({ ...shared, eventName: group.eventName, fields, position }, reading) ?? [];
    });
  });
  return { entries, findings: report.findings };
}

function readSwitches(content: JsonObject, variant: ClaudeVariant): Switches {
  if (variant.readSwitches !== undefined) return variant.readSwitches(content);
  const isOff = dialectTraits[variant.name].switches?.includes('disableAllHooks');
  if (!isOff || content.disableAllHooks !== true) return {};
  return { allBy: { words: '"disableAllHooks": true', path: ['disableAllHooks'] } };
}

function findGroups(content: JsonObject, variant: ClaudeVariant, report: Report): readonly Group[] {
  const { hooks } = content;
  const known = Object.keys(variant.events);
  const names = { known, unsupported: variant.unsupported };
  const lists = Object.entries(content).filter(([, value]) => Array.isArray(value));
  const bare = findBareEvents(content, variant);
  if (hooks === undefined && variant.takesBareEvents && bare.length > 0)
    return readGroups(Object.fromEntries(lists), { ...names, at: [] }, report);
  for (const key of bare) reportEventOutside(key, report);
  if (isObject(hooks)) return readGroups(withoutKeys(hooks, variant), names, report);
  if (hooks !== undefined)
    report.error('bad_shape', ['hooks'], 'hooks must be an object from events to lists.');
  return [];
}

function withoutKeys(hooks: Readonly<JsonObject>, { keysInHooks = [] }: ClaudeVariant): JsonObject {
  return Object.fromEntries(Object.entries(hooks).filter(([key]) => !keysInHooks.includes(key)));
}

/** The events that stand at the top of a file. */
export function findBareEvents(content: JsonObject, { events }: ClaudeVariant): string[] {
  return Object.keys(content).filter((key) => Object.hasOwn(events, key) && Array.isArray(content[key]));
}

/** An event beside `hooks` looks like a guard and never runs. */
function reportEventOutside(key: string, report: Report): void {
  const message = `${key} is at the top of the file and never runs. Move it into "hooks".`;
  report.error('no_hooks_key', [key], message);
}

/** What the hooks of a group share. */
function readGroup({ eventName, fields }: Group, { variant, report }: Reading): GroupParts {
  const matcher = readMatcher({ eventName, fields }, variant, report);
  const isSequential = hasKey(variant, 'sequential') && fields.flag('sequential') === true;
  fields.finish();
  return { matcher, isSequential };
}

/** `undefined`: everything matches. */
function readMatcher(
  { eventName, fields }: Pick<Group, 'eventName' | 'fields'>,
  { events }: ClaudeVariant,
  report: Report,
): string | undefined {
  if (fields.value('matcher') === '') return undefined;
  const matcher = fields.text('matcher');
  if (matcher === undefined || matcher === '*') return undefined;
  if (events[eventName]?.tested !== undefined) return matcher;
  report.note(
    'matcher_ignored',
    [...fields.path, 'matcher'],
    `Matchers do not count on ${eventName}: its hooks always run.`,
  );
  return undefined;
}

interface GroupParts {
  readonly matcher: string | undefined;
  readonly isSequential: boolean;
}

interface EntrySource extends GroupParts {
  readonly eventName: string;
  readonly fields: Fields;
  readonly position: number;
}

function readEntry(source: EntrySource, reading: Reading): CommandEntry | undefined {
  const { eventName, fields } = source;
  const { file, report, options, variant } = reading;
  const event = variant.events[eventName] as ClaudeEvent;
  const handler = readHandler(fields, variant, report);
  const place = { eventName, type: handler?.type ?? 'command' } as const;
  const timeoutMs = readTimeoutMs(fields, { ...place, timeouts: variant.timeouts }, report);
  const parts = readParts(source, reading);
  const { condition, isAwaited } = parts;
  const effects = readEffects(fields, { event, type: place.type, isAwaited, variant }, report);
  if (condition !== undefined && event.isTool === undefined)
    fields.refuse(
      'if',
      `"if" counts on events of tools alone: with it a hook of ${eventName} never runs. Remove it.`,
      'never_runs',
    );
  if (handler !== undefined) fields.finish();
  if (handler === undefined || fields.isBroken) return undefined;
  reportUnset(handler, { file: file.file, eventName, path: fields.path }, { report, options, variant });
  return {
    id: file.entryId(variant.name, eventName, source.position),
    dialect: variant.name,
    layer: file.layer,
    position: file.findPosition(fields.path),
    eventName,
    event: event.hook,
    ...(event.alsoAt === undefined ? {} : { alsoAt: event.alsoAt }),
    ...(event.only === undefined ? {} : { only: event.only }),
    ...(source.matcher === undefined ? {} : { matcher: source.matcher }),
    ...(condition === undefined ? {} : { condition }),
    handler,
    priority: 0,
    timeoutMs,
    effects,
    rewrite: event.decidesBy === undefined ? 'none' : (event.rewrite ?? 'replace'),
    ...parts,
  };
}

type EntryParts = Pick<
  CommandEntry,
  'isAwaited' | 'isOnce' | 'isSequential' | 'statusMessage' | 'condition' | 'name'
>;

/** What is read alike whatever the hook runs. */
function readParts({ fields, isSequential }: EntrySource, { variant, report }: Reading): EntryParts {
  const text = (own: OwnKey): string | undefined => (hasKey(variant, own) ? fields.text(own) : undefined);
  const condition = text('if');
  const isAwaited = !readAsync(fields, variant, report);
  const isOnce = hasKey(variant, 'once') && readOnce(fields, report);
  const name = text('name');
  const statusMessage = text('statusMessage');
  return {
    isAwaited,
    ...(condition === undefined ? {} : { condition }),
    ...(isOnce ? { isOnce } : {}),
    ...(isSequential ? { isSequential } : {}),
    ...(name === undefined ? {} : { name }),
    ...(statusMessage === undefined ? {} : { statusMessage }),
  };
}

/** Reports variables that a command finds empty. */
function reportUnset(
  handler: EntryHandler,
  place: { readonly file: string; readonly eventName: string; readonly path: Fields['path'] },
  { report, options, variant: { given } }: Omit<Reading, 'file'>,
): void {
  if (handler.type !== 'command') return;
  const text = [handler.command, ...(handler.args ?? [])].join('\n');
  if (given === undefined) reportVariables(handler, place, { report, options });
  else reportForeignVariables(text, [...place.path, 'command'], { ...given, report });
}

function readAsync(fields: Fields, variant: ClaudeVariant, report: Report): boolean {
  const isAsync = hasKey(variant, 'async') && (fields.flag('async') ?? false);
  if (!hasKey(variant, 'asyncRewake')) return isAsync;
  const rewakes = fields.flag('asyncRewake') ?? false;
  for (const key of ['rewakeMessage', 'rewakeSummary']) fields.text(key);
  if (!rewakes) return isAsync;
  report.warning(
    'no_rewake',
    [...fields.path, 'asyncRewake'],
    'The hook runs in the background, but what it finds does not wake the model. Remove asyncRewake to let the turn wait for it.',
  );
  return true;
}

function readOnce(fields: Fields, report: Report): boolean {
  const isOnce = fields.flag('once') ?? false;
  if (isOnce)
    report.note(
      'once',
      [...fields.path, 'once'],
      'This hook runs once in a session. In a settings file Claude Code ignores "once".',
    );
  return isOnce;
}
