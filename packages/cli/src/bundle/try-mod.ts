import { createContext, runInContext } from 'node:vm';
import { DefinitionError } from '@spec/hooks';
import { ELSEWHERE, TRIAL } from './build-mod.ts';

/** The names that a mod has beside those of the language, as far as Node has them. */
const names = [
  ...['AbortController', 'AbortSignal', 'TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams'],
  ...['atob', 'btoa', 'structuredClone', 'crypto', 'performance'],
] as const;

/**
 * Loads a mod where there is nothing that a mod of Claude Code has not: Claude Code goes on without a mod that it cannot load.
 *
 * @throws {DefinitionError} `bad_module` if it cannot be loaded, or holds other hooks than the project
 */
export function tryMod(script: string, hooks: readonly { readonly id: string }[]): void {
  const globals = Object.fromEntries(names.map((name) => [name, globalThis[name]]));
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  const { found, why } = load(script, context);
  if (found === undefined)
    throw new DefinitionError('bad_module', `The mod cannot be loaded: ${why}. ${ELSEWHERE}`);
  const missing = hooks.find(({ id }) => !found.includes(id));
  if (missing !== undefined)
    throw new DefinitionError(
      'bad_module',
      `The mod would be without the hook "${missing.id}". ${ELSEWHERE}`,
    );
}

function load(
  script: string,
  context: object,
): { readonly found?: readonly string[]; readonly why?: string } {
  try {
    const ids = `[...${TRIAL}.policies, ...${TRIAL}.hooks].map(({ id }) => id)`;
    return { found: [...runInContext(`${script}\n${ids}`, context)] as string[] };
  } catch (error) {
    return { why: error instanceof Error || isErrorLike(error) ? String(error.message) : 'it throws' };
  }
}

/** Errors of another context are of another class. */
function isErrorLike(error: unknown): error is { readonly message: unknown } {
  return typeof error === 'object' && error !== null && 'message' in error;
}
