import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'programs-'));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
const bundled = new Map<string, Promise<string>>();

/**
 * Makes one file of a program that tests start, once for all tests of this process: from its sources each start takes several times as long.
 *
 * @param name the program's file in the folder of this one, without `.ts`
 * @returns the path of what Node runs without flags
 */
export function bundleProgram(name: string): Promise<string> {
  const path = bundled.get(name) ?? bundle(name);
  bundled.set(name, path);
  return path;
}

async function bundle(name: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(root, 'test', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@spec/source'],
    // Its binary is found beside it.
    external: ['better-sqlite3'],
    // What is bundled may be CommonJS.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return outfile;
}
