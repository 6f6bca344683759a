import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'claude-agent-sdk': 'src/in-process/claude-agent-sdk.ts',
    'claude-mod': 'src/in-process/claude-mod.ts',
    opencode: 'src/in-process/opencode.ts',
    pi: 'src/in-process/pi.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  sourcemap: true,
  tsconfig: '../../tsconfig.json',
  deps: { onlyBundle: [] },
});
