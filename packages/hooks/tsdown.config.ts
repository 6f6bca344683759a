import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    host: 'src/host/index.ts',
    node: 'src/node/index.ts',
    testing: 'src/testing/index.ts',
  },
  format: 'esm',
  // The entries run in browsers and workers; only `node` may import node: modules.
  platform: 'neutral',
  target: 'es2023',
  fixedExtension: true,
  dts: true,
  sourcemap: true,
  tsconfig: '../../tsconfig.json',
  deps: { neverBundle: [/^node:/], onlyBundle: [] },
});
