import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readRegularFile } from '@spec/hooks/node';
import { findStats } from './candidates.ts';
import type { Sight } from './sight.ts';

/** Whether a specifier names a file by a path or URL, not a package. */
export function namesFile(specifier: string): boolean {
  return /^\.{0,2}\/|^\.{1,2}$/.test(specifier) || parseUrl(specifier)?.protocol === 'file:';
}

/** The paths that a specifier may mean: `require` reads it as a path, `import` as a URL. @param folder absolute */
export function resolveSpecifier(specifier: string, folder: string): string[] {
  const url = parseUrl(specifier, pathToFileURL(`${folder}/`));
  try {
    return [...new Set([resolve(folder, specifier), ...(url === undefined ? [] : [fileURLToPath(url)])])];
  } catch {
    return [resolve(folder, specifier)];
  }
}

function parseUrl(specifier: string, base?: URL): URL | undefined {
  try {
    return new URL(specifier, base);
  } catch {
    return undefined;
  }
}

const MAX_MANIFEST_BYTES = 1_048_576;

/** Notes how the package around a script says to read it. Nothing else in its `package.json` matters. */
export function noteModuleType(folder: string, sight: Sight): void {
  const manifest = join(folder, 'package.json');
  sight.paths.add(manifest);
  if (findStats(manifest)?.isFile() === true) sight.settings.add(`${manifest}: ${readModuleType(manifest)}`);
  else if (dirname(folder) !== folder) noteModuleType(dirname(folder), sight);
}

function readModuleType(manifest: string): string {
  try {
    const { type } = JSON.parse(readRegularFile(manifest, MAX_MANIFEST_BYTES).toString('utf8'));
    return type === 'module' || type === 'commonjs' ? type : 'no type';
  } catch {
    return 'cannot be read';
  }
}
