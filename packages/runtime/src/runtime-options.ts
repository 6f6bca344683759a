import { DefinitionError } from '@spec/hooks';

/** Checks that what a runtime is made of has the right form; what the definitions say is checked where they are registered. */

const needed = ['agents', 'prompts'];
const lists = ['tools', 'hooks', 'policies'];
const functions = ['onAsk', 'skills', 'engine', 'onRunValues'];
const storeMethods = ['createThread', 'getThread', 'append', 'acquireLease', 'close'];

/** @throws {DefinitionError} `bad_option`, naming the option */
export function checkRuntimeOptions(options: unknown): void {
  const given = recordOf('what createRuntime is given', options);
  for (const name of needed) checkList(name, given[name]);
  for (const name of lists) if (given[name] !== undefined) checkList(name, given[name]);
  recordOf('models', given.models);
  for (const name of functions)
    if (given[name] !== undefined && typeof given[name] !== 'function') throw bad(name, 'a function');
  if (given.store !== undefined) checkStore(given.store);
  if (given.environment !== undefined) recordOf('environment', given.environment);
}

/** @throws {DefinitionError} `bad_option` */
export function checkList<T>(name: string, given: readonly T[]): readonly T[];
export function checkList(name: string, given: unknown): unknown;
export function checkList(name: string, given: unknown): unknown {
  if (Array.isArray(given)) return given;
  throw bad(name, 'a list');
}

function checkStore(given: unknown): void {
  const store = recordOf('store', given);
  if (storeMethods.every((method) => typeof store[method] === 'function')) return;
  throw bad('store', 'a store, such as memoryStore() or sqliteStore({ path })');
}

function recordOf(name: string, given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return given as Record<string, unknown>;
  throw bad(name, 'an object');
}

function bad(name: string, form: string): DefinitionError {
  return new DefinitionError('bad_option', `createRuntime: ${name} must be ${form}.`);
}
