import { isAbsolute, relative, sep } from 'node:path';
import type { AnyHook } from '../define/define.ts';
import { findHookPlace, notePlace } from '../define/places.ts';

/**
 * Where a hook that `loadHooks` loaded is written: a file and a line such as `hooks/redact.ts:4`, relative to the working
 * folder of then where it is inside; `undefined` for any other hook.
 */
export function sourceOf(hook: AnyHook): string | undefined {
  return findHookPlace(hook);
}

/** Notes the file that a hook comes from; the first file that exports it counts. The registry names it in every record. */
export function noteSource(hook: AnyHook, file: string, text: string): void {
  const line = findLine(hook.id, text);
  notePlace(hook, line === undefined ? displayPath(file) : `${displayPath(file)}:${line}`);
}

/** The line that has the hook's id, or else the default export. */
function findLine(id: string, text: string): number | undefined {
  const written =
    new RegExp(`\\bid['"]?\\s*:\\s*(['"\`])${id}\\1`).exec(text) ?? /^export default\b/m.exec(text);
  return written === null ? undefined : text.slice(0, written.index).split('\n').length;
}

function displayPath(file: string): string {
  const inside = relative(process.cwd(), file);
  return (inside.startsWith('..') || isAbsolute(inside) ? file : inside).replaceAll(sep, '/');
}
