import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { main: 'src/main.ts', index: 'src/index.ts', 'in-agent': 'src/in-agent.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  sourcemap: true,
  tsconfig: '../../tsconfig.json',
  deps: { onlyBundle: [] },
});
