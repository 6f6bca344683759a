import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ModuleExtension } from './templates.ts';

/** The nearest path of this name, upwards from a folder, which need not be there yet. */
export function findAbove(folder: string, name: string): string | undefined {
  const path = join(resolve(folder), name);
  if (existsSync(path)) return path;
  const above = dirname(resolve(folder));
  return above === resolve(folder) ? undefined : findAbove(above, name);
}

/** Whether modules in a folder find a package. */
export function isInstalled(folder: string, name: string): boolean {
  return findAbove(folder, join('node_modules', name)) !== undefined;
}

/** How hook modules are called in a folder: `.ts` is no ES module where package.json does not say so. */
export function moduleExtension(folder: string): ModuleExtension {
  const file = findAbove(folder, 'package.json');
  return file !== undefined && readManifest(file).type === 'module' ? 'ts' : 'mts';
}

interface Manifest {
  readonly type?: unknown;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

/** What a package.json says; nothing where it cannot be read. */
export function readManifest(file: string): Manifest {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? manifest : {};
  } catch {
    return {};
  }
}
