import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', node: 'src/node/index.ts', testing: 'src/testing/index.ts' },
  format: 'esm',
  // The main entry runs in browsers and workers; only `node` may import node: modules.
  platform: 'neutral',
  target: 'es2023',
  fixedExtension: true,
  dts: true,
  sourcemap: true,
  tsconfig: '../../tsconfig.json',
  deps: { neverBundle: [/^node:/], onlyBundle: [] },
});
