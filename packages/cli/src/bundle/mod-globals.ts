import type { Plugin } from 'esbuild';

/** Names that Node has and a mod does not. In the bundle each is marked, so that what says it is found. */
export const absent: readonly string[] = [
  'process',
  'Buffer',
  'fetch',
  'setInterval',
  'setImmediate',
  'WebAssembly',
  '__dirname',
  '__filename',
];
/** What such a name begins with in a bundle. */
export const MARK = 'specHooksAbsent_';
/** The names with their marks. */
export const marks: Readonly<Record<string, string>> = Object.fromEntries(
  absent.map((name) => [name, `${MARK}${name}`]),
);

/** The module that is put into each bundle. */
export const SHIMS = 'spec-hooks-shims';

/** What hooks and their executor need, made of what a mod has. What prints goes nowhere. */
const shims = `const pending = new Map();
let last = 0;
const makeTimer = (callback, ms = 0, ...args) => {
  const id = ++last;
  const signal = AbortSignal.timeout(Math.max(0, ms));
  pending.set(id, signal);
  signal.addEventListener('abort', () => pending.delete(id) && callback(...args), { once: true });
  return id;
};
const ignore = () => {};
const silent = { log: ignore, info: ignore, warn: ignore, error: ignore, debug: ignore, trace: ignore };
class NamedError extends Error {
  constructor(message, name) { super(message); this.name = name ?? 'Error'; }
}
export const setTimeout = globalThis.setTimeout ?? makeTimer;
export const clearTimeout = globalThis.clearTimeout ?? ((id) => void pending.delete(id));
export const console = globalThis.console ?? silent;
export const DOMException = globalThis.DOMException ?? NamedError;
`;

/** Gives a bundle what it needs and does not have in a mod. */
export function giveShims(): Plugin {
  return {
    name: 'shims',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${SHIMS}$`) }, ({ path }) => ({
        path,
        namespace: SHIMS,
        sideEffects: false,
      }));
      build.onLoad({ filter: /.*/, namespace: SHIMS }, () => ({ contents: shims }));
    },
  };
}
