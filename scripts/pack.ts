// Packs all packages as they are published. `npm run pack` writes them into packed/, `npm run pack -- FOLDER` elsewhere.
import { rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { packPackages } from './pack/pack-packages.ts';
import { buildPackages } from './setup/build.mjs';

const [given] = process.argv.slice(2);
const own = join(import.meta.dirname, '../packed');
const target = given === undefined ? own : resolve(given);

const failure = buildPackages('./packages/*');
if (failure === undefined) {
  if (target === own) rmSync(own, { recursive: true, force: true });
  const archives = packPackages(target);
  for (const { file } of archives) console.log(relative('', file));
  console.log(`\nInstall them together, in your project: npm install ${target}/*.tgz`);
} else {
  console.error(failure);
  process.exitCode = 1;
}
