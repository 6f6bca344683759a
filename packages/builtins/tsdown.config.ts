import { defineConfig } from 'tsdown';
// @boundaries-ignore it is part of building, not of the package
import { optionalPeers } from '../../scripts/optional-peers.ts';

export default defineConfig({
  entry: { index: 'src/index.ts', sqlite: 'src/sqlite.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  sourcemap: true,
  tsconfig: '../../tsconfig.json',
  deps: { onlyBundle: [] },
  plugins: [optionalPeers('@spec/builtins', { sqlite: ['better-sqlite3'] })],
});
