// Sets the checkout up: under a lock, with one retry from scratch, and one sentence when it cannot be done.
import { accessSync, constants, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as checkout from './checkout.mjs';
import { explainFailure } from './diagnose.mjs';
import { install } from './install.mjs';
import { takeLock } from './lock.mjs';
import { compilerIsMissing, loadFailure } from './native.mjs';

const debug = Boolean(process.env.SETUP_DEBUG);

/** @param {string} text */
const tell = (text) => process.stderr.write(`${text}\n`);

/**
 * Makes sure that everything is installed; does nothing when it is. All messages go to standard error.
 * On failure it prints one sentence and ends the process with code 1.
 *
 * @param {{ force?: boolean }} [options] `force` removes what is installed first
 */
export async function setUpOrExit({ force = false } = {}) {
  if (!force && checkout.isSetUp()) return;
  try {
    await setUpOnce(force);
  } catch (error) {
    tell(error instanceof SetUpFailure ? error.message : sentence(String(error)));
    if (debug) tell(String(/** @type {Error} */ (error).stack));
    process.exit(1);
  }
}

class SetUpFailure extends Error {}

/** @param {boolean} force */
async function setUpOnce(force) {
  const lock = await takeLock(join(checkout.root, '.setup-lock'), (holder) =>
    tell(`Another set-up (${holder}) is working on this checkout; waiting for it ...`),
  );
  const release = () => lock.release();
  process.on('exit', release);
  try {
    if (!force && checkout.isSetUp()) return;
    await setUp(lock.addProcess, force);
  } finally {
    process.off('exit', release);
    release();
  }
}

/**
 * @param {(pid: number) => void} onStart
 * @param {boolean} force
 */
async function setUp(onStart, force) {
  const started = Date.now();
  const log = logFile();
  tell(`Setting up the workspace with ${checkout.pinnedManager()} (1 to 3 minutes the first time) ...`);
  if (force || checkout.isForeign()) checkout.removeInstalled();
  checkout.unmarkSetUp();
  const mayBeDamaged = checkout.hasInstalled();
  let failure = await attempt(log, onStart);
  if (failure !== undefined && explainFailure(failure) === undefined && mayBeDamaged) {
    tell('What an earlier set-up left behind is damaged or was made for another Node; starting over ...');
    checkout.removeInstalled();
    failure = await attempt(log, onStart);
  }
  if (failure !== undefined) throw new SetUpFailure(`${sentence(failure)} (Details: ${log})`);
  checkout.markSetUp();
  rmSync(log, { force: true });
  tell(`Set up in ${((Date.now() - started) / 1000).toFixed(0)} s.`);
}

/**
 * @param {string} log
 * @param {(pid: number) => void} onStart
 * @returns {Promise<string | undefined>} what went wrong, as printed by what went wrong; undefined when all is well
 */
async function attempt(log, onStart) {
  const { code, output } = await install({ log, onStart, onOutput: reporter() });
  if (code !== 0) return output || `the installer ended with ${code}`;
  const missing = checkout.missingPart();
  return missing === undefined ? loadFailure() : `${missing} is missing`;
}

/** @param {string} failure */
function sentence(failure) {
  return (
    explainFailure(failure) ??
    'The set-up failed for a reason it does not recognise: run "SETUP_DEBUG=1 node scripts/setup.mjs --force" and see what it prints.'
  );
}

/** Tells when the long step begins, and ends it there when it must fail in the end; with SETUP_DEBUG tells everything. */
function reporter() {
  let compiling = false;
  /** @param {string} output */
  return (output) => {
    if (debug) process.stderr.write(output);
    if (compiling || !output.includes('gyp info spawn make')) return undefined;
    compiling = true;
    if (compilerIsMissing()) return 'make: g++: not found\n';
    tell('Compiling better-sqlite3, because no prebuilt binary could be downloaded (about a minute) ...');
    return undefined;
  };
}

function logFile() {
  try {
    accessSync(checkout.root, constants.W_OK);
    return join(checkout.root, 'setup.log');
  } catch {
    return join(tmpdir(), 'spec-hooks-setup.log');
  }
}
