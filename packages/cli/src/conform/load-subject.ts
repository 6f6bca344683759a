import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ability, Subject } from '@spec/conformance';
import { DefinitionError, whereThrown } from '@spec/hooks';
import { importDefault } from '../project/import-default.ts';

/**
 * Imports the subject that a module exports.
 *
 * @param module a path, relative to the working folder
 * @throws {DefinitionError} `bad_module`: one sentence on what is wrong with it
 */
export async function loadSubject(module: string): Promise<Subject> {
  if (!existsSync(module)) throw badModule(module, 'does not exist');
  const exported = await importDefault(resolve(module), { file: module, cache: false });
  const subject =
    typeof exported === 'function'
      ? await step(module, 'exports a function that failed', async () => (exported as () => unknown)())
      : exported;
  const problem = findProblem(subject);
  if (problem !== undefined) throw badModule(module, problem);
  return subject as Subject;
}

async function step<T>(module: string, what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw badModule(module, `${what}: ${describeReason(error)}`);
  }
}

/** The sort and the place of an error: its message may quote anything. */
function describeReason(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const where = whereThrown(error) ?? 'a value that is not an Error was thrown';
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? `${code}, ${where}` : where;
}

function badModule(module: string, problem: string): DefinitionError {
  return new DefinitionError('bad_module', `${module} ${problem}`.replace(/\.?$/, '.'));
}

const abilities: Readonly<Record<Ability, true>> = {
  control: true,
  policies: true,
  update: true,
  inject: true,
  queue: true,
  subagents: true,
  'tools-from-hooks': true,
  files: true,
  values: true,
  streaming: true,
  ledger: true,
  abort: true,
  reopen: true,
  resume: true,
  sessions: true,
  compaction: true,
  'model-calls': true,
  notifications: true,
  dual: true,
};

function findProblem(exported: unknown): string | undefined {
  if (typeof exported !== 'object' || exported === null)
    return 'has no subject as its default export: { name, abilities, open }';
  const { name, abilities: own, open } = exported as Partial<Record<keyof Subject, unknown>>;
  if (typeof name !== 'string' || name === '') return 'exports a subject without a name';
  if (typeof open !== 'function') return 'exports a subject without the function "open"';
  if (!Array.isArray(own)) return 'exports a subject whose "abilities" are no list';
  const unknown = own.find((ability) => !Object.hasOwn(abilities, ability as PropertyKey)) as unknown;
  if (unknown === undefined) return undefined;
  return `exports a subject with the ability ${JSON.stringify(unknown)}; there are ${Object.keys(abilities).join(', ')}`;
}
