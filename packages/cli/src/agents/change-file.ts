import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Agent } from '@spec/agents';
import { DefinitionError, isRecord } from '@spec/hooks';
import { findNodeAtLocation, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';
import type { HookScope } from '../agent-state/places.ts';
import { addProperty, appendItem, cutItem, replaceItem } from './edit-json.ts';
import { type AgentEntry, isOurs } from './make-entries.ts';

/** A file with a person's configuration of an agent. */
export interface ConfigurationFile {
  /** As a person calls it. */
  readonly path: string;
  /** `undefined`: there is none. */
  readonly text: string | undefined;
}

/**
 * Reads the configuration of an agent.
 *
 * @param events those that entries can be added to
 * @throws {DefinitionError} `bad_option` for what must not be changed: a link, what is no file, what is no JSON object, hooks of another form
 */
export function readConfiguration(path: string, events: readonly string[]): ConfigurationFile {
  const { text } = readFileToChange(path);
  if (text !== undefined) checkContent({ path, text, events });
  return { path, text };
}

/** @throws {DefinitionError} `bad_option` for what must not be changed: a link, what is no file, no text */
export function readFileToChange(path: string): ConfigurationFile {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { path, text: undefined };
  if (stat.isSymbolicLink())
    throw refuse(
      path,
      'it is a link: name the file that it leads to in its place, or make the entries by hand',
    );
  if (!stat.isFile()) throw refuse(path, 'it is no regular file');
  if ((stat.mode & 0o200) === 0) throw refuse(path, 'it is read-only');
  const text = readFileSync(path, 'utf8');
  if (text.includes('\uFFFD')) throw refuse(path, 'it is no UTF-8 text');
  return { path, text };
}

/**
 * Looks whether a file is still as it was read: a person takes time to answer, and an agent may write its settings meanwhile.
 *
 * @throws {DefinitionError} `bad_option` if somebody has changed it
 */
export function checkUnchanged({ path, text }: ConfigurationFile): void {
  const isThere = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const now = isThere ? readFileSync(path, 'utf8') : undefined;
  if (now !== text) throw refuse(path, 'it was changed meanwhile. Try again');
}

interface Content {
  readonly path: string;
  readonly text: string;
  readonly events: readonly string[];
}

function checkContent({ path, text, events }: Content): void {
  const content = parseContent(path, text);
  if (content === undefined) return;
  if (!isRecord(content)) throw refuse(path, 'it holds no object');
  const { hooks = {} } = content;
  if (!isRecord(hooks)) throw refuse(path, '"hooks" in it is no object');
  for (const [event, groups] of Object.entries(hooks))
    if (!Array.isArray(groups) && (isRecord(groups) || events.includes(event)))
      throw refuse(path, `"hooks.${event}" in it is no list`);
  const doubled = findDoubled(text, events);
  if (doubled !== undefined)
    throw refuse(
      path,
      `"${doubled}" stands in it twice, and agents read one of them. Take the other out first`,
    );
}

/** A key that stands in an object twice: an entry would be added to the one that the agent does not read. */
function findDoubled(text: string, events: readonly string[]): string | undefined {
  const tree = parseTree(text.replace(BOM, ''), [], { allowTrailingComma: true });
  const hooks = tree && findNodeAtLocation(tree, ['hooks']);
  const isDoubled = (key: string, at: number, keys: readonly string[]): boolean => keys.indexOf(key) !== at;
  const outside = listKeys(tree).filter((key) => key === 'hooks');
  const inside = listKeys(hooks).filter((key) => events.includes(key));
  return outside.find(isDoubled) ?? inside.find(isDoubled);
}

function listKeys(object: Node | undefined): readonly string[] {
  return (object?.children ?? []).map(({ children = [] }) => String(children[0]?.value));
}

/** `undefined` for a file with nothing in it. */
function parseContent(path: string, text: string): unknown {
  const plain = text.replace(BOM, '');
  if (plain.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const content: unknown = parse(plain, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw refuse(path, 'it is not JSON, with or without comments. Mend it first');
  return content;
}

const BOM = /^\uFEFF/;

function refuse(path: string, why: string): DefinitionError {
  return new DefinitionError('bad_option', `${path} is not changed: ${why}.`);
}

/** Where entries of ours stand. */
export interface EntryPlace {
  readonly agent: Agent;
  readonly scope: HookScope;
}

/** Adds entries behind those that are there, and brings ours up to date where they stand. Everything else stays as it is, byte for byte. */
export function addEntries(
  text: string | undefined,
  entries: readonly AgentEntry[],
  place: EntryPlace,
): string {
  const isNew = text === undefined || text.replace(BOM, '').trim() === '';
  let changed = addVersion(isNew ? '{}\n' : text.replace(BOM, ''), place);
  for (const { event, group } of entries) {
    const at = findOurs(changed, event, place)[0];
    if (at === undefined) changed = appendItem(changed, ['hooks', event], group);
    else if (!isDeepStrictEqual(readGroups(changed, event)[at], group))
      changed = replaceItem(changed, ['hooks', event, at], group);
  }
  return !isNew && BOM.test(text) ? `\uFEFF${changed}` : changed;
}

/** Some agents refuse a file that does not say its version. */
function addVersion(text: string, { agent: { fileVersion } }: EntryPlace): string {
  const isSaid = fileVersion === undefined || Object.hasOwn(readContent(text), 'version');
  return isSaid ? text : addProperty(text, ['version'], fileVersion);
}

/** Whether a text says nothing but what an agent needs in a file without entries. */
export function isLeftOver(text: string, { agent: { fileVersion } }: EntryPlace): boolean {
  const content = readContent(text);
  const { version = fileVersion, ...rest } = content;
  const hasComments = text.includes('//') || text.includes('/*');
  return !hasComments && version === fileVersion && Object.keys(rest).length === 0;
}

/** Takes our entries out, and what would be left empty by that. */
export function removeEntries(text: string, place: EntryPlace): string {
  let changed = text.replace(BOM, '');
  for (const event of Object.keys(readHooks(changed)).toReversed()) {
    const ours = findOurs(changed, event, place);
    if (ours.length > 0 && ours.length === readGroups(changed, event).length)
      changed = cutItem(changed, ['hooks', event]);
    else for (const at of ours.toReversed()) changed = cutItem(changed, ['hooks', event, at]);
  }
  const isLeftEmpty = changed !== text.replace(BOM, '') && Object.keys(readHooks(changed)).length === 0;
  if (isLeftEmpty) changed = cutItem(changed, ['hooks']);
  return BOM.test(text) ? `\uFEFF${changed}` : changed;
}

/** Where our entries stand in the list of an event. */
export function findOurs(text: string, event: string, { agent, scope }: EntryPlace): readonly number[] {
  return readGroups(text, event).flatMap((group: unknown, at) => {
    const handler = agent.fileVersion === undefined ? readOnlyHandler(group) : group;
    return isRecord(handler) && isOurs(handler.command, agent, scope) ? [at] : [];
  });
}

function readOnlyHandler(group: unknown): unknown {
  const handlers: unknown = isRecord(group) ? group.hooks : undefined;
  return Array.isArray(handlers) && handlers.length === 1 ? handlers[0] : undefined;
}

function readHooks(text: string): Readonly<Record<string, unknown>> {
  const { hooks } = readContent(text);
  return isRecord(hooks) ? hooks : {};
}

function readContent(text: string): Readonly<Record<string, unknown>> {
  const content: unknown = parse(text.replace(BOM, ''), [], { allowTrailingComma: true });
  return isRecord(content) ? content : {};
}

function readGroups(text: string, event: string): readonly unknown[] {
  const groups = readHooks(text)[event];
  return Array.isArray(groups) ? groups : [];
}

/** Writes a file whole or not at all, with the rights that it had. */
export function replaceFile(path: string, text: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  const draft = join(folder, `.spec-hooks-${process.pid}.tmp`);
  try {
    // A project could come with a link of this name.
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { flag: 'wx', ...(mode === undefined ? {} : { mode: mode & 0o777 }) });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw refuse(path, `the system says ${String((error as NodeJS.ErrnoException).code)}`);
  }
}
