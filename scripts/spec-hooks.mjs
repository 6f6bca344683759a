// `npx spec-hooks <arguments>` in a checkout: sets the workspace up, then runs the command from source.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
void import('./setup/run-source.mjs').then((source) =>
  source.runSource('packages/cli/src/main.ts', process.argv.slice(2)),
);
