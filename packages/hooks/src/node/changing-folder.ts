import { relative } from 'node:path';
import type { AnyHook } from '../define/define.ts';
import { DefinitionError } from '../errors.ts';
import { type Fingerprint, lookAtFolder } from './fingerprint.ts';
import { isJavaScript } from './hook-files.ts';
import { type ReadNotes, type ReadRequest, readHooks } from './read-hooks.ts';
import { type ChangingSource, changingFiles } from './watch-source.ts';

/** A folder of hooks that is read more than once. Where a module that Node keeps has changed, reading it throws `bad_module`. */
export function changingFolder(request: ReadRequest): ChangingSource<readonly AnyHook[]> {
  const { folder } = request;
  /** Files that were evaluated at some time: those outside of the folder count too. */
  const known = new Set<string>();
  const staleAmong = rememberNode();
  return changingFiles<readonly AnyHook[]>({
    files: () => known,
    find: () => lookAtFolder(folder),
    async read(found) {
      const notes: ReadNotes = { evaluated: new Set(), kept: new Set() };
      try {
        const hooks = await readHooks({ ...request, notes });
        refuseStale(folder, staleAmong(found, listJavaScript(found, notes)));
        return hooks;
      } finally {
        staleAmong(found, notes.kept);
        for (const file of notes.evaluated) known.add(file);
      }
    },
  });
}

/** The JavaScript of a folder that was not evaluated anew: what Node keeps, if it was imported. */
function listJavaScript(looks: Fingerprint, { evaluated }: ReadNotes): string[] {
  return [...looks.keys()].filter((file) => isJavaScript(file) && !evaluated.has(file));
}

/** Tells which of the files look otherwise than when it was first asked about them. */
function rememberNode(): (looks: Fingerprint, files: Iterable<string>) => string[] {
  const asImported = new Map<string, string>();
  return (looks, files) =>
    [...files].filter((file) => {
      const look = looks.get(file) ?? '';
      if (!asImported.has(file)) asImported.set(file, look);
      return asImported.get(file) !== look;
    });
}

function refuseStale(folder: string, stale: readonly string[]): void {
  if (stale.length === 0) return;
  const names = stale.map((file) => relative(folder, file)).join(', ');
  const todo = 'Restart the process, or let it be TypeScript (.ts, .mts), which is read again.';
  throw new DefinitionError(
    'bad_module',
    `${names} changed, but Node keeps JavaScript modules as they were first imported. ${todo}`,
  );
}
