// Runs a program of this workspace from its TypeScript source.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPackages } from './build.mjs';
import { root, setUpOrExit } from './set-up.mjs';

/**
 * Sets the workspace up, then runs a program that reads all packages from source.
 *
 * @param {string} file the program, relative to the checkout
 * @param {readonly string[]} args its arguments
 */
export function runSource(file, args) {
  setUpOrExit();
  runAsCaller(['--conditions=@spec/source'], { file: join(root, file) }, args);
}

/**
 * Sets the workspace up, builds what a package depends on, then runs a program of that package against the builds:
 * what tsx makes of a source file on the fly is slower than what is published.
 *
 * @param {string} name the package, such as `@spec/bench`
 * @param {string} file its program, relative to the checkout
 * @param {readonly string[]} args its arguments
 */
export function runAgainstBuild(name, file, args) {
  setUpOrExit();
  const failure = buildPackages(`${name}^...`);
  if (failure === undefined) return runAsCaller(['--expose-gc'], { file: join(root, file) }, args);
  process.stderr.write(failure);
  process.exitCode = 1;
}

/**
 * Runs a program in the caller's folder with the caller's standard streams, and ends as it ends.
 *
 * @param {readonly string[]} flags of Node
 * @param {{ file: string, tsconfig?: string }} program an absolute path, and the configuration for tsx, relative to the checkout
 * @param {readonly string[]} args
 */
export function runAsCaller(flags, { file, tsconfig = 'tsconfig.json' }, args) {
  const tsx = createRequire(join(root, 'package.json')).resolve('tsx');
  const child = spawn(process.execPath, [...flags, '--import', pathToFileURL(tsx).href, file, ...args], {
    cwd: callerFolder(),
    stdio: 'inherit',
    env: { ...process.env, TSX_TSCONFIG_PATH: join(root, tsconfig) },
  });
  // A Ctrl-C reaches the program by itself; this process only waits for it.
  process.on('SIGINT', () => {});
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** npm runs scripts in the checkout; paths on the command line mean the folder where npm was started. */
export function callerFolder() {
  const byNpm = process.env.npm_package_json === join(root, 'package.json');
  return (byNpm && process.env.INIT_CWD) || process.cwd();
}
