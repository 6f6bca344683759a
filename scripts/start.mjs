// `npm start -- <arguments>`: sets the workspace up, then runs `spec-hooks replay <arguments>` from source.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
const args = process.argv.slice(2);
// What the support agent leaves is kept: its last line opens it in the inspector.
void import('./setup/run-source.mjs').then((source) =>
  source.runSource('packages/cli/src/main.ts', ['replay'].concat(args.length === 0 ? ['--keep'] : args)),
);
