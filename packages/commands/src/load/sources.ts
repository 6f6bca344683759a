import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dialectTraits } from '../dialect-traits.ts';
import { isWithin, realPath } from '../file-paths.ts';
import type { DialectName, Layer } from '../normal-form.ts';

/** A settings file to load. */
export interface SettingsSource {
  /** A path, relative to the working folder, or a file URL. */
  readonly file: string | URL;
  /** Default: `local` for `*.local.json`, `user` for `~/.claude/settings.json` and its like outside of the project, else `project`. */
  readonly layer?: Layer;
  /** Default: the file's key `dialect`; else that of an agent whose settings are called so, such as `claude` for `.claude/settings.json`; else the shape of its entries. */
  readonly dialect?: DialectName;
}

/** A source with its defaults filled in. */
export interface ResolvedSource {
  readonly path: string;
  /** The name of the file in findings. */
  readonly file: string;
  readonly layer: Layer;
  readonly dialect: DialectName | undefined;
  /** Which file of its layer it is, from 1. */
  readonly ordinal: number;
}

const LAYERS: readonly Layer[] = ['user', 'project', 'local'];

/** Sorts the files into the order of merging: user, project, local; files of one layer as given. @param projectDir absolute */
export function resolveSources(
  sources: readonly (string | URL | SettingsSource)[],
  projectDir: string,
): ResolvedSource[] {
  const counts = new Map<Layer, number>();
  return sources
    .map((source) => (typeof source === 'string' || source instanceof URL ? { file: source } : source))
    .map(({ file, layer, dialect }: SettingsSource) => {
      const given = typeof file === 'string' ? file : fileURLToPath(file);
      const path = resolve(given);
      return { path, file: given, layer: layer ?? findLayer(path, projectDir), dialect };
    })
    .toSorted((a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer))
    .map((source) => {
      const ordinal = (counts.get(source.layer) ?? 0) + 1;
      counts.set(source.layer, ordinal);
      return { ...source, ordinal };
    });
}

function findLayer(path: string, projectDir: string): Layer {
  if (/\.local\.[a-z0-9]+$/i.test(basename(path))) return 'local';
  return isUsersOwn(path, projectDir) ? 'user' : 'project';
}

/**
 * Whether a file is the user's own: by its name, never by the folder that holds it or by a link. A file in the project is the
 * project's, even if the project is the home folder: anyone who works on a project can write it.
 *
 * @param path absolute
 * @param projectDir absolute
 */
function isUsersOwn(path: string, projectDir: string): boolean {
  if (!ownFiles().some((own) => isNamed(own, path))) return false;
  return !isWithin(path, projectDir) && !isWithin(realPath(path), realPath(projectDir));
}

/** Files in the home folder that agents treat as the user's own, and those that variables of agents name. */
function ownFiles(): string[] {
  const home = absolute(homedir());
  return Object.values(dialectTraits).flatMap(({ homeFiles = [], homeVariable }) => {
    const moved = homeVariable === undefined ? [] : absolute(process.env[homeVariable] ?? '');
    const atHome = home.flatMap((folder) => homeFiles.map((name) => join(folder, name)));
    // What lies in the folder of the agent at home lies in the named one.
    return [
      ...atHome,
      ...moved.flatMap((folder) => homeFiles.map((name) => join(folder, name.replace(/^[^/]+\//, '')))),
    ];
  });
}

/** `*.json` stands for every file of a folder with such a name. */
function isNamed(own: string, path: string): boolean {
  if (basename(own) !== '*.json') return own === path;
  return dirname(own) === dirname(path) && path.endsWith('.json');
}

/** A folder as named and as resolved; nothing for a relative name, which depends on the working folder. */
function absolute(folder: string): string[] {
  return isAbsolute(folder) ? [folder, realPath(folder)] : [];
}
