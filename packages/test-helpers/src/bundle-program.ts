import { existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

export interface BundleOptions {
  /** Packages that the program loads as they are installed, such as those with a binary. */
  readonly external?: readonly string[];
  readonly plugins?: readonly Plugin[];
}

const bundled = new Map<string, Promise<string>>();

/**
 * Makes one file of a program that tests start, once for all tests of this process: from its sources each start takes several times as long.
 *
 * @param program its TypeScript file, in a package of this workspace
 * @returns the path of what Node runs without flags
 */
export function bundleProgram(program: URL, options: BundleOptions = {}): Promise<string> {
  const path = bundled.get(program.href) ?? bundle(fileURLToPath(program), options);
  bundled.set(program.href, path);
  return path;
}

async function bundle(file: string, { external = [], plugins = [] }: BundleOptions): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  symlinkSync(join(findPackage(file), 'node_modules'), join(folder, 'node_modules'), 'dir');
  const outfile = join(folder, `${basename(file, '.ts')}.mjs`);
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@spec/source'],
    plugins: [...plugins],
    external: [...external],
    // What is bundled may be CommonJS.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return outfile;
}

/** The folder of the package that a file belongs to. */
function findPackage(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
