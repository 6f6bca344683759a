// Packs every package as it would be published and judges the archives: publint, arethetypeswrong, no dependency of the
// workspace's own kind left, the licence inside, `@spec/hooks` free of Node and installing with its two dependencies alone.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reachableImports } from './reachable-imports.ts';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules/.bin');
const temporary = mkdtempSync(join(tmpdir(), 'packed-'));

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

try {
  for (const folder of publishable()) checkPackage(folder);
  checkHooksIsNeutral();
  checkHooksInstallsAlone();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

function publishable(): string[] {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  return folders.filter((folder) => !manifestOf(join(folder, 'package.json')).private);
}

function checkPackage(folder: string): void {
  const archive = pack(folder);
  run('publint', ['run', archive, '--strict']);
  const content = unpack(archive);
  const manifest = manifestOf(join(content, 'package.json'));
  if (Object.keys(manifest.exports).some((path) => path !== './package.json')) {
    run('attw', [archive, '--profile', 'esm-only', '--no-emoji']);
  }
  for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
    if (/^(?:workspace|catalog|link|file):/.test(range))
      throw new Error(`${manifest.name} depends on ${name}@${range}`);
  }
  const files = readdirSync(content);
  for (const wanted of ['LICENSE', 'README.md', 'dist']) {
    if (!files.includes(wanted)) throw new Error(`the archive of ${manifest.name} holds no ${wanted}`);
  }
  console.log(
    `${manifest.name}: ${readdirSync(join(content, 'dist')).length} built files, publint and attw find nothing`,
  );
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

function checkHooksInstallsAlone(): void {
  const archive = pack(join(root, 'packages/hooks'));
  const project = join(temporary, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', archive], project);
  const { name, dependencies } = manifestOf(join(project, 'node_modules/@spec/hooks/package.json'));
  const wanted = Object.keys(dependencies ?? {})
    .sort()
    .join(' and ');
  if (wanted !== 'p-timeout and type-fest') throw new Error(`${name} depends on ${wanted}`);
  run(
    process.execPath,
    ['--input-type=module', '-e', "await import('@spec/hooks'); await import('@spec/hooks/testing');"],
    project,
  );
  console.log(`@spec/hooks: installs with ${wanted} alone, reaches nothing of Node`);
}

/** Packs as pnpm publishes, and gives the archive's path. */
function pack(folder: string): string {
  const target = mkdtempSync(join(temporary, 'archive-'));
  run('pnpm', ['pack', '--pack-destination', target], folder);
  const [archive] = readdirSync(target);
  if (archive === undefined) throw new Error(`pnpm packed nothing in ${folder}`);
  return join(target, archive);
}

function unpack(archive: string): string {
  const target = mkdtempSync(join(temporary, 'content-'));
  run('tar', ['-xzf', archive, '-C', target]);
  return join(target, 'package');
}

function run(command: string, args: readonly string[], cwd: string = root): void {
  try {
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, CI: 'true' };
    execFileSync(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}

function manifestOf(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}
