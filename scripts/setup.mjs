// Sets the workspace up with the pinned pnpm, only when something changed. Needs node and npm, nothing else.
// `--force` throws away what is installed and starts over; SETUP_DEBUG=1 shows the package manager's output.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
void import('./setup/main.mjs').then((setup) =>
  setup.setUpOrExit({ force: process.argv.includes('--force') }),
);
