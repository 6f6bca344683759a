import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFileText } from '../read-text.ts';
import { holdsOwnEntriesAlone } from './agent-entries.ts';
import type { FoundConfig } from './config.ts';
import { type Parts, usualSettings } from './parts.ts';

/** A settings file in a usual place that the configuration does not name, so that none of its hooks runs. */
export interface UnreadSettings {
  readonly file: string;
  /** Why, and how to read it. */
  readonly message: string;
}

/** Finds the settings files from the working folder up to the configuration's that hold hooks, and that the configuration leaves out. */
export async function findUnreadSettings(
  { folder, file: config }: FoundConfig,
  { settings, rules }: Parts,
): Promise<UnreadSettings[]> {
  if (config === undefined) return [];
  const paths = foldersUpTo(resolve(folder)).flatMap((one) => usualSettings.map((file) => join(one, file)));
  const there = paths.filter((path) => existsSync(path) && !holdsOwnEntriesAlone(path));
  if (there.length === 0) return [];
  const read = new Set([...settings.map(readPath), ...rules].map(realPath));
  const unread: UnreadSettings[] = [];
  for (const path of there.filter((one) => !read.has(realPath(one)))) {
    const file = relative(process.cwd(), path);
    if (await mayHoldHooks(path))
      unread.push({ file, message: describeUnread(file, { config, name: relative(folder, path) }) });
  }
  return unread;
}

/** The working folder, and those above it up to this one. */
function foldersUpTo(top: string, from: string = process.cwd()): string[] {
  const above = dirname(from);
  return from === top || above === from ? [from] : [from, ...foldersUpTo(top, above)];
}

function readPath(source: Parts['settings'][number]): string {
  const file = typeof source === 'string' ? source : source.file;
  return file instanceof URL ? fileURLToPath(file) : file;
}

/** The same for all names of one file. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Claude Code keeps permissions in these files, too. What cannot be parsed may hold anything. */
async function mayHoldHooks(path: string): Promise<boolean> {
  const { eventNames, parseSettings } = await import('@spec/commands');
  const { settings } = parseSettings(readTolerantly(path), { file: path, layer: 'project' });
  if (settings === undefined) return true;
  return Object.entries(settings.content).some(
    ([key, value]) =>
      (/^(?:hooks?|rules)$/i.test(key) || eventNames.includes(key)) && Object.keys(value ?? {}).length > 0,
  );
}

/** What cannot be read is told by who is asked to read it. */
function readTolerantly(path: string): string {
  try {
    return readFileText(path, '');
  } catch {
    return '';
  }
}

function describeUnread(
  file: string,
  { config, name }: { readonly config: string; readonly name: string },
): string {
  return `"settings" of ${config} does not name it. To read it, write settings: ['${name}'] there; to look at it alone, run spec-hooks check --config ${file}.`;
}
