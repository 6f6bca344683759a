import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** Adds to a copy of the repository, by touching the files that CONTRIBUTING.md names and no other; types and tests must hold then. */

const root = fileURLToPath(new URL('..', import.meta.url));
const LEFT_OUT = new Set(['node_modules', 'dist', '.turbo', '.git']);
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

let copy = '';
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'spec-hooks-adding-'));
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const folder of ['packages', 'examples']) {
    for (const name of readdirSync(join(root, folder))) {
      const modules = join(folder, name, 'node_modules');
      if (existsSync(join(root, modules)))
        cpSync(join(root, modules), join(copy, modules), { recursive: true, verbatimSymlinks: true });
    }
  }
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

/** Puts text before what stands in a file. @param named how CONTRIBUTING.md names the file */
function addBefore(file: string, named: string, anchor: string, added: string): void {
  expect(contributing, `CONTRIBUTING.md must name ${file}`).toContain(named);
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(anchor))
    throw new Error(`${file} no longer has "${anchor}": give this test another place`);
  writeFileSync(
    path,
    text.replace(anchor, () => `${added}${anchor}`),
  );
}

function mustPass(program: string, ...args: readonly string[]): void {
  const path = join(root, 'node_modules/.bin', program);
  const { status, stdout, stderr } = spawnSync(path, args, { cwd: copy, encoding: 'utf8', timeout: 240_000 });
  expect(status, `${program} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
}

function typesAndTestsHold(...tests: readonly string[]): void {
  mustPass('tsc', '-p', 'tsconfig.json', '--noEmit');
  mustPass('vitest', 'run', '--project=unit', ...tests);
}

test('a rule action is its name and its row', { timeout: 300_000 }, () => {
  const file = 'packages/rules/src/actions.ts';
  addBefore(file, file, "'deny' | 'allow'", "'ask' | ");
  const row = `  ask: {
    stance: 'guards',
    decides: 'ask',
    defaultReason: (id) => \`The rule "\${id}" wants a person to look at this.\`,
    events: ['PreToolUse', 'UserPromptSubmit'],
  },
`;
  addBefore(file, file, '  allow: {', row);
  const asks = `import { runHook, toolCall } from '@spec/hooks/testing';
import { expect, test } from 'vitest';
import { createRules } from './index.ts';

test('a rule asks a person', async () => {
  const { hooks } = await createRules([{ id: 'look', action: 'ask', matcher: '^Bash$' }]);
  const [guard] = hooks as [never];
  const { result } = await runHook(guard, ...([toolCall('Bash', { command: 'ls' })] as never));
  expect(result).toMatchObject({ decision: 'ask', reason: 'The rule "look" wants a person to look at this.' });
});
`;
  writeFileSync(join(copy, 'packages/rules/src/asks.test.ts'), asks);
  typesAndTestsHold('packages/rules/src', 'packages/cli/src');
});
