// Parsed by every Node since 12: no `node:` import, no `??`, no `?.`, no top-level `await` here and in scripts/*.mjs.

/** The oldest Node this project runs on: major and minor version. */
const oldest = { major: 20, minor: 19 };

/**
 * Tells whether a Node version is too old.
 *
 * @param {string} version as in `process.versions.node`
 * @returns {boolean}
 */
export function isTooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest.major || (major === oldest.major && minor < oldest.minor);
}

/** Ends the process with one sentence when this Node is too old; otherwise does nothing. */
export function refuseOldNode() {
  const version = process.versions.node;
  if (!isTooOld(version)) return;
  console.error(
    `This project needs Node ${oldest.major}.${oldest.minor} or newer and this is Node ${version}: ` +
      'install a newer one from https://nodejs.org (or by your version manager) and run the command again.',
  );
  process.exit(1);
}
