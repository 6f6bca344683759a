import { builtinModules } from 'node:module';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefinitionError } from '@spec/hooks';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { absent, giveShims, MARK, marks, SHIMS } from './mod-globals.ts';

/** What a mod is made of; all paths are absolute. */
export interface ModSource {
  readonly hooks: readonly string[];
  readonly policies: readonly string[];
  /** In the lists, it stands for the hooks that it holds itself. */
  readonly config: string | undefined;
}

/** A mod as a module, and as a script that leaves its hooks in a variable. */
export interface BuiltMod {
  readonly module: string;
  readonly forTrial: string;
}

/** What a person can do with hooks that no mod can run. */
export const ELSEWHERE = 'Run the hooks by "spec-hooks install claude-code".';

/** Where the trial finds the mod. */
export const TRIAL = 'specHooksMod';

interface BuildRequest {
  readonly root: string;
  readonly allowPartial: readonly string[];
}

/**
 * Bundles hooks with what they import, without anything of Node.
 *
 * @throws {DefinitionError} `missing_dependency` where esbuild is not installed; `bad_module` for what needs Node, by its name
 */
export async function buildMod(source: ModSource, { root, allowPartial }: BuildRequest): Promise<BuiltMod> {
  const { build } = await importEsbuild();
  const needs = new Map<string, Set<string>>();
  const options: BuildOptions = {
    ...{ bundle: true, write: false, metafile: true, logLevel: 'silent', absWorkingDir: root },
    ...{ platform: 'browser', target: 'es2023', charset: 'utf8', legalComments: 'none', treeShaking: true },
    stdin: { contents: writeEntry(source, allowPartial), resolveDir: root, sourcefile: ENTRY, loader: 'js' },
    define: { 'process.env.NODE_ENV': '"production"', ...marks },
    conditions: import.meta.url.endsWith('.ts') ? ['@spec/source', 'import'] : ['import'],
    inject: [SHIMS],
    plugins: [findOwnPackages(), noteNode(needs, root), giveShims()],
  };
  try {
    const { metafile, outputFiles } = await build({ ...options, format: 'esm' });
    const sections = splitSections(outputFiles?.[0]?.text ?? '', metafile as Metafile);
    refuseNode(needs, sections);
    const trial = await build({ ...options, format: 'iife', globalName: TRIAL });
    return {
      module: sections.map(({ text }) => text.replaceAll(MARK, '')).join(''),
      forTrial: trial.outputFiles?.[0]?.text ?? '',
    };
  } catch (error) {
    if (error instanceof DefinitionError) throw error;
    throw new DefinitionError('bad_module', `The hooks cannot be bundled. ${describe(error)}`);
  }
}

const ENTRY = 'spec-hooks-mod.js';

async function importEsbuild(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild');
  } catch {
    throw new DefinitionError(
      'missing_dependency',
      'A mod is bundled by the package esbuild, which is not installed. Install it: npm install --save-dev esbuild',
    );
  }
}

function describe(error: unknown): string {
  const { errors = [] } = error as {
    readonly errors?: readonly {
      readonly text: string;
      readonly location?: { readonly file: string } | null;
    }[];
  };
  const [first] = errors;
  return first === undefined
    ? String((error as Error).message)
    : `${first.location?.file ?? ''}: ${first.text}`;
}

/** Each module gives its default export, the configuration the hooks among its policies. */
function writeEntry({ hooks, policies, config }: ModSource, allowPartial: readonly string[]): string {
  const files = [...new Set([...hooks, ...policies])];
  const imports = files.map((file, at) => `import m${at} from ${JSON.stringify(file)};`);
  const list = (some: readonly string[]): string =>
    some
      .map((file) => (file === config ? `m${files.indexOf(file)}.policies` : `m${files.indexOf(file)}`))
      .join(', ');
  return `import { createClaudeMod } from '@spec/agents/claude-mod';
${imports.join('\n')}
const listHooks = (...given) => [...new Set(given.flat().filter((one) => typeof one === 'object'))];
export const hooks = listHooks(${list(hooks)});
export const policies = listHooks(${list(policies)});
export const mod = createClaudeMod({ hooks, policies, allowPartial: ${JSON.stringify(allowPartial)} });
`;
}

/** What hooks and configurations import of ours is the copy of this program, wherever they stand. */
function findOwnPackages(): Plugin {
  const here = dirname(fileURLToPath(import.meta.url));
  return {
    name: 'own-packages',
    setup(build) {
      build.onResolve({ filter: /^@spec\/(?:hooks|agents)(?:\/|$)/ }, ({ path, kind, pluginData }) =>
        pluginData === OWN ? undefined : build.resolve(path, { kind, resolveDir: here, pluginData: OWN }),
      );
      build.onResolve({ filter: /^@spec\/cli$/ }, () => ({ path: 'cli', namespace: OWN }));
      build.onLoad({ filter: /.*/, namespace: OWN }, () => ({
        contents: 'export const defineConfig = (config) => config;',
      }));
    },
  };
}

const OWN = 'spec-hooks-own';

const builtIn = new Set(builtinModules);

/** Notes which file imports what of Node, or says a name that only Node and browsers have. */
function noteNode(needs: Map<string, Set<string>>, root: string): Plugin {
  return {
    name: 'note-node',
    setup(build) {
      build.onResolve({ filter: /^(?:node:)?[a-z_/]+$/ }, ({ path, importer }) => {
        if (!path.startsWith('node:') && !builtIn.has(path)) return undefined;
        const file = relative(root, importer);
        needs.set(file, (needs.get(file) ?? new Set()).add(path));
        return { path, external: true };
      });
    },
  };
}

/** The text that one module became. */
interface Section {
  /** Relative to the project. */
  readonly file: string;
  readonly text: string;
}

/** Without the comments that name the modules: their paths differ where packages are installed elsewhere. */
function splitSections(text: string, { inputs }: Metafile): readonly Section[] {
  const sections: { file: string; text: string }[] = [{ file: '', text: '' }];
  for (const line of text.split(/(?<=\n)/)) {
    const file = line.startsWith('// ') ? line.slice(3).trimEnd() : undefined;
    const last = sections.at(-1);
    if (file !== undefined && Object.hasOwn(inputs, file)) sections.push({ file, text: '' });
    else if (last !== undefined) last.text += line;
  }
  return sections;
}

/** Packages look for Node before they use it, so that only the project's own modules are judged by the names that they say. */
function refuseNode(needs: Map<string, Set<string>>, sections: readonly Section[]): void {
  for (const { file, text } of sections.filter((one) => !one.file.includes('node_modules/'))) {
    const names = absent.filter((name) => new RegExp(`\\b${MARK}${name}\\b`).test(text));
    for (const name of names) needs.set(file, (needs.get(file) ?? new Set()).add(name));
  }
  if (needs.size === 0) return;
  const lines = [...needs].map(([file, names]) => `${file} needs ${[...names].sort().join(', ')}`).sort();
  throw new DefinitionError('bad_module', `A mod has no Node. ${lines.join('; ')}. ${ELSEWHERE}`);
}
