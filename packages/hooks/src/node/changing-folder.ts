import { relative } from 'node:path';
import type { AnyHook } from '../define/define.ts';
import { DefinitionError } from '../errors.ts';
import { type Fingerprint, isSameFingerprint, lookAtFiles, lookAtFolder } from './fingerprint.ts';
import { isJavaScript } from './hook-files.ts';
import { type ReadNotes, type ReadRequest, readHooks } from './read-hooks.ts';

/** A folder of hooks that is read more than once. */
export interface ChangingFolder {
  /** Looks at the files: whether they are others than at the last reading, and were the same at the last look. */
  hasChanged(): Promise<boolean>;
  /** @throws {DefinitionError} as `loadHooks`, and `bad_module` where a module that changed cannot be read again. */
  read(): Promise<AnyHook[]>;
}

export function changingFolder(request: ReadRequest): ChangingFolder {
  const { folder } = request;
  /** Files that were evaluated at some time: those outside of the folder count too. */
  const known = new Set<string>();
  const staleAmong = rememberNode();
  let atReading: Fingerprint = new Map();
  let atLastLook: Fingerprint = atReading;

  return {
    async hasChanged() {
      const look = new Map([...(await lookAtFiles(known)), ...(await lookAtFolder(folder))]);
      const isQuiet = isSameFingerprint(look, atLastLook);
      atLastLook = look;
      return isQuiet && !isSameFingerprint(look, atReading);
    },
    async read() {
      const before = await lookAtFolder(folder);
      const notes: ReadNotes = { evaluated: new Set(), kept: new Set() };
      try {
        const hooks = await readHooks({ ...request, notes });
        refuseStale(folder, staleAmong(before, listJavaScript(before, notes)));
        return hooks;
      } finally {
        staleAmong(before, notes.kept);
        for (const file of notes.evaluated) known.add(file);
        atReading = new Map([...(await lookAtFiles(known)), ...before]);
        atLastLook = atReading;
      }
    },
  };
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
