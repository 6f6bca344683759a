import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkProject } from '../src/check/run.ts';
import { loadProject } from '../src/project/load-project.ts';

const folder = join(import.meta.dirname, '../../../../shared/data/hook-configs');
const isThere = existsSync(folder);
if (!isThere) console.info('Skipped: the published configurations are not here.');
const files = isThere ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];

/** They tell of the machine, not of the file. */
const OF_THE_MACHINE = /^(?:no_such_\w+|not_executable|withheld_variable)$/;

async function findingsIn(name: string): Promise<string[]> {
  const project = await loadProject({ config: [join(folder, name)], trust: true }, 'collect');
  try {
    return checkProject(project)
      .filter(({ code }) => !OF_THE_MACHINE.test(code))
      .map(({ level, code, line, message }) => `${level} ${code} ${line}: ${message.slice(0, 100)}`);
  } finally {
    await project.close();
  }
}

// Each line of the snapshot was held against its file by hand: a new one is either true, or a false alarm to be mended.
describe.skipIf(!isThere)('what check finds in published configurations', () => {
  test.each(files)('%s', async (name) => {
    expect(await findingsIn(name)).toMatchSnapshot();
  });
});
