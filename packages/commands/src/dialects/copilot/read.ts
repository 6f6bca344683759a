import type { JsonObject } from 'type-fest';
import { isObject } from '../../json-object.ts';
import type { CommandEntry, Effects, ReadFile, SettingsFile } from '../../normal-form.ts';
import { type Fields, readFields } from '../nested/fields.ts';
import { reportForeignVariables } from '../nested/foreign-variables.ts';
import { type ListedEntry, readLists } from '../nested/lists.ts';
import { createReport, type Report } from '../nested/report.ts';
import { type CopilotEvent, copilotEvents, copilotUnsupported } from './events.ts';
import { isVsCodeForm, readCopilotHandler, VS_CODE } from './read-handler.ts';

interface Reading {
  readonly file: SettingsFile;
  readonly report: Report;
}

/** Reads a file of hooks, or the settings, of Copilot. A wrong entry becomes a finding and is left out. */
export function readCopilot(file: SettingsFile): ReadFile {
  const report = createReport(file);
  const { hooks, disableAllHooks, disabledHooks } = file.content;
  if (disableAllHooks === true) {
    const message = '"disableAllHooks": true switches the hooks of this file off: none is loaded.';
    report.note('disabled', ['disableAllHooks'], message);
    return { entries: [], findings: report.findings };
  }
  if (Array.isArray(disabledHooks) && disabledHooks.length > 0) {
    const message =
      'What the names in "disabledHooks" stand for is not documented: all hooks of this file run here.';
    report.warning('switch_not_read', ['disabledHooks'], message);
  }
  if (hooks !== undefined && !isObject(hooks))
    report.error('bad_shape', ['hooks'], 'hooks must be an object from events to lists.');
  const names = { known: Object.keys(copilotEvents), unsupported: copilotUnsupported };
  const listed = isObject(hooks) ? readLists(hooks as JsonObject, names, report) : [];
  const positions = new Map<string, number>();
  const entries = listed
    .flatMap((one) => openGroup(one, report))
    .flatMap((one) => {
      const position = positions.get(one.eventName) ?? 0;
      positions.set(one.eventName, position + 1);
      return readEntry(one, position, { file, report }) ?? [];
    });
  return { entries, findings: report.findings };
}

/** An entry, with the matcher of the group around it. */
interface FoundEntry {
  readonly eventName: string;
  readonly fields: Fields;
  readonly matcherFields: Fields;
}

/** The groups of Claude Code's form are read, one level deep. */
function openGroup({ eventName, fields, value }: ListedEntry, report: Report): FoundEntry[] {
  if (!fields.has('hooks')) return [{ eventName, fields, matcherFields: fields }];
  const inner = fields.value('hooks');
  fields.value('matcher');
  fields.finish();
  const list = Array.isArray(value.hooks) ? value.hooks : undefined;
  if (inner === undefined || list === undefined) {
    report.error('bad_shape', [...fields.path, 'hooks'], 'hooks must be a list of hooks.');
    return [];
  }
  return list.flatMap((item, i) => {
    const path = [...fields.path, 'hooks', i];
    if (isObject(item)) return [{ eventName, fields: readFields(item, path, report), matcherFields: fields }];
    report.error('bad_shape', path, 'A hook must be an object such as { "bash": "…" }.');
    return [];
  });
}

function readEntry(
  { eventName, fields, matcherFields }: FoundEntry,
  position: number,
  { file, report }: Reading,
): CommandEntry | undefined {
  const event = copilotEvents[eventName] as CopilotEvent;
  const isVsCode = isVsCodeForm(fields);
  const handler = readCopilotHandler(fields);
  const matcher = readMatcher(matcherFields, { eventName, event, isVsCode }, report);
  const timeoutMs = readTimeout(fields, report);
  if (handler !== undefined) fields.finish();
  if (handler === undefined || fields.isBroken || matcherFields.isBroken) return undefined;
  if (handler.type === 'command') reportForeignVariables(handler.command, fields.path, { ...GIVEN, report });
  return {
    id: file.entryId('copilot', eventName, position),
    dialect: 'copilot',
    layer: file.layer,
    position: file.findPosition(fields.path),
    eventName,
    event: event.hook,
    ...(event.only === undefined ? {} : { only: event.only }),
    ...(matcher === undefined ? {} : { matcher }),
    handler,
    priority: 0,
    timeoutMs,
    effects: readEffects(event, handler.type === 'command' && !isVsCode),
    rewrite: event.rewrite ?? 'none',
    isAwaited: event.isDetached === undefined,
    ...(isVsCode ? { form: VS_CODE } : {}),
  };
}

const GIVEN = {
  names: [
    'COPILOT_CLI',
    'COPILOT_PROJECT_DIR',
    'CLAUDE_PROJECT_DIR',
    'COPILOT_PLUGIN_ROOT',
    'CLAUDE_PLUGIN_ROOT',
  ],
  instead: 'The input of a hook is JSON on its standard input: read it with jq -r .toolArgs.command.',
};

const ALL = ['', '*', '**'];

/** `undefined`: everything matches. */
function readMatcher(
  fields: Fields,
  {
    eventName,
    event,
    isVsCode,
  }: { readonly eventName: string; readonly event: CopilotEvent; readonly isVsCode: boolean },
  report: Report,
): string | undefined {
  if (fields.value('matcher') === '') return undefined;
  const matcher = fields.text('matcher');
  if (matcher === undefined || ALL.includes(matcher)) return undefined;
  if (event.tested !== undefined && !isVsCode) return matcher;
  const where = isVsCode ? 'in the form of VS Code' : `on ${eventName}`;
  report.note(
    'matcher_ignored',
    [...fields.path, 'matcher'],
    `Matchers do not count ${where}: the hook always runs.`,
  );
  return undefined;
}

const SECONDS = 30;
const MOST_SECONDS = 2_147_483;
const SUSPICIOUS_SECONDS = 1_000;

function readTimeout(fields: Fields, report: Report): number {
  const alias = fields.time('timeout', 'seconds');
  const own = fields.time('timeoutSec', 'seconds');
  const key = own === undefined ? 'timeout' : 'timeoutSec';
  const seconds = own ?? alias ?? SECONDS;
  if (seconds > MOST_SECONDS) fields.refuse(key, `A timeout has at most ${MOST_SECONDS} seconds (24 days).`);
  else if (seconds >= SUSPICIOUS_SECONDS) {
    const message = `Timeouts are in seconds: ${seconds} are ${Math.round(seconds / 60)} minutes. Write ${seconds / 1_000} if milliseconds are meant.`;
    report.warning('suspicious_timeout', [...fields.path, key], message);
  }
  return Math.ceil(seconds * 1_000);
}

/** Before a tool Copilot CLI takes an error of a command for a refusal; a timeout and an address let the call pass. */
function readEffects({ onExit2, refusesErrors }: CopilotEvent, isCli: boolean): Effects {
  const onError = refusesErrors && isCli ? 'block' : 'continue';
  return {
    onBlockingExit: onExit2 === 'block' ? 'block' : 'continue',
    onExit: onError,
    onTimeout: 'continue',
    onLaunchError: onError,
    onInvalidOutput: 'continue',
  };
}
