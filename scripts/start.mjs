// `npm start -- <arguments>`: sets the workspace up, then runs `spec-hooks replay <arguments>` from source.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
void import('./setup/run-source.mjs').then((source) =>
  source.runSource('packages/cli/src/main.ts', ['replay'].concat(process.argv.slice(2))),
);
