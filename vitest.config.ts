import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { sampleOfDay } from './scripts/sample-of-day.ts';

const source = { conditions: ['@spec/source'] };
const fromSource = { resolve: source, ssr: { resolve: source } };
/** Files share what they import, which takes half of the time that importing it for each does; a busy machine may take its time. */
const quick = {
  isolate: false,
  // Collecting garbage on helper threads pays where processors are idle; here they are not. Tests make much that is soon garbage.
  execArgv: ['--single-threaded-gc', '--max-semi-space-size=64'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
};

const tests = ['packages/*/{src,test}/**/*.test.ts', 'examples/*/**/*.test.ts', 'scripts/**/*.test.ts'];
/** What takes long because it tries everything: all runs, all crashes, all faults. */
const proofs = '**/*.proof.test.ts';
/** The same, of which a share runs each day. */
const sampled = '**/*.sampled.test.ts';
/**
 * What starts processes by the hundred: each costs what the process that starts it holds in memory, so these have workers of their own, which
 * load little else.
 */
const spawning = [
  'packages/commands/{src,test}/**/*.test.ts',
  'packages/runtime/src/mcp/*.test.ts',
  'packages/runtime/test/{asleep,kills,same-turn,left-behind}.sampled.test.ts',
  'packages/runtime/test/{killed-in-retry,killed-with-parts,sent-meanwhile,takeover}.test.ts',
  'packages/builtins/src/limit-cost.test.ts',
  'packages/agents/test/*.test.ts',
  'packages/gateway/test/*.test.ts',
];
/** Proofs that install packages, start browsers, play whole recordings or add to a copy of everything, a minute each and more: a third of them each day. */
const longest = [
  'packages/cli/test/airline.proof.test.ts',
  'packages/inspector/test/attacks-in-browser.proof.test.ts',
  'packages/inspector/test/page-in-browser.proof.test.ts',
  'scripts/packed/init.proof.test.ts',
  'scripts/adding.proof.test.ts',
  'scripts/try.proof.test.ts',
  'scripts/packed/kinds.proof.test.ts',
];
const waitingToday = longest.filter((_, at) => at % 3 !== Number(sampleOfDay) % 3);

/** What starts the command as it is published, and documents and examples as their readers do. */
const onBuilt = ['packages/cli/test/**/*.test.ts', 'scripts/on-built/**/*.test.ts'];

/** What a store has to hold for a runtime over it: these tests of the runtime run over each other store too. */
const overStores = [
  'kills.sampled',
  'takeover',
  'crashes.proof',
  'side-crashes.proof',
  'left-behind.sampled',
  'same-turn.sampled',
  'sent-meanwhile',
  'killed-in-retry',
  'killed-with-parts',
  'late-writes',
  'own-ids',
  'queue',
].map((name) => `packages/runtime/test/${name}.test.ts`);
const lastingStore = fileURLToPath(new URL('packages/postgres/test/lasting-store.ts', import.meta.url));

/** Where a server is named. */
const hasPostgres = process.env.SPEC_POSTGRES_URL !== undefined;

/** The runtime over PostgreSQL. */
const onPostgres: TestProjectInlineConfiguration = {
  ...fromSource,
  resolve: { ...source, alias: [{ find: /^.*\/lasting-store\.ts$/, replacement: lastingStore }] },
  test: {
    ...quick,
    isolate: true,
    name: 'proof-postgres',
    include: [
      ...overStores,
      'packages/runtime/src/{compaction/kills.proof,tools/kept-results,writes/kept-text}.test.ts',
    ],
    globalSetup: './packages/postgres/test/drop-schemas.ts',
    env: { LASTING_STORE: lastingStore },
  },
};

const unitTests: TestProjectInlineConfiguration = {
  ...fromSource,
  test: {
    ...quick,
    name: 'unit',
    include: tests,
    exclude: [...configDefaults.exclude, ...onBuilt, ...spawning, proofs, sampled],
    // Those that run side by side wait for clocks.
    maxConcurrency: 10,
    globalSetup: './scripts/sample-of-day.ts',
    env: { SAMPLE_OF_DAY: sampleOfDay },
  },
};

const spawningTests: TestProjectInlineConfiguration = {
  ...fromSource,
  test: {
    ...quick,
    name: 'spawning',
    include: spawning,
    exclude: [...configDefaults.exclude, proofs, sampled],
    maxConcurrency: 10,
    globalSetup: './scripts/sample-of-day.ts',
    env: { SAMPLE_OF_DAY: sampleOfDay },
  },
};

const testsOnBuilt: TestProjectInlineConfiguration = {
  ...fromSource,
  test: {
    ...quick,
    name: 'built',
    include: onBuilt,
    exclude: [...configDefaults.exclude, proofs, sampled],
    globalSetup: './scripts/built-packages.ts',
    env: { SAMPLE_OF_DAY: sampleOfDay },
  },
};

/** Proofs: all of them, or the share of the day. */
const proofTests = (all: boolean): TestProjectInlineConfiguration => ({
  ...fromSource,
  test: {
    ...quick,
    isolate: true,
    name: 'proof',
    include: [proofs, sampled],
    globalSetup: ['./scripts/built-packages.ts', './scripts/sample-of-day.ts'],
    ...(all
      ? {}
      : {
          exclude: [...configDefaults.exclude, ...waitingToday],
          env: { SAMPLE_OF_DAY: sampleOfDay },
        }),
  },
});

const typeTests: TestProjectInlineConfiguration = {
  test: {
    name: 'types',
    include: [],
    typecheck: {
      enabled: true,
      only: true,
      include: ['packages/*/{src,test}/**/*.test-d.ts'],
      // Those tests and what they import: `npm run typecheck` checks everything.
      tsconfig: 'tsconfig.type-tests.json',
      checker: './node_modules/typescript-native/bin/tsc',
    },
  },
};

/** `--mode everything` leaves nothing to another day. */
export default defineConfig(({ mode }) => ({
  test: {
    // A third of what tests do is to wait for processes and clocks: three workers on two processors leave neither idle.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Tests that start processes do so two at a time.
    maxConcurrency: 2,
    globalSetup: './scripts/temporary-folder.ts',
    projects: [
      unitTests,
      spawningTests,
      testsOnBuilt,
      proofTests(mode === 'everything'),
      ...(hasPostgres ? [onPostgres] : []),
      typeTests,
    ],
  },
}));
