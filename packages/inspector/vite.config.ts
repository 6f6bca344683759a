import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const page = fileURLToPath(new URL('src/page', import.meta.url));

/** The page, beside the server that tsdown has built. */
export default defineConfig({
  root: page,
  base: '/',
  resolve: {
    conditions: ['@spec/source', 'module', 'browser', 'import', 'default'],
    alias: {
      react: 'preact/compat',
      'react-dom': 'preact/compat',
      'react/jsx-runtime': 'preact/jsx-runtime',
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // What is inlined would need an exception in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
