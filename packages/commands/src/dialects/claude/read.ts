import type { JsonObject } from 'type-fest';
import { isGate } from '../../gates.ts';
import { isObject } from '../../json-object.ts';
import type { CommandEntry, Effect, Effects, ReadFile, SettingsFile } from '../../normal-form.ts';
import type { Fields } from '../nested/fields.ts';
import { type Group, readGroups } from '../nested/groups.ts';
import { createReport, type Report } from '../nested/report.ts';
import { type ClaudeEvent, claudeEvents, unsupportedEvents } from './events.ts';
import type { ClaudeOptions } from './options.ts';
import { readHandler } from './read-handler.ts';
import { readTimeoutMs } from './timeouts.ts';
import { reportVariables } from './variables.ts';

interface Reading {
  readonly file: SettingsFile;
  readonly report: Report;
  readonly options: ClaudeOptions;
}

/** Reads a settings file or the `hooks.json` of a plugin. A wrong entry becomes a finding and is left out. */
export function readClaude(file: SettingsFile, options: ClaudeOptions): ReadFile {
  const report = createReport(file);
  const { hooks, disableAllHooks } = file.content;
  if (disableAllHooks === true) {
    report.note(
      'disabled',
      ['disableAllHooks'],
      '"disableAllHooks": true switches the hooks of this file off: none is loaded.',
    );
    return { entries: [], findings: report.findings };
  }
  reportEventsOutside(file.content, report);
  if (hooks !== undefined && !isObject(hooks))
    report.error('bad_shape', ['hooks'], 'hooks must be an object from events to lists.');
  const names = { known: Object.keys(claudeEvents), unsupported: unsupportedEvents };
  const groups = isObject(hooks) ? readGroups(hooks as JsonObject, names, report) : [];
  const positions = new Map<string, number>();
  const entries = groups.flatMap((group) => {
    const matcher = readMatcher(group, report);
    group.fields.finish();
    return group.handlers.flatMap((fields) => {
      const position = positions.get(group.eventName) ?? 0;
      positions.set(group.eventName, position + 1);
      if (group.fields.isBroken) return [];
      return (
        readEntry({ eventName: group.eventName, matcher, fields, position }, { file, report, options }) ?? []
      );
    });
  });
  return { entries, findings: report.findings };
}

/** An event beside `hooks` looks like a guard and never runs. */
function reportEventsOutside(content: JsonObject, report: Report): void {
  for (const [key, value] of Object.entries(content)) {
    if (!Object.hasOwn(claudeEvents, key) || !Array.isArray(value)) continue;
    report.error(
      'no_hooks_key',
      [key],
      `${key} is at the top of the file and never runs. Move it into "hooks".`,
    );
  }
}

/** `undefined`: everything matches. */
function readMatcher({ eventName, fields }: Group, report: Report): string | undefined {
  if (fields.value('matcher') === '') return undefined;
  const matcher = fields.text('matcher');
  if (matcher === undefined || matcher === '*') return undefined;
  if (claudeEvents[eventName]?.tested !== undefined) return matcher;
  report.note(
    'matcher_ignored',
    [...fields.path, 'matcher'],
    `Matchers do not count on ${eventName}: its hooks always run.`,
  );
  return undefined;
}

interface EntrySource {
  readonly eventName: string;
  readonly matcher: string | undefined;
  readonly fields: Fields;
  readonly position: number;
}

function readEntry(
  { eventName, matcher, fields, position }: EntrySource,
  reading: Reading,
): CommandEntry | undefined {
  const { file, report, options } = reading;
  const event = claudeEvents[eventName] as ClaudeEvent;
  const handler = readHandler(fields, report);
  const timeoutMs = readTimeoutMs(fields, { eventName, type: handler?.type ?? 'command' }, report);
  const condition = fields.text('if');
  const effects = readEffects(fields, event);
  const isAsync = readAsync(fields, report);
  const isOnce = readOnce(fields, report);
  const statusMessage = fields.text('statusMessage');
  if (condition !== undefined && event.isTool === undefined)
    fields.refuse(
      'if',
      `"if" counts on events of tools alone: with it a hook of ${eventName} never runs. Remove it.`,
      'never_runs',
    );
  if (handler !== undefined) fields.finish();
  if (handler === undefined || fields.isBroken) return undefined;
  if (handler.type === 'command')
    reportVariables(handler, { file: file.file, eventName, path: fields.path }, { report, options });
  return {
    id: file.entryId('claude', eventName, position),
    dialect: 'claude',
    layer: file.layer,
    position: file.findPosition(fields.path),
    eventName,
    event: event.hook,
    ...(event.only === undefined ? {} : { only: event.only }),
    ...(statusMessage === undefined ? {} : { statusMessage }),
    ...(matcher === undefined ? {} : { matcher }),
    ...(condition === undefined ? {} : { condition }),
    handler,
    priority: 0,
    timeoutMs,
    effects,
    rewrite: event.decidesBy === undefined ? 'none' : 'replace',
    isAwaited: !isAsync,
    ...(isOnce ? { isOnce } : {}),
  };
}

const EFFECTS: readonly Effect[] = ['continue', 'block', 'ask'];

/** Failures never block in this format, unless an entry says so. */
function readEffects(fields: Fields, event: ClaudeEvent): Effects {
  const guardsSomething = isGate(event.hook);
  const failure = fields.word('onFailure', EFFECTS) ?? 'continue';
  const timeout = fields.word('onTimeout', EFFECTS) ?? failure;
  const onFailure = guardsSomething ? failure : 'continue';
  return {
    onBlockingExit:
      event.ignoresExit2 || event.blocking === 'feedback' || event.blocking === 'tell' ? 'continue' : 'block',
    onExit: onFailure,
    onTimeout: guardsSomething ? timeout : 'continue',
    onLaunchError: onFailure,
    onInvalidOutput: onFailure,
  };
}

function readAsync(fields: Fields, report: Report): boolean {
  const isAsync = fields.flag('async') ?? false;
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
