import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { claudeMod, writeModRegistrations } from '@spec/agents/claude-mod';
import { type AnyHook, DefinitionError } from '@spec/hooks';
import { sourceOf } from '@spec/hooks/node';
import { exitCodes } from '../exit-codes.ts';
import { openFolder } from '../hook/open-hooks.ts';
import { withHooksApart } from '../hooks-apart.ts';
import { findProjectFolder } from '../project/config.ts';
import type { Project } from '../project/load-project.ts';
import { configuredParts } from '../project/parts.ts';
import { describeLost } from '../trust/lost-code.ts';
import { writeFiles } from '../write-files.ts';
import { buildMod, ELSEWHERE, type ModSource } from './build-mod.ts';
import { tryMod } from './try-mod.ts';

/** The options of `spec-hooks bundle`, as they were typed. */
export interface BundleFlags {
  readonly out: string;
  readonly allowPartial?: readonly string[];
  readonly force?: boolean;
}

/** Makes a mod of the hooks here, writes it, and says so. Gives the exit code. */
export async function bundle(form: string, flags: BundleFlags): Promise<number> {
  if (form !== 'claude-mod')
    throw new DefinitionError(
      'unknown_id',
      `There is no form "${form}" to make of hooks. There is: claude-mod.`,
    );
  const out = await withHooksApart(() => makeMod(flags));
  process.stdout.write(`The mod is in ${out}.\n\n${claudeMod.afterInstall}\n`);
  return exitCodes.fine;
}

/**
 * Makes a mod of the hooks here, and writes it. Gives its folder.
 *
 * @throws {DefinitionError} `bad_option` for code that nobody has trusted, and for parts that no mod can run; as the bundler refuses modules
 */
export async function makeMod({ out, allowPartial = [], force = false }: BundleFlags): Promise<string> {
  const folder = process.cwd();
  const root = findProjectFolder();
  try {
    const project = requireTrusted(await openFolder({ scope: 'project', root, agent: claudeMod }));
    const files = await makeFilesAndClose(project, { root, allowPartial });
    process.chdir(folder);
    await writeFiles(
      files.map(({ path, text }) => ({ path: join(out, path), text })),
      { force },
    );
    return out;
  } finally {
    process.chdir(folder);
  }
}

/** The project is needed for its files alone. */
async function makeFilesAndClose(project: Project, request: ModRequest): Promise<readonly ModFile[]> {
  try {
    return await makeFiles(project, request);
  } finally {
    await project.close();
  }
}

function requireTrusted(opened: Awaited<ReturnType<typeof openFolder>>): Project {
  if (!('refusal' in opened)) return opened;
  if (opened.refusal === 'lost') throw new DefinitionError('bad_option', describeLost(opened));
  const why = opened.refusal === 'unknown' ? 'is not trusted yet' : 'has changed since it was trusted';
  throw new DefinitionError(
    'bad_option',
    `The code of the hooks ${why}, and is not loaded before it is: spec-hooks trust ${opened.subject}`,
  );
}

interface ModFile {
  /** Relative to the folder of the mod. */
  readonly path: string;
  readonly text: string;
}

interface ModRequest {
  readonly root: string;
  readonly allowPartial: readonly string[];
}

async function makeFiles(project: Project, { root, allowPartial }: ModRequest): Promise<readonly ModFile[]> {
  refuseOtherParts(project);
  const { hooks, modulePolicies: policies } = project;
  const registrations = writeModRegistrations({ hooks, policies, allowPartial }, './spec-hooks.mjs');
  const source = listSource(project, root);
  const text = await buildMod(source, { root, allowPartial });
  tryMod(text.forTrial, [...policies, ...hooks]);
  return [
    { path: '.claude-plugin/plugin.json', text: writeJson(manifest) },
    { path: 'hooks/hooks.json', text: writeJson({ modules: ['./register.mjs'] }) },
    { path: 'hooks/register.mjs', text: registrations },
    { path: 'hooks/spec-hooks.mjs', text: text.module },
  ];
}

const manifest = {
  name: 'spec-hooks',
  description: 'The hooks of this project, as a mod.',
};

function writeJson(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/** What the mod would leave out is named: a guard must not be lost without a word. */
function refuseOtherParts(project: Project): void {
  const { settings, rules, triggers } = configuredParts(project);
  const names = [
    ...rules,
    ...triggers,
    ...settings.map((one) => String(typeof one === 'string' ? one : one.file)),
  ];
  if (names.length === 0) return;
  throw new DefinitionError(
    'bad_option',
    `A mod has no Node, which these need: ${names.join(', ')}. ${ELSEWHERE}`,
  );
}

/** The modules that the hooks stand in, and the configuration where it holds hooks itself. */
function listSource({ hooks, modulePolicies, file }: Project, root: string): ModSource {
  const find = (some: readonly AnyHook[]): string[] => [
    ...new Set(some.map((hook) => findModule(hook, root) ?? resolve(root, file ?? ''))),
  ];
  const config = file === undefined ? undefined : resolve(root, file);
  return { hooks: find(hooks), policies: find(modulePolicies), config };
}

/** `undefined` for a hook that stands in the configuration. */
function findModule(hook: AnyHook, root: string): string | undefined {
  const place = sourceOf(hook);
  if (place === undefined) return undefined;
  const path = resolve(root, place.split('/').join(sep));
  const withoutLine = path.replace(/:\d+$/, '');
  return existsSync(path) ? path : withoutLine;
}
