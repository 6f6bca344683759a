// From the package manager's output to one sentence: what is missing, and what to do about it.
import { pinnedManager } from './checkout.mjs';
import { toolsCommand } from './native.mjs';

const compiling = 'better-sqlite3 has to be compiled here (no prebuilt binary could be downloaded)';

/**
 * The first entry whose pattern is in the output explains the failure; so causes stand before their consequences.
 *
 * @type {ReadonlyArray<{ sign: RegExp, say: (match: RegExpExecArray) => string }>}
 */
const causes = [
  {
    sign: /ENOSPC|No space left on device/i,
    say: () => 'The disk is full: free about 1 GB and run the command again.',
  },
  {
    sign: /gyp ERR!.*not found: make\b|make: not found/,
    say: () => `${compiling} and "make" is missing: run "${toolsCommand()}" and then the command again.`,
  },
  {
    sign: /(?:make: |sh: .*)(?:g\+\+|c\+\+|gcc|cc|clang(?:\+\+)?)\S*: (?:No such file|not found|command not found)/,
    say: () =>
      `${compiling} and a C++ compiler is missing: run "${toolsCommand()}" and then the command again.`,
  },
  {
    sign: /Could not find any Python installation|gyp ERR! find Python/,
    say: () => `${compiling} and Python 3 is missing: run "${toolsCommand()}" and then the command again.`,
  },
  {
    sign: /Could not find any Visual Studio installation/,
    say: () =>
      `${compiling} and a C++ compiler is missing: run "${toolsCommand()}" and then the command again.`,
  },
  {
    sign: /gyp: (\S+)[\\/](?:include[\\/]node[\\/])?common\.gypi not found/,
    say: ([, folder]) =>
      `${compiling} and npm's setting "nodedir" (npm_config_nodedir, or nodedir in .npmrc) names ${folder}, which holds no ` +
      `include/node of Node ${process.versions.node}: correct or remove the setting and run the command again.`,
  },
  {
    sign: /gyp WARN install got an error|related to network connectivity|node_version\.h|fatal error: node\.h/,
    say: () =>
      `${compiling} and the header files of Node ${process.versions.node} are neither beside this Node nor could they be ` +
      'downloaded from nodejs.org: install Node from its official archive, or set npm_config_nodedir to a folder whose ' +
      'include/node holds them, and run the command again.',
  },
  {
    sign: /unrecognized command[- ]line option .*-std=|This release of V8.*requires|requires C\+\+20/i,
    say: () =>
      `${compiling} and the C++ compiler is too old for Node's header files: install g++ 11 or newer.`,
  },
  {
    sign: /Killed signal terminated program|virtual memory exhausted|out of memory allocating/,
    say: () =>
      `${compiling} and the machine ran out of memory while compiling: give it 1 GB and run the command again.`,
  },
  {
    sign: /gyp ERR! (?:build|configure) error/,
    say: () =>
      `${compiling} and compiling failed: check the compiler with "${toolsCommand()}" and run the command again.`,
  },
  {
    sign: /EACCES|EPERM|EROFS|Permission denied \(os error|Read-only file system|ENOENT: [^\n]*, mkdir '[^']*\.npm'/i,
    say: () =>
      'A folder could not be written: make the checkout and the home folder writable for this user and run the command again.',
  },
  {
    sign: /ERR_PNPM_OUTDATED_LOCKFILE/,
    say: () =>
      `pnpm-lock.yaml does not fit the package.json files: run "npx ${pinnedManager()} install --no-frozen-lockfile" and commit ` +
      'the lockfile.',
  },
  {
    sign: /UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF)|SELF_SIGNED_CERT|invalid peer certificate|certificate verify failed/i,
    say: () =>
      "The package registry's certificate is not trusted here: name your network's certificate file in NODE_EXTRA_CA_CERTS " +
      'and in npm\'s setting "cafile" and run the command again.',
  },
  {
    sign: /(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)|NETWORK_ERROR|META_FETCH_FAIL|error sending request/,
    say: () =>
      'The package registry cannot be reached: check the network connection (or npm\'s settings "registry" and "proxy") and run ' +
      'the command again.',
  },
  {
    sign: /ERR_PNPM_(?:FETCH_|NO_MATCHING_VERSION)\w*|npm error code (?:E4\d\d|ETARGET)/,
    say: ([code]) =>
      `The package registry refused a package (${code}): check npm's setting "registry" and run the command again.`,
  },
  {
    sign: /spawn npx\S* ENOENT|npx: (?:command )?not found/,
    say: () =>
      'npx is missing: install npm 8 or newer (it comes with Node from https://nodejs.org) and run the command again.',
  },
  {
    sign: /GLIBC\w* not found|GLIBCXX/,
    say: () =>
      "better-sqlite3's prebuilt binary does not fit this system's C library: run " +
      '"npm_config_build_from_source=true node scripts/setup.mjs --force".',
  },
];

/**
 * Explains why a set-up failed, in one sentence with the remedy.
 *
 * @param {string} output everything the package manager printed
 * @returns {string | undefined} undefined when it is no failure we know
 */
export function explainFailure(output) {
  // pnpm wraps long lines; that no prebuilt binary can be downloaded is no failure yet.
  const unwrapped = output.replace(/\n {4,}/g, ' ').replace(/^.*prebuild-install warn.*$/gm, '');
  for (const { sign, say } of causes) {
    const match = sign.exec(unwrapped);
    if (match) return say(match);
  }
  return undefined;
}
