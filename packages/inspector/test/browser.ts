import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { onTestFinished } from 'vitest';
import { type PageFiles, readPageFiles } from '../src/server/page-files.ts';
import { newPath } from './support-store.ts';

const places = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/google-chrome',
];
/** Where Chromium is; empty where there is none. */
export const chromiumPath: string = places.find((path) => existsSync(path)) ?? '';

/** Whether there is a browser to test with. CI sets REQUIRE_BROWSER=1: there a missing one is a failure. */
export const hasBrowser: boolean = chromiumPath !== '';
if (!hasBrowser && process.env.REQUIRE_BROWSER === '1')
  throw new Error('There is no Chromium: apt-get install chromium, or name one with CHROMIUM_PATH.');
if (!hasBrowser)
  console.log(
    'Tests in the browser are skipped: there is no Chromium (apt-get install chromium, or CHROMIUM_PATH).',
  );

const root = fileURLToPath(new URL('..', import.meta.url));
let built: Promise<PageFiles> | undefined;

/** The page as its sources are now. */
export function buildPage(): Promise<PageFiles> {
  built ??= (async () => {
    const outDir = newPath('page');
    await build({
      configFile: `${root}/vite.config.ts`,
      logLevel: 'error',
      build: { outDir, emptyOutDir: true },
    });
    return readPageFiles(outDir);
  })();
  return built;
}

let browser: Promise<Browser> | undefined;

/** For the end of a file with tests. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** A browser of its own for a test: nothing is kept from other tests. */
export async function openBrowser(
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  browser ??= chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const context = await (await browser).newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  onTestFinished(() => context.close());
  return context;
}

/** What a page must not do: break its policy, throw, print errors, or open a dialog. */
export function watchPage(page: Page): string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(`printed: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return found;
}
