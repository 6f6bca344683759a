import { type AnyHook, isHook } from '../define/define.ts';

/** The hooks that a module exports, or why that is none. */
export type ExportedHooks = { readonly hooks: readonly AnyHook[] } | { readonly reason: string };

/** Reads a module's default export: one hook or an array of hooks. */
export function exportedHooks(exports: unknown): ExportedHooks {
  const value = defaultExport(exports);
  if (value === undefined) return { reason: noDefault(exports) };
  if (isHook(value)) return { hooks: [value] };
  if (!Array.isArray(value))
    return { reason: `its default export is ${nameSort(value)}, not made by defineHook. ${hint(value)}` };
  const at = value.findIndex((item) => !isHook(item));
  if (at < 0) return { hooks: value };
  return {
    reason: `item ${at} of its default export is ${nameSort(value[at])}, not made by defineHook. ${hint(value[at])}`,
  };
}

/** A CommonJS module may be its `module.exports`, or have that as its default, or in that the default it was compiled from. */
export function defaultExport(exports: unknown): unknown {
  if (isHook(exports) || Array.isArray(exports)) return exports;
  const value = readField(exports, 'default');
  return readField(value, '__esModule') === true ? readField(value, 'default') : value;
}

function noDefault(exports: unknown): string {
  const names =
    typeof exports === 'object' && exports !== null
      ? Object.keys(exports).filter((name) => name !== '__esModule')
      : [];
  const [first] = names;
  const found = first === undefined ? 'it exports nothing' : `it exports ${names.slice(0, 5).join(', ')}`;
  const isNamedHook = first !== undefined && isHook(readField(exports, first));
  const todo = isNamedHook
    ? `Write "export default" in the place of "export const ${first} =".`
    : 'Write "export default defineHook({ … })"; if it is no hook module, let its name begin with "_".';
  return `has no default export (${found}). ${todo}`;
}

function hint(value: unknown): string {
  const looksLikeHook = readField(value, 'hook') !== undefined && readField(value, 'execute') !== undefined;
  if (looksLikeHook) return 'Wrap it: defineHook({ … }).';
  if (typeof value === 'function') return 'Give it a hook and an id: defineHook({ hook, id, execute }).';
  return 'Export a hook, or an array of hooks.';
}

function nameSort(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
