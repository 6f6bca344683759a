import { defineConfig, type ViteUserConfig } from 'vitest/config';

const source = { conditions: ['@spec/source'] };

const config: ViteUserConfig = defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: { include: ['vitest-suite.ts'] },
});

export default config;
