// `npm run bench -- <arguments>`: sets the workspace up, builds the packages, and measures what would be published.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
void import('./setup/run-source.mjs').then((source) =>
  source.runAgainstBuild('@spec/bench', 'packages/bench/src/main.ts', process.argv.slice(2)),
);
