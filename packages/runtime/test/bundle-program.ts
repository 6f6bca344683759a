import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'programs-'));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
/** Where these tests run over another store, programs have it too. */
const { LASTING_STORE: replacement } = process.env;
const anotherStore: Plugin[] =
  replacement === undefined
    ? []
    : [
        {
          name: 'another-store',
          setup: ({ onResolve }) =>
            onResolve({ filter: /\/lasting-store\.ts$/ }, () => ({ path: replacement })),
        },
      ];
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
    plugins: anotherStore,
    // The binary of the first is found beside it; the second is looked for and not needed.
    external: ['better-sqlite3', 'pg-native'],
    // What is bundled may be CommonJS.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return outfile;
}
