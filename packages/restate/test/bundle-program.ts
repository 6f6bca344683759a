import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** Makes one file of a program of this folder: from its sources each start takes several times as long. */
export async function bundleProgram(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'restate-programs-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(root, 'test', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@spec/source'],
    external: ['pg', '@restatedev/*'],
    // What is bundled may be CommonJS.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return outfile;
}
