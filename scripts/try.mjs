// `npm run try FILE`: sets the workspace up, type-checks a program, then runs it against the source of all packages.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
void import('./setup/try-program.mjs').then((program) => program.tryProgram(process.argv.slice(2)));
