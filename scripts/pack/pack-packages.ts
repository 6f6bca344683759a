import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { documents, publishedPage } from './links.ts';
import { type Manifest, publishedManifest, type Workspace } from './manifest.ts';

const root = join(import.meta.dirname, '../..');

/** A package as it would be published. */
export interface Archive {
  readonly name: string;
  readonly version: string;
  /** Its entry points, such as `./node`. */
  readonly entries: readonly string[];
  /** The path of the `.tgz`. */
  readonly file: string;
}

/**
 * Packs the built packages as they are published, each from a copy that holds what users get and nothing else.
 *
 * @param target the folder for the archives; made if it is missing
 * @returns the archives, a package after those that it depends on
 */
export function packPackages(target: string): Archive[] {
  const workspace = readWorkspace();
  const copies = mkdtempSync(join(tmpdir(), 'packages-'));
  try {
    mkdirSync(target, { recursive: true });
    const manifests = publishable().map((folder) => copyPackage(folder, join(copies, folder), workspace));
    const folders = publishable().map((folder) => join(copies, folder));
    npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', target, ...folders], copies);
    return inOrder(manifests).map(({ name, version, exports = {} }) => ({
      name,
      version,
      entries: Object.keys(exports).filter((path) => !path.endsWith('.json')),
      file: join(target, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`),
    }));
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
}

/** Where the source is, or `undefined` while package.json names no public place. */
export function publicRepository(): string | undefined {
  const { repository } = readManifest('package.json');
  return typeof repository === 'string' ? repository : undefined;
}

/** The folders of the packages that users get, such as `packages/hooks`. */
function publishable(): string[] {
  const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  return folders.filter((folder) => readManifest(`${folder}/package.json`).private !== true);
}

function readWorkspace(): Workspace {
  const { catalog } = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) as {
    catalog: Record<string, string>;
  };
  const manifests = publishable().map((folder) => readManifest(`${folder}/package.json`));
  const repository = publicRepository();
  return {
    versions: Object.fromEntries(manifests.map(({ name, version }) => [name, version])),
    catalog,
    ...(repository !== undefined && { repository }),
  };
}

function copyPackage(folder: string, copy: string, workspace: Workspace): Manifest {
  const source = readManifest(`${folder}/package.json`);
  const files = [...(source.files as string[]), 'CHANGELOG.md'];
  if (!existsSync(join(root, folder, 'dist'))) throw new Error(`${folder} is not built: npm run build`);
  mkdirSync(copy, { recursive: true });
  for (const file of files.filter((name) => existsSync(join(root, folder, name))))
    cpSync(join(root, folder, file), join(copy, file), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(copy, 'LICENSE'));
  copyPages(`${folder}/README.md`, join(copy, 'README.md'), workspace);
  if (documents.packed.startsWith(`${folder}/`)) copyPages(documents.file, join(copy, 'docs'), workspace);
  const manifest = publishedManifest(source, folder, workspace);
  writeFileSync(join(copy, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Copies a page, or a folder with all in it; pages get links that work where they will be. */
function copyPages(from: string, to: string, workspace: Workspace): void {
  cpSync(join(root, from), to, { recursive: true });
  const pages = from.endsWith('.md') ? [''] : pagesIn(join(root, from));
  for (const page of pages) {
    const file = page === '' ? from : `${from}/${page}`;
    const packed = page === '' ? from : `${documents.packed}/${page}`;
    const text = publishedPage(readFileSync(join(root, file), 'utf8'), { ...workspace, file, packed });
    writeFileSync(join(to, page), text);
  }
}

function pagesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md'));
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Each package after those of the workspace that it depends on. */
function inOrder(manifests: readonly Manifest[]): Manifest[] {
  const ordered: Manifest[] = [];
  const add = (manifest: Manifest): void => {
    if (ordered.includes(manifest)) return;
    for (const other of manifests) if (other.name in (manifest.dependencies ?? {})) add(other);
    ordered.push(manifest);
  };
  manifests.forEach(add);
  return ordered;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
}

function npm(args: readonly string[], cwd: string): void {
  execFileSync('npm', args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
