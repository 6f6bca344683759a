// Builds packages as they would be published; those that are built and unchanged cost a second.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { root } from './set-up.mjs';

/**
 * Builds the packages that a filter of turbo selects.
 *
 * @param {string} filter such as `@spec/cli...`, a package and all that it depends on
 * @returns {string | undefined} what was printed, where they could not be built
 */
export function buildPackages(filter) {
  const turbo = createRequire(join(root, 'package.json')).resolve('turbo/bin/turbo');
  const bin = join(root, 'node_modules/.bin');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [turbo, 'run', 'build', `--filter=${filter}`, '--output-logs=errors-only'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, PATH: bin + delimiter + process.env.PATH, TURBO_TELEMETRY_DISABLED: '1' },
    },
  );
  return status === 0 ? undefined : `${stdout}${stderr}The packages could not be built.\n`;
}
