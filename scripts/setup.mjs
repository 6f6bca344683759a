// Sets the workspace up with the pinned pnpm, only when something changed. Needs node and npm, nothing else.
// `--force` throws away what is installed and starts over.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
void import('./setup/set-up.mjs').then((setup) =>
  setup.setUpOrExit({ force: process.argv.includes('--force') }),
);
