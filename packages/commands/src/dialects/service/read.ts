import type { JsonObject } from 'type-fest';
import { isObject } from '../../json-object.ts';
import type { CommandEntry, Effects, ReadFile, SettingsFile } from '../../normal-form.ts';
import { type Fields, readFields } from '../nested/fields.ts';
import { reportForeignVariables } from '../nested/foreign-variables.ts';
import { type Group, readGroups } from '../nested/groups.ts';
import { createReport, type Report } from '../nested/report.ts';
import { CONFIG_KEYS, type Environment, readConfig, type ServiceConfig } from './config.ts';
import { type ServiceEvent, serviceEvents } from './events.ts';

/** Reads a file (§12e.3): what is wrong in it is a finding, and costs that entry alone. */
export function readService(file: SettingsFile, environment: Environment): ReadFile {
  const report = createReport(file);
  const { hooks } = file.content;
  if (!isObject(hooks)) {
    if (hooks !== undefined)
      report.error('bad_shape', ['hooks'], 'hooks must be an object from events to lists.');
    return { entries: [], findings: report.findings };
  }
  const config = readConfig(readFields(hooks, ['hooks'], report), environment, report);
  if (!config.isEnabled) {
    const by =
      Object.hasOwn(hooks, 'enabled') && environment.HOOKS_ENABLED === undefined
        ? '"enabled": false'
        : 'HOOKS_ENABLED';
    report.note('disabled', ['hooks'], `${by} switches the hooks of this file off: none is loaded.`);
    return { entries: [], findings: report.findings };
  }
  const entries = readEntries(pickEvents(hooks), { file, report, config });
  noteDefaults(entries, { report, config });
  const { maxConcurrent } = config;
  return { entries, findings: report.findings, ...(maxConcurrent === undefined ? {} : { maxConcurrent }) };
}

function pickEvents(hooks: Readonly<JsonObject>): JsonObject {
  return Object.fromEntries(Object.entries(hooks).filter(([key]) => !CONFIG_KEYS.includes(key)));
}

interface Reading {
  readonly file: SettingsFile;
  readonly report: Report;
  readonly config: ServiceConfig;
}

function readEntries(events: JsonObject, reading: Reading): CommandEntry[] {
  const positions = new Map<string, number>();
  const groups = readGroups(
    events,
    { known: Object.keys(serviceEvents), alsoKnown: CONFIG_KEYS },
    reading.report,
  );
  return groups.flatMap((group) => {
    const common = readGroup(group, reading.report);
    return group.handlers.flatMap((fields) => {
      const position = positions.get(group.eventName) ?? 0;
      positions.set(group.eventName, position + 1);
      return group.fields.isBroken ? [] : (readEntry({ group, fields, position, common }, reading) ?? []);
    });
  });
}

type Common = Pick<CommandEntry, 'name' | 'matcher'>;

const CONDITIONS = ['tools', 'paths', 'commands'];

/** What the entries of a group share. */
function readGroup({ eventName, fields }: Group, report: Report): Common {
  const name = fields.text('name');
  const matcher = fields.object('matcher');
  fields.finish();
  if (matcher === undefined) return name === undefined ? {} : { name };
  const inner = readFields(matcher, [...fields.path, 'matcher'], report);
  const conditions = CONDITIONS.map((key) => inner.text(key));
  inner.finish();
  if (inner.isBroken)
    fields.refuse(
      'matcher',
      'The matcher has a condition that is no text: without it the hooks would run for too much.',
    );
  if (conditions.some((text) => text !== undefined) && serviceEvents[eventName]?.isTool === undefined)
    report.note(
      'matcher_ignored',
      inner.path,
      `Matchers count on tools alone: the hooks of ${eventName} always run.`,
    );
  return { ...(name === undefined ? {} : { name }), matcher };
}

interface EntrySource {
  readonly group: Group;
  readonly fields: Fields;
  readonly position: number;
  readonly common: Common;
}

function readEntry(
  { group, fields, position, common }: EntrySource,
  { file, report, config }: Reading,
): CommandEntry | undefined {
  const { eventName } = group;
  const event = serviceEvents[eventName] as ServiceEvent;
  const type = fields.text('type');
  const command = fields.text('command');
  const timeoutMs = readTimeout(fields, report) ?? config.timeoutMs;
  const statusMessage = fields.text('statusMessage');
  if (!fields.isBroken && type !== 'command')
    fields.refuse(
      'type',
      'A hook of this format has the type "command". Write "type": "command".',
      'unsupported_handler',
    );
  if (!fields.isBroken && command === undefined)
    fields.refuse('command', 'This hook has no "command". Add it.');
  fields.finish();
  if (command === undefined || fields.isBroken) return undefined;
  reportForeignVariables(command, [...fields.path, 'command'], { ...GIVEN, report });
  return {
    id: file.entryId('service', eventName, position),
    dialect: 'service',
    layer: file.layer,
    position: file.findPosition(fields.path),
    eventName,
    event: event.hook,
    ...(event.only === undefined ? {} : { only: event.only }),
    ...common,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    handler: { type: 'command', command },
    priority: 0,
    timeoutMs,
    effects: readEffects(event, config),
    rewrite: event.rewrite ?? 'none',
    isAwaited: true,
  };
}

const GIVEN = {
  names: ['FILE_PATH'],
  instead:
    'The input of a hook is JSON on its standard input: read it with jq -r .tool_input.command, for example.',
};

/** What a file with such a number of seconds means is milliseconds. */
const SUSPICIOUS_SECONDS = 1_000;
const MOST_SECONDS = 2_147_483;

function readTimeout(fields: Fields, report: Report): number | undefined {
  const seconds = fields.time('timeout', 'seconds');
  if (seconds === undefined) return undefined;
  if (seconds > MOST_SECONDS)
    fields.refuse('timeout', `A timeout has at most ${MOST_SECONDS} seconds (24 days).`);
  else if (seconds >= SUSPICIOUS_SECONDS) {
    const message = `Timeouts are in seconds: ${seconds} are ${Math.round(seconds / 60)} minutes. Write ${seconds / 1_000} if milliseconds are meant.`;
    report.warning('suspicious_timeout', [...fields.path, 'timeout'], message);
  }
  return Math.ceil(seconds * 1_000);
}

/**
 * What is silent about timeouts and failures: before a tool or a permission they deny (design §4.2), a prompt is let through,
 * since its hooks add context.
 */
function readEffects(
  { isGate, onExit2, silentEffect: silent = 'block' }: ServiceEvent,
  { onTimeout, onFailure }: ServiceConfig,
): Effects {
  const failure = isGate ? (onFailure ?? silent) : 'continue';
  return {
    onBlockingExit: onExit2,
    onExit: failure,
    onTimeout: isGate ? (onTimeout ?? silent) : 'continue',
    onLaunchError: failure,
    onInvalidOutput: failure,
  };
}

function noteDefaults(entries: readonly CommandEntry[], { report, config }: Omit<Reading, 'file'>): void {
  if (!entries.some(({ eventName }) => eventName === 'PreToolUse' || eventName === 'PermissionRequest'))
    return;
  const silent = [
    ...(config.onTimeout === undefined ? ['timeoutBehavior'] : []),
    ...(config.onFailure === undefined ? ['failureBehavior'] : []),
  ];
  if (silent.length === 0) return;
  const keys = silent.join(' and ');
  report.note(
    'default_behavior',
    ['hooks'],
    `The file does not say ${keys}: before a tool or a permission, a hook that does not succeed denies. Write "ignore" to let the call pass.`,
  );
}
