import { defineConfig } from 'tsdown';
// @boundaries-ignore it is part of building, not of the package
import { optionalPeers } from '../../scripts/optional-peers.ts';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    mcp: 'src/mcp/index.ts',
    skills: 'src/skills/index.ts',
    sqlite: 'src/stores/sqlite/index.ts',
    'store-kit': 'src/stores/derive/index.ts',
    testing: 'src/testing/index.ts',
    'ui-stream': 'src/ui-stream/index.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  sourcemap: true,
  tsconfig: '../../tsconfig.json',
  deps: { onlyBundle: [] },
  plugins: [
    optionalPeers('@spec/runtime', {
      sqlite: ['better-sqlite3', 'drizzle-orm'],
      mcp: ['@modelcontextprotocol/sdk'],
    }),
  ],
});
