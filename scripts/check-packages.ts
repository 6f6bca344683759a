// Packs every package as it would be published and judges the archives: publint, arethetypeswrong, no dependency of the
// workspace's own kind left, the licence and source maps inside, links that lead somewhere, doc comments that cite nothing a user
// does not have, `@spec/hooks` free of Node and installing with its two dependencies alone.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Manifest } from './pack/manifest.ts';
import { type Archive, packPackages } from './pack/pack-packages.ts';
import { reachableImports } from './reachable-imports.ts';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules/.bin');
const temporary = mkdtempSync(join(tmpdir(), 'packed-'));

try {
  const archives = packPackages(join(temporary, 'archives'));
  const folders = archives.map(unpack);
  await judgeArchives(archives);
  for (const [index, archive] of archives.entries()) checkPackage(archive, folders[index] ?? '');
  for (const folder of folders) checkLinks(folder);
  checkFoldersRefuse();
  checkHooksIsNeutral();
  checkHooksInstallsAlone(archives);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** publint and arethetypeswrong, as many at a time as there are processors. */
async function judgeArchives(archives: readonly Archive[]): Promise<void> {
  const waiting = archives.values();
  const judgeNext = async (): Promise<void> => {
    for (const { file, entries } of waiting) {
      await runBesides('publint', ['run', file, '--strict']);
      if (entries.length > 0) await runBesides('attw', [file, '--profile', 'esm-only', '--no-emoji']);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, judgeNext));
}

function checkPackage({ name }: Archive, folder: string): void {
  const manifest = readManifest(join(folder, 'package.json'));
  const internal = /"(?:workspace|catalog|link|file):|"@spec\/source"|"(?:devDependencies|scripts)"/.exec(
    JSON.stringify(manifest),
  );
  if (internal !== null) throw new Error(`the package.json of ${name} holds ${internal[0]}`);
  const files = readdirSync(folder);
  for (const wanted of ['LICENSE', 'README.md', 'package.json', 'dist']) {
    if (!files.includes(wanted)) throw new Error(`the archive of ${name} holds no ${wanted}`);
  }
  const entries = readdirSync(join(folder, 'dist'), { withFileTypes: true });
  const built = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  for (const each of built) checkBuiltFile(join(folder, 'dist', each), built);
  console.log(`${name}: ${built.length} built files, publint and attw find nothing`);
}

/** Stack traces lead to source, and doc comments can be read without the repository. */
function checkBuiltFile(file: string, built: readonly string[]): void {
  const text = readFileSync(file, 'utf8');
  const ownCode =
    file.endsWith('.mjs') && text.split('\n').some((line) => !/^(?:import|export) |^$/.test(line));
  if (ownCode && !built.includes(`${basename(file)}.map`)) throw new Error(`${file} has no source map`);
  const citation = file.endsWith('.d.mts') ? /^.*(?:§|\(C\d+[,)]|\bdesign\.md).*$/m.exec(text) : null;
  if (citation !== null) throw new Error(`${file} cites what users do not have:\n${citation[0]}`);
}

/** As they are installed: the packages stand beside each other. */
function checkLinks(folder: string): void {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const page of entries.filter((name) => name.endsWith('.md'))) {
    const text = readFileSync(join(folder, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
    for (const [link, path = ''] of text.matchAll(/\]\(([^()\s#]+)(?:#[^()\s]*)?\)/g)) {
      if (!/^[a-z]+:/.test(path) && !existsSync(join(folder, dirname(page), path)))
        throw new Error(`${join(folder, page)} has a link that leads nowhere: ${link}`);
    }
  }
}

/** What a package manager packs in a package's own folder could not be installed. */
function checkFoldersRefuse(): void {
  const folder = join(root, 'packages/hooks');
  for (const manager of ['npm', 'pnpm']) {
    const { status, stdout, stderr } = spawnSync(manager, ['pack', '--pack-destination', temporary], {
      cwd: folder,
      env: environment(),
      encoding: 'utf8',
    });
    if (status === 0 || !(stdout + stderr).includes('npm run pack'))
      throw new Error(`${manager} pack in a package's folder does not say what to do instead`);
  }
}

/** The core runs in browsers and workers. */
function checkHooksIsNeutral(): void {
  for (const entry of ['index.mjs', 'testing.mjs']) {
    const { external } = reachableImports(join(root, 'packages/hooks/dist', entry));
    const builtIn = external.find(
      ({ specifier }) => specifier.startsWith('node:') || builtinModules.includes(specifier),
    );
    if (builtIn)
      throw new Error(`@spec/hooks/dist/${entry} reaches ${builtIn.specifier} through ${builtIn.file}`);
  }
}

function checkHooksInstallsAlone(archives: readonly Archive[]): void {
  const archive = archives.find(({ name }) => name === '@spec/hooks');
  const project = join(temporary, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const quietly = ['--silent', '--no-audit', '--no-fund', '--prefer-offline'];
  run('npm', ['install', ...quietly, archive?.file ?? ''], project);
  const { name, dependencies } = readManifest(join(project, 'node_modules/@spec/hooks/package.json'));
  const wanted = Object.keys(dependencies ?? {})
    .sort()
    .join(' and ');
  if (wanted !== 'p-timeout and type-fest') throw new Error(`${name} depends on ${wanted}`);
  run(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      "await import('@spec/hooks'); await import('@spec/hooks/host'); await import('@spec/hooks/testing');",
    ],
    project,
  );
  console.log(`@spec/hooks: installs with ${wanted} alone, reaches nothing of Node`);
}

/** Unpacks an archive beside the others, as `node_modules/@spec` has them. */
function unpack({ name, file }: Archive): string {
  const target = join(temporary, 'packages', name.replace('@spec/', ''));
  mkdirSync(target, { recursive: true });
  run('tar', ['-xzf', file, '--strip-components=1', '-C', target]);
  return target;
}

function run(command: string, args: readonly string[], cwd: string = root): void {
  try {
    execFileSync(command, args, { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw tellFailure(command, args, error);
  }
}

async function runBesides(command: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args, { cwd: root, env: environment() });
  } catch (error) {
    throw tellFailure(command, args, error);
  }
}

function tellFailure(command: string, args: readonly string[], error: unknown): Error {
  const { stdout = '', stderr = '' } = error as {
    stdout?: { toString(): string };
    stderr?: { toString(): string };
  };
  return new Error(`${command} ${args.join(' ')} failed:\n${stdout.toString()}${stderr.toString()}`);
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${bin}:${process.env.PATH}`, CI: 'true' };
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}
