import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', dialects: 'src/dialect-traits.ts', trust: 'src/trust/store.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  sourcemap: true,
  tsconfig: '../../tsconfig.json',
  deps: { onlyBundle: [] },
});
