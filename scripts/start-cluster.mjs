// `npm run start:cluster -- <arguments>`: sets the workspace up, builds the packages, and runs PostgreSQL, Restate and three workers.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
void import('./setup/run-source.mjs').then((source) =>
  source.runAgainstBuild(
    '@spec/example-run-cluster',
    'examples/run-cluster/src/main.ts',
    process.argv.slice(2),
  ),
);
