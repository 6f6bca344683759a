import { bundleProgram as bundleFile } from '@spec/test-helpers/bundle-program';
import type { Plugin } from 'esbuild';

/** Where these tests run over another store, programs have it too. */
const { LASTING_STORE: replacement } = process.env;
const anotherStore: Plugin[] =
  replacement === undefined
    ? []
    : [
        {
          name: 'another-store',
          setup: ({ onResolve }) =>
            onResolve({ filter: /\/lasting-store\.ts$/ }, () => ({ path: replacement })),
        },
      ];

/**
 * Makes one file of a program that tests start.
 *
 * @param name the program's file in the folder of this one, without `.ts`
 * @returns the path of what Node runs without flags
 */
export function bundleProgram(name: string): Promise<string> {
  return bundleFile(new URL(`${name}.ts`, import.meta.url), {
    plugins: anotherStore,
    // The binary of the first is found beside it; the second is looked for and not needed; whether the third is loaded is seen.
    external: ['better-sqlite3', 'pg-native', '@opentelemetry/api'],
  });
}
