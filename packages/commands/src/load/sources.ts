import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DialectName, Layer } from '../normal-form.ts';

/** A settings file to load. */
export interface SettingsSource {
  /** A path, relative to the working folder, or a file URL. */
  readonly file: string | URL;
  /** Default: `local` for `*.local.json`, `user` for `~/.claude/settings.json` and its like outside of the project, else `project`. */
  readonly layer?: Layer;
  /** Default: what the file's key `dialect` says, else by the shape of its entries. */
  readonly dialect?: DialectName;
}

/** A source with everything that it leaves open. */
export interface ResolvedSource {
  readonly path: string;
  /** As findings name it. */
  readonly file: string;
  readonly layer: Layer;
  readonly dialect: DialectName | undefined;
  /** Which file of its layer it is, from 1. */
  readonly ordinal: number;
}

const LAYERS: readonly Layer[] = ['user', 'project', 'local'];

/** The files in the order in which they are merged: user, project, local, equal ones as given. @param projectDir absolute */
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

/** Files in the home folder that agents read as the user's own. */
const AT_HOME = ['.claude/settings.json', '.clawdcode/settings.json'];

/**
 * Whether a file is the user's own: by its name, never by what lies below a folder or what it links to. What lies in the project is the
 * project's, also where the project is the home folder: whoever works on a project can write it.
 *
 * @param path absolute
 * @param projectDir absolute
 */
function isUsersOwn(path: string, projectDir: string): boolean {
  if (!ownFiles().includes(path)) return false;
  return !isWithin(path, projectDir) && !isWithin(realPath(path), realPath(projectDir));
}

function ownFiles(): string[] {
  const home = absolute(homedir());
  const claude = absolute(process.env.CLAUDE_CONFIG_DIR ?? '').map((folder) => join(folder, 'settings.json'));
  return [...home.flatMap((folder) => AT_HOME.map((name) => join(folder, name))), ...claude];
}

/** A folder as it is named and as it is; nothing for a name that means another folder wherever a program is started. */
function absolute(folder: string): string[] {
  return isAbsolute(folder) ? [folder, realPath(folder)] : [];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isWithin(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return !isAbsolute(below) && below.split(/[/\\]/)[0] !== '..';
}
