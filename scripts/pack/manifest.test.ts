import { describe, expect, test } from 'vitest';
import { publishedManifest } from './manifest.ts';

const workspace = { versions: { '@spec/hooks': '1.2.3' }, catalog: { zod: '^4.0.0' } };
const manifest = {
  name: '@spec/a',
  version: '1.0.0',
  exports: {
    '.': { '@spec/source': './src/index.ts', types: './dist/index.d.mts', default: './dist/index.mjs' },
    './package.json': './package.json',
  },
  scripts: { build: 'tsdown' },
  dependencies: { '@spec/hooks': 'workspace:^', zod: 'catalog:', yaml: '^2.0.0' },
  devDependencies: { tsdown: 'catalog:' },
};

describe('a published manifest', () => {
  test('has plain ranges, and nothing that is for the workspace alone', () => {
    expect(publishedManifest(manifest, 'packages/a', workspace)).toEqual({
      name: '@spec/a',
      version: '1.0.0',
      exports: {
        '.': { types: './dist/index.d.mts', default: './dist/index.mjs' },
        './package.json': './package.json',
      },
      dependencies: { '@spec/hooks': '^1.2.3', zod: '^4.0.0', yaml: '^2.0.0' },
    });
  });

  test('says where the source is, once there is a public place', () => {
    const repository = 'https://example.com/us/hooks';
    expect(publishedManifest(manifest, 'packages/a', { ...workspace, repository })).toMatchObject({
      homepage: `${repository}/tree/main/packages/a#readme`,
      bugs: `${repository}/issues`,
      repository: { type: 'git', url: `git+${repository}.git`, directory: 'packages/a' },
    });
  });

  test.each(['catalog:other', 'link:../b', 'workspace:../b'])('refuses the range %s', (range) => {
    const broken = { ...manifest, dependencies: { '@spec/hooks': range } };
    expect(() => publishedManifest(broken, 'packages/a', workspace)).toThrow(/no plain form/);
  });
});
