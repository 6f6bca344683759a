import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isTooOld } from './node-version.mjs';

describe('the Node version', () => {
  test.each(['12.22.12', '18.20.8', '20.18.3'])('%s is too old', (version) =>
    expect(isTooOld(version)).toBe(true),
  );
  test.each(['20.19.0', '20.20.2', '22.0.0', '26.10.0'])('%s will do', (version) =>
    expect(isTooOld(version)).toBe(false),
  );

  test('old Nodes can parse what says so', () => {
    const scripts = join(import.meta.dirname, '..');
    const programs = readdirSync(scripts).filter((name) => name.endsWith('.mjs'));
    expect(programs).toEqual(['bench.mjs', 'setup.mjs', 'spec-hooks.mjs', 'start.mjs']);
    for (const file of [...programs, 'setup/node-version.mjs']) {
      const code = readFileSync(join(scripts, file), 'utf8').replace(/\/\/.*/g, '');
      expect(code).not.toMatch(/node:|\?\?|\?\.|^await /m);
      const imports = [...code.matchAll(/^import .* from '(.*)'/gm)].map(([, specifier]) => specifier);
      expect(imports).toEqual(file.includes('/') ? [] : ['./setup/node-version.mjs']);
    }
  });
});
