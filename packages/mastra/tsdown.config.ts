import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts' },
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  fixedExtension: true,
  dts: true,
  sourcemap: true,
  tsconfig: '../../tsconfig.json',
  deps: { onlyBundle: [] },
});
