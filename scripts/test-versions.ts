// Tries the packed packages with each TypeScript and each Node that docs/installing.md promises, all of them from the registry, better-sqlite3 as npm
// chooses it for each Node. `npm run test:versions` does it; it takes minutes, so that CI does not.
import { mkdtempSync, rmSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Archive, packPackages } from './pack/pack-packages.ts';
import { commonJs, firstProgram, importsOf, javaScript, Project } from './packed/project.ts';
import { buildPackages } from './setup/build.mjs';

const typeScripts = ['5.9', '6', '7'];
/** The first is the oldest that is promised. */
const nodes = ['20.19.0', '20', '22', '24'];

const folder = mkdtempSync(join(tmpdir(), 'versions-'));
const program = firstProgram('README.md');
const store = `import { sqliteStore } from '@spec/runtime/sqlite';
const store = sqliteStore({ path: 'threads.db' });
await store.listThreads();
await store.close();
`;

try {
  const failure = buildPackages('./packages/*');
  if (failure !== undefined) throw new Error(failure);
  const archives = packPackages(join(folder, 'archives'));
  for (const version of typeScripts) await tryTypeScript(version, archives);
  for (const version of nodes) await tryNode(version, archives);
  await tryYarn(archives);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Compiles the README's program, and imports of all entry points, as modules of both kinds with every library checked. */
async function tryTypeScript(version: string, archives: readonly Archive[]): Promise<void> {
  const compilerOptions = {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: ['node'],
  };
  const project = new Project(join(folder, `typescript-${version}`))
    .write('package.json', { private: true, type: 'module' })
    .write('tsconfig.json', { compilerOptions, include: ['src'] })
    .write('src/main.ts', program)
    .write('src/all.ts', importsOf(archives))
    .write(
      'src/required.cts',
      `import { defineHook } from '@spec/hooks';\nexport const made = defineHook;\n`,
    );
  const peers = [
    'better-sqlite3',
    '@types/better-sqlite3',
    'drizzle-orm',
    '@modelcontextprotocol/sdk',
    'vitest@4',
  ];
  await project.install(
    '--ignore-scripts',
    `typescript@${version}`,
    '@types/node@20',
    ...archives.map(({ file }) => file),
    ...peers,
  );
  await project.runWell('npx', 'tsc');
  console.log(
    `TypeScript ${await versionOf(project, 'typescript')}: all entry points compile, libraries checked`,
  );
}

/** Runs the README's program as modules of both kinds, the command, and a store in a file. */
async function tryNode(version: string, archives: readonly Archive[]): Promise<void> {
  const name = `node-${platform() === 'win32' ? 'win' : platform()}-${arch()}`;
  const home = new Project(join(folder, `node-${version}`)).write('package.json', { private: true });
  await home.install(`${name}@${version}`);
  const node = join(home.folder, 'node_modules', name);
  const PATH = join(node, 'bin') + delimiter + process.env.PATH;
  const project = new Project(join(home.folder, 'project'), { PATH, npm_config_nodedir: node })
    .write('package.json', { private: true })
    .write('main.mjs', javaScript(program))
    .write('main.cjs', commonJs(javaScript(program)))
    .write('store.mjs', store);
  await project.install(...archives.map(({ file }) => file));
  for (const file of ['main.mjs', 'main.cjs']) await project.runWell('node', file);
  await project.runWell('npx', 'spec-hooks', 'init');
  for (const command of ['test', 'check', 'list']) await project.runWell('npx', 'spec-hooks', command);
  await project.install('better-sqlite3', 'drizzle-orm');
  await project.runWell('node', 'store.mjs');
  const found = (await project.runWell('node', '--version')).trim();
  console.log(`Node ${found}: the README's program, the command and a store in a file work`);
}

/** Installs as docs/installing.md says. */
async function tryYarn(archives: readonly Archive[]): Promise<void> {
  const fileOf = (name: string): string => `file:${archives.find((archive) => archive.name === name)?.file}`;
  const names = ['@spec/hooks', '@spec/builtins', '@spec/runtime'];
  const project = new Project(join(folder, 'yarn'))
    .write('package.json', {
      private: true,
      dependencies: Object.fromEntries(names.map((name) => [name, fileOf(name)])),
      resolutions: { '@spec/hooks': fileOf('@spec/hooks') },
    })
    .write('.yarnrc.yml', 'nodeLinker: node-modules\n')
    .write('yarn.lock', '')
    .write('main.mjs', javaScript(program));
  await project.runWell('npx', '--yes', '--package=@yarnpkg/cli-dist@4', 'yarn', 'install', '--no-immutable');
  await project.runWell('node', 'main.mjs');
  console.log("Yarn 4: installs the archives, and the README's program works");
}

async function versionOf(project: Project, name: string): Promise<string> {
  const script = `console.log(require('${name}/package.json').version)`;
  return (await project.runWell('node', '-e', script)).trim();
}
