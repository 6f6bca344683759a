// Convert: writes entries in the form of another format and says what is lost. The application and `spec-hooks convert` call it; it never reads or writes a file.

import { checkOptionNames, DefinitionError } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { dialectTraits } from '../dialect-traits.ts';
import { isDeciding } from '../gates.ts';
import { dialectsWith, recogniseDialect } from '../load/dialects.ts';
import type { CommandEntry, Dialect, DialectName, Finding, ReadFile, WrittenRule } from '../normal-form.ts';
import { parseSettings } from '../settings-file.ts';
import { claudeWriter, codexWriter, factoryWriter, geminiWriter, qwenWriter } from './claude.ts';
import { findLosses } from './compare.ts';
import { copilotWriter } from './copilot.ts';
import { cursorWriter } from './cursor.ts';
import { hubWriter } from './hub.ts';
import type { Loss } from './losses.ts';
import { makeMatcherModel } from './matcher-model.ts';
import { serviceWriter } from './service.ts';
import { settingsWriter } from './settings.ts';
import { type HookModule, modulesFor } from './typescript.ts';
import { writeShellLine } from './write-shell-line.ts';
import { eventNameFor, type WritableEntry, type Writer } from './writer.ts';

const writers: Readonly<Record<DialectName, Writer>> = {
  settings: settingsWriter,
  hub: hubWriter,
  service: serviceWriter,
  claude: claudeWriter,
  qwen: qwenWriter,
  factory: factoryWriter,
  codex: codexWriter,
  gemini: geminiWriter,
  cursor: cursorWriter,
  copilot: copilotWriter,
};

export interface ConvertOptions<To extends DialectName | 'typescript' = DialectName | 'typescript'> {
  /** Default: the file's key `dialect`, or else the shape of its entries. */
  readonly from?: DialectName;
  readonly to: To;
  /** The file name that positions show. Default `settings.json`. */
  readonly file?: string;
}

/** A settings file in another format. */
export interface ConvertedFile {
  readonly content: JsonObject;
  /** Every field without a counterpart, every converted unit, every dropped entry. */
  readonly losses: readonly Loss[];
}

/** A settings file as TypeScript. */
export interface ConvertedModules {
  /** One for each entry, in the order in which they run. */
  readonly modules: readonly HookModule[];
  readonly losses: readonly Loss[];
}

/**
 * Converts the hooks of a settings file into another format, or into TypeScript modules with `defineHook`.
 *
 * The result is read back as the target format reads it and compared with the source. Every difference is a loss, so nothing is lost silently.
 *
 * @param config the text of the file (JSON with comments), or its parsed content
 * @throws {DefinitionError} `bad_definition` if the file cannot be read at all
 */
export function convert(config: string | JsonObject, options: ConvertOptions<DialectName>): ConvertedFile;
export function convert(config: string | JsonObject, options: ConvertOptions<'typescript'>): ConvertedModules;
export function convert(
  config: string | JsonObject,
  options: ConvertOptions,
): ConvertedFile | ConvertedModules;
export function convert(
  config: string | JsonObject,
  options: ConvertOptions,
): ConvertedFile | ConvertedModules {
  checkOptionNames('convert', options, { from: true, to: true, file: true });
  const { from, to, file = 'settings.json' } = options;
  const text = typeof config === 'string' ? config : JSON.stringify(config, null, 2);
  const { dialect, entries, rules = [], findings, maxConcurrent } = readAs(text, file, from);
  const unread = findings.filter(({ level }) => level === 'error').map(unreadLoss);
  const { kept, refused } = compilable(dialect, entries);
  const ordered = kept.toSorted((a, b) => b.priority - a.priority);
  const before = [...unread, ...rules.map(ruleLoss), ...refused];
  if (to === 'typescript')
    return modulesFor(ordered.flatMap(byHook), { dialect, maxConcurrent, losses: before });
  const isToldApart = ({ alsoAt }: CommandEntry): boolean =>
    writers[to].events.some(([, hook]) => hook === alsoAt);
  const written = writeAs(
    to,
    ordered.flatMap((entry) => (isToldApart(entry) ? byHook(entry) : [entry])),
    maxConcurrent,
  );
  const split = ordered.filter(isToldApart).flatMap(splitLoss);
  return {
    ...written,
    losses: [...before, ...orderLosses(dialect, to, ordered), ...split, ...written.losses],
  };
}

/** Makes one entry for each lifecycle hook in which the entry runs. */
function byHook({ alsoAt, ...entry }: CommandEntry): CommandEntry[] {
  return alsoAt === undefined ? [entry] : [entry, { ...entry, event: alsoAt, id: `${entry.id}_failure` }];
}

function splitLoss({ alsoAt, eventName, position }: CommandEntry): Loss[] {
  if (alsoAt === undefined) return [];
  const message = `${eventName} is for calls that fail too: it is two entries now, one of them for these.`;
  return [{ level: 'converted', position, field: 'event', message }];
}

interface Read extends ReadFile {
  readonly dialect: Dialect;
}

/** Reads the file as it is and ignores the environment of this process. */
const dialects: readonly Dialect[] = dialectsWith({ service: { environment: {} } });

function readAs(text: string, file: string, from: DialectName | undefined): Read {
  const { settings, findings } = parseSettings(text, { file, layer: 'project' });
  const word = from ?? settings?.content.dialect;
  const dialect =
    word === undefined
      ? settings && recogniseDialect(settings.content, dialects, file)?.dialect
      : dialects.find(({ name }) => name === word);
  if (settings === undefined || dialect === undefined) {
    const why = findings[0]?.message ?? `${file} has the shape of no known format: name it in \`from\`.`;
    throw new DefinitionError('bad_definition', why);
  }
  const read = dialect.read(settings);
  return { ...read, dialect, findings: [...findings, ...read.findings] };
}

function unreadLoss({ position, message }: Finding): Loss {
  return { level: 'dropped', position, field: 'entry', message };
}

function ruleLoss({ position }: WrittenRule): Loss {
  const message = 'It is a declarative rule, and no command: put it into a rule file.';
  return { level: 'dropped', position, field: 'entry', message };
}

function compilable(
  dialect: Dialect,
  entries: readonly CommandEntry[],
): { readonly kept: readonly CommandEntry[]; readonly refused: readonly Loss[] } {
  const refused: Loss[] = [];
  const kept = entries.filter((entry) => {
    const why = findRefusal(dialect, entry);
    if (why !== undefined)
      refused.push({ level: 'dropped', position: entry.position, field: 'entry', message: why });
    return why === undefined;
  });
  return { kept, refused };
}

function findRefusal(dialect: Dialect, entry: CommandEntry): string | undefined {
  try {
    dialect.compile(entry);
    return undefined;
  } catch (error) {
    if (error instanceof DefinitionError) return error.message;
    throw error;
  }
}

function writeAs(
  to: DialectName,
  entries: readonly CommandEntry[],
  maxConcurrent: number | undefined,
): ConvertedFile {
  const writer = writers[to];
  const losses: Loss[] = [];
  const writable = entries.flatMap((entry): WritableEntry[] => {
    const made = writableEntry(entry, to);
    if ('message' in made)
      losses.push({ level: 'dropped', position: entry.position, field: 'entry', message: made.message });
    return 'message' in made ? [] : [made];
  });
  const { content, paths } = writer.write(writable, maxConcurrent);
  const back = readAs(JSON.stringify(content), 'converted', to);
  if (back.maxConcurrent !== maxConcurrent) losses.push(...limitLoss(entries, maxConcurrent));
  const byPath = new Map(back.entries.map((entry) => [entry.position.path, entry]));
  for (const [i, { entry }] of writable.entries()) {
    const read = byPath.get(paths[i] as string);
    if (read === undefined) {
      const message = `The format ${to} does not take it.`;
      losses.push({ level: 'dropped', position: entry.position, field: 'entry', message });
    } else losses.push(...findLosses({ from: entry, to: read }), ...channelLosses(entry, to));
  }
  return { content, losses };
}

/** Returns the entry if the target format has an event and a handler for it and accepts it alone; otherwise says why not. */
function writableEntry(entry: CommandEntry, to: DialectName): WritableEntry | { readonly message: string } {
  const writer = writers[to];
  const eventName = eventNameFor(writer, entry);
  if (eventName === undefined) return { message: `The format ${to} has no event like ${entry.eventName}.` };
  const command = writeShellLine(entry)?.command;
  if (entry.handler.type !== 'command' && !writer.takes?.includes(entry.handler.type))
    return { message: `The format ${to} has no handlers of the type ${entry.handler.type}.` };
  const writable = { entry, eventName, model: makeMatcherModel(entry), command };
  const back = readAs(JSON.stringify(writer.write([writable]).content), 'converted', to);
  const [read] = back.entries;
  const refusal = read === undefined ? back.findings[0]?.message : findRefusal(back.dialect, read);
  if (refusal === undefined && read !== undefined) return writable;
  return { message: `The format ${to} does not take it: ${refusal ?? 'it is refused'}` };
}

function limitLoss(entries: readonly CommandEntry[], most: number | undefined): Loss[] {
  const [first] = entries;
  if (first === undefined) return [];
  const position = { ...first.position, path: 'hooks.maxConcurrentHooks' };
  const message = `No other format can limit the hooks that run at once to ${most}.`;
  return [{ level: 'dropped', position, field: 'maxConcurrent', message }];
}

const strategyNames = {
  serial: 'one after another',
  'first-decision': 'one after another until one decides',
  parallel: 'at the same time',
};

/** How the entries of an event run together, if it has several. */
function orderLosses(from: Dialect, to: DialectName, entries: readonly CommandEntry[]): Loss[] {
  const target = dialects.find(({ name }) => name === to) as Dialect;
  const firsts = new Map<string, CommandEntry>();
  const several = new Set<CommandEntry>();
  for (const entry of entries) {
    const first = firsts.get(entry.eventName);
    if (first === undefined) firsts.set(entry.eventName, entry);
    else several.add(first);
  }
  return [...several].flatMap((entry): Loss[] => {
    const was = from.strategy(entry.eventName);
    const is = target.strategy(eventNameFor(writers[to], entry) ?? entry.eventName);
    if (was === is) return [];
    const message = `The entries of ${entry.eventName} ran ${strategyNames[was]}, and run ${strategyNames[is]} now.`;
    return [{ level: 'changed', position: entry.position, field: 'order', message }];
  });
}

/** Describes how the input and output of a command differ in the target format. What a script inside the command reads is unknown. */
function channelLosses(from: CommandEntry, to: DialectName): Loss[] {
  if (from.handler.type !== 'command' || from.dialect === to) return [];
  const losses = [input(from, to), output(from, to)];
  return losses.flatMap((message, i) =>
    message === undefined
      ? []
      : [
          {
            level: 'changed' as const,
            position: from.position,
            field: i === 0 ? 'input' : 'output',
            message,
          },
        ],
  );
}

function input({ dialect, handler }: CommandEntry, to: DialectName): string | undefined {
  if (handler.type !== 'command') return undefined;
  const text = [handler.command, ...(handler.args ?? [])].join(' ');
  const [was, is] = [dialectTraits[dialect], dialectTraits[to]];
  if (!was.inputSigns.test(text) && (is.answersInJson || !was.answersInJson)) return undefined;
  return `The command may read ${was.input}; in the format ${to} it is given ${is.input}. Rewrite what reads it.`;
}

function output({ dialect, event }: CommandEntry, to: DialectName): string | undefined {
  const [answered, answers] = [dialect, to].map((name) => dialectTraits[name].answersInJson);
  if (answered && !answers && isDeciding(event))
    return `Decisions that the command prints are not read in the format ${to}: only its exit code counts.`;
  if (!answered && answers && isDeciding(event))
    return `What the command prints counts in the format ${to}: text may become context, and JSON a decision. Have it print nothing.`;
  return answered && answers
    ? `The answers of the formats ${dialect} and ${to} have other fields: compare what the command prints.`
    : undefined;
}
