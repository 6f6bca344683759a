import { defineConfig } from 'vitest/config';

const source = { conditions: ['@spec/source'] };

export default defineConfig({
  test: {
    // Tests that start processes do so two at a time.
    maxConcurrency: 2,
    globalSetup: './scripts/temporary-folder.ts',
    projects: [
      {
        resolve: source,
        ssr: { resolve: source },
        test: {
          name: 'unit',
          include: ['packages/*/{src,test}/**/*.test.ts', 'examples/*/**/*.test.ts', 'scripts/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['packages/*/{src,test}/**/*.test-d.ts'],
            tsconfig: 'tsconfig.json',
            checker: './node_modules/typescript-native/bin/tsc',
          },
        },
      },
    ],
  },
});
