import { dirname, join, relative, resolve } from 'node:path';
import { readRegularFile } from '@spec/hooks/node';

const MANIFEST = '.claude-plugin/plugin.json';
const MAX_BYTES = 1_048_576;

/** The folder of the plugin that a file belongs to: the one above `hooks/hooks.json`, or whose manifest names the file as its hooks. */
export function findPluginRoot(file: string): string | undefined {
  const path = resolve(file);
  if (/[/\\]hooks[/\\]hooks\.json$/.test(path)) return dirname(dirname(path));
  return foldersAbove(path).find((folder) => hooksNamedIn(folder).includes(path));
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

/** The files inside a plugin that its manifest names; none if the manifest is invalid. */
function hooksNamedIn(folder: string): string[] {
  let hooks: unknown;
  try {
    ({ hooks } = JSON.parse(readRegularFile(join(folder, MANIFEST), MAX_BYTES).toString('utf8')));
  } catch {
    return [];
  }
  return [hooks]
    .flat()
    .filter((name) => typeof name === 'string')
    .map((name) => resolve(folder, name))
    .filter((path) => !relative(folder, path).startsWith('..'));
}
