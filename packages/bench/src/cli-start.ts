import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { measure } from './measure.ts';
import { inFolder } from './scratch.ts';

const NODE = 'node -e 0';
const HELP = 'spec-hooks --help';
const LIST = 'spec-hooks list';

const HOOKS = 20;

/** A start of Node takes some 40 ms on the machine that the targets are meant for: 150 ms and 400 ms there. */
export const cliStart: Bench = {
  name: 'cli-start',
  about: `the command from its start to its end: --help, and list on ${HOOKS} hook modules, beside a Node that does nothing`,
  unit: 'ns',
  comparisons: [
    { of: HELP, against: NODE, atMost: 3.75 },
    { of: LIST, against: NODE, atMost: 10 },
  ],
  notes: ['The package as it is built, with a warm cache of translated modules.'],
  run: () =>
    inFolder((folder) => {
      writeHooks(join(folder, 'hooks'));
      const main = fileURLToPath(new URL('main.mjs', import.meta.resolve('@spec/cli')));
      const run = (args: readonly string[]) => () => ended(args, folder);
      const contenders = {
        [NODE]: run(['-e', '0']),
        [HELP]: run([main, '--help']),
        [LIST]: run([main, 'list']),
      };
      return measure(contenders, { batch: 1, rounds: 9, time: 200 });
    }),
};

function writeHooks(folder: string): void {
  mkdirSync(folder);
  for (let i = 1; i <= HOOKS; i++) {
    const hook = `{ hook: 'filter_messages', id: 'hook_${i}', execute: async (_state, messages) => messages }`;
    const text = `import { defineHook } from '@spec/hooks';\n\nexport default defineHook(${hook});\n`;
    writeFileSync(join(folder, `hook-${i}.ts`), text);
  }
}

/** Runs Node to its end, in a home of its own so that no other cache is in the way. */
async function ended(args: readonly string[], folder: string): Promise<void> {
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${String(code)}`);
}
