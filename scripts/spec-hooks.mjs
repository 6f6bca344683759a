// `npx spec-hooks <arguments>` in a checkout: sets the workspace up, then runs the command from source.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
const args = process.argv.slice(2);
void import('./setup/run-source.mjs').then(async (source) => {
  // The page of the inspector is built: a browser reads no TypeScript.
  if (args[0] === 'inspect') {
    const { buildPackages } = await import('./setup/build.mjs');
    const failure = buildPackages('@spec/inspector...');
    if (failure !== undefined) process.stderr.write(failure);
  }
  source.runSource('packages/cli/src/main.ts', args);
});
