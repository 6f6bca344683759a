import { dirname, resolve } from 'node:path';
import type { JsonObject } from 'type-fest';
import type { EntryHandler } from '../../entry-handler.ts';
import { isGate } from '../../gates.ts';
import { isObject } from '../../json-object.ts';
import type { CommandEntry, Effects, ReadFile, SettingsFile } from '../../normal-form.ts';
import type { Fields } from '../nested/fields.ts';
import { reportForeignVariables } from '../nested/foreign-variables.ts';
import { type ListedEntry, readLists } from '../nested/lists.ts';
import { createReport, type Report } from '../nested/report.ts';
import { type CursorEvent, cursorEvents, cursorUnsupported } from './events.ts';

/** Reads a `hooks.json` of Cursor. A wrong entry becomes a finding and is left out. */
export function readCursor(file: SettingsFile): ReadFile {
  const report = createReport(file);
  const { hooks, version } = file.content;
  if (!isObject(hooks)) {
    if (hooks !== undefined)
      report.error('bad_shape', ['hooks'], 'hooks must be an object from events to lists.');
    return { entries: [], findings: report.findings };
  }
  if (!Number.isInteger(version) || (version as number) < 1)
    report.warning('no_version', ['hooks'], 'Cursor refuses a file without "version": 1 at its top. Add it.');
  const names = { known: Object.keys(cursorEvents), unsupported: cursorUnsupported };
  const positions = new Map<string, number>();
  const entries = readLists(hooks as JsonObject, names, report).flatMap((listed) => {
    const position = positions.get(listed.eventName) ?? 0;
    positions.set(listed.eventName, position + 1);
    return readEntry(listed, position, { file, report }) ?? [];
  });
  return { entries, findings: report.findings };
}

const SECONDS = 60;
const MOST_SECONDS = 2_147_483;
const SUSPICIOUS_SECONDS = 1_000;

function readEntry(
  { eventName, fields }: ListedEntry,
  position: number,
  { file, report }: { readonly file: SettingsFile; readonly report: Report },
): CommandEntry | undefined {
  const event = cursorEvents[eventName] as CursorEvent;
  const handler = readHandler(fields, file);
  const matcher = readMatcher(fields, { eventName, event }, report);
  const timeoutMs = readTimeout(fields, report);
  const isClosed = fields.flag('failClosed') ?? false;
  const roundLimit = readRounds(fields);
  fields.finish();
  if (handler === undefined || fields.isBroken) return undefined;
  reportCommand(handler, fields, report);
  return {
    id: file.entryId('cursor', eventName, position),
    dialect: 'cursor',
    layer: file.layer,
    position: file.findPosition(fields.path),
    eventName,
    event: event.hook,
    ...(event.alsoAt === undefined ? {} : { alsoAt: event.alsoAt }),
    ...(event.only === undefined ? {} : { only: event.only }),
    ...(matcher === undefined ? {} : { matcher: event.testsLine ? { commands: matcher } : matcher }),
    handler,
    priority: 0,
    timeoutMs,
    effects: readEffects(event, isClosed),
    rewrite: event.rewrite ?? 'none',
    isAwaited: true,
    ...(roundLimit === undefined ? {} : { roundLimit }),
  };
}

function readHandler(fields: Fields, file: SettingsFile): EntryHandler | undefined {
  const type = fields.word('type', ['command', 'prompt']) ?? 'command';
  const key = type === 'prompt' ? 'prompt' : 'command';
  const words = fields.text(key);
  if (words === undefined && !fields.isBroken) fields.refuse(key, `This hook has no "${key}". Add it.`);
  if (words === undefined || fields.isBroken) return undefined;
  if (type === 'prompt') {
    const model = fields.text('model');
    return { type, prompt: words, ...(model === undefined ? {} : { model }) };
  }
  // Hooks of the user run where their file is.
  const cwd = file.layer === 'user' ? { cwd: dirname(resolve(file.file)) } : {};
  return { type, command: words, shell: 'bash', ...cwd };
}

/** `undefined`: everything matches. */
function readMatcher(
  fields: Fields,
  { eventName, event }: { readonly eventName: string; readonly event: CursorEvent },
  report: Report,
): string | undefined {
  if (fields.value('matcher') === '') return undefined;
  const matcher = fields.text('matcher');
  if (matcher === undefined || matcher === '*') return undefined;
  if (event.tested !== undefined) return matcher;
  const message = `Matchers do not count on ${eventName}: its hooks always run.`;
  report.note('matcher_ignored', [...fields.path, 'matcher'], message);
  return undefined;
}

function readTimeout(fields: Fields, report: Report): number {
  const seconds = fields.time('timeout', 'seconds') ?? SECONDS;
  if (seconds > MOST_SECONDS)
    fields.refuse('timeout', `A timeout has at most ${MOST_SECONDS} seconds (24 days).`);
  else if (seconds >= SUSPICIOUS_SECONDS) {
    const message = `Timeouts are in seconds: ${seconds} are ${Math.round(seconds / 60)} minutes. Write ${seconds / 1_000} if milliseconds are meant.`;
    report.warning('suspicious_timeout', [...fields.path, 'timeout'], message);
  }
  return Math.ceil(seconds * 1_000);
}

/** How often an answer may keep a turn going; without a limit as often as the runtime lets it. */
function readRounds(fields: Fields): number | undefined {
  if (fields.value('loop_limit') === null) return Number.MAX_SAFE_INTEGER;
  return fields.number('loop_limit');
}

/** A failure lets pass what an event is about, unless the entry says otherwise; an unreadable answer to a question does not. */
function readEffects({ hook, blocking, isStrict }: CursorEvent, isClosed: boolean): Effects {
  const failure = isClosed && isGate(hook) ? 'block' : 'continue';
  return {
    onBlockingExit: blocking === 'deny' ? 'block' : 'continue',
    onExit: failure,
    onTimeout: failure,
    onLaunchError: failure,
    onInvalidOutput: isStrict ? 'block' : failure,
  };
}

const GIVEN = {
  names: ['CURSOR_PROJECT_DIR', 'CURSOR_VERSION', 'CURSOR_TRANSCRIPT_PATH', 'CLAUDE_PROJECT_DIR'],
  instead: 'The input of a hook is JSON on its standard input: read it with jq -r .command.',
};

function reportCommand(handler: EntryHandler, fields: Fields, report: Report): void {
  if (handler.type !== 'command') return;
  const path = [...fields.path, 'command'];
  reportForeignVariables(handler.command, path, { ...GIVEN, report });
  if (!handler.command.includes('//')) return;
  const message = 'Cursor cuts a line of the file at //, inside of texts too. Put the command into a script.';
  report.warning('cut_at_slashes', path, message);
}
