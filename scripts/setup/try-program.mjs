// Type-checks a program that somebody wrote in the clone, and runs it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { callerFolder, runAsCaller } from './run-source.mjs';
import { root, setUpOrExit } from './set-up.mjs';

/**
 * Sets the workspace up, and runs a program if it compiles. JavaScript is run as it is.
 *
 * @param {readonly string[]} args the program, then its arguments
 */
export function tryProgram([name, ...args]) {
  const path = name === undefined ? undefined : resolve(callerFolder(), name);
  if (path === undefined || !isFile(path)) return refuse(name);
  setUpOrExit();
  if (process.stderr.isTTY) process.stderr.write(`Checking the types of ${name} ...\n`);
  const errors = /\.[cm]?tsx?$/.test(path) ? findTypeErrors(path) : '';
  if (errors !== '') {
    process.stderr.write(`${errors}\n${name} does not compile, and was not run.\n`);
    process.exitCode = 1;
    return;
  }
  runAsCaller(['--conditions=@spec/source'], { file: path, tsconfig: 'tsconfig.try.json' }, args);
}

/** @param {string | undefined} name as it was typed */
function refuse(name) {
  const missing = name === undefined ? '' : `There is no file ${name}. `;
  process.stderr.write(`${missing}Name a program to run, such as: npm run try my-hook.ts\n`);
  process.exitCode = 2;
}

/** @param {string} path */
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * What the compiler says of one program, and not of others that lie beside it.
 *
 * @param {string} path absolute
 */
function findTypeErrors(path) {
  const folder = join(root, 'node_modules/.cache/try');
  const config = join(folder, `${process.pid}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.try.json'), include: [], files: [path] }),
  );
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', config, '--pretty', 'false'], {
      cwd: root,
      encoding: 'utf8',
    });
    return stdout.trim().replaceAll(`${relative(root, path)}(`, `${relative(callerFolder(), path)}(`);
  } finally {
    rmSync(config, { force: true });
  }
}
