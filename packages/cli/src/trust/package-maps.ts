import { dirname } from 'node:path';
import { isRecord } from '@spec/hooks';
import { readRegularFile } from '@spec/hooks/node';

const MAX_MANIFEST_BYTES = 1_048_576;

/**
 * What the package around a folder says that a specifier stands for: a name of its `imports`, or its own name with its `exports`. Under
 * whatever condition: which of them counts is known only when it is loaded.
 *
 * @returns specifiers, to be resolved from the folder of the manifest; `undefined`: it says nothing of it
 */
export function findMapped(
  specifier: string,
  manifest: string,
): { readonly folder: string; readonly targets: readonly string[] } | undefined {
  const { name, imports, exports } = readManifest(manifest);
  const folder = dirname(manifest);
  if (specifier.startsWith('#')) return { folder, targets: matchKeys(specifier, imports) };
  if (typeof name !== 'string' || (specifier !== name && !specifier.startsWith(`${name}/`))) return undefined;
  const hasKeys = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  return {
    folder,
    targets: matchKeys(`.${specifier.slice(name.length)}`, hasKeys ? exports : { '.': exports }),
  };
}

/** The file that a manifest names for its folder. */
export function findMain(manifest: string): string | undefined {
  const { main } = readManifest(manifest);
  return typeof main === 'string' ? main : undefined;
}

/** Every key that a specifier may fit: the star of a pattern stands for what it takes of it. */
function matchKeys(specifier: string, map: unknown): string[] {
  if (!isRecord(map)) return [];
  return Object.entries(map).flatMap(([key, value]) => {
    const [before = '', after] = key.split('*');
    if (after === undefined) return key === specifier ? listTargets(value) : [];
    if (!specifier.startsWith(before) || !specifier.endsWith(after)) return [];
    const taken = specifier.slice(before.length, specifier.length - after.length);
    return listTargets(value).map((target) => target.replaceAll('*', () => taken));
  });
}

function listTargets(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTargets) : [];
}

function readManifest(manifest: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readRegularFile(manifest, MAX_MANIFEST_BYTES).toString('utf8'));
    return isRecord(content) ? content : {};
  } catch {
    return {};
  }
}
