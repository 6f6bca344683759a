import type { BrowserContext, Page } from 'playwright-core';
import type { InspectorOptions } from '../src/index.ts';
import { buildPage, openBrowser, watchPage } from './browser.ts';
import { type Served, serve } from './serve.ts';

/** A page in a browser, over a file. */
export interface OpenPage extends Served {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page did that it must not do. */
  readonly faults: readonly string[];
  /** Goes to an address of the page. */
  go(path: string): Promise<void>;
}

/** Opens the link as a person does, and waits for the first view. */
export async function openPage(
  path: string,
  options: Partial<InspectorOptions> = {},
  browser: Parameters<typeof openBrowser>[0] = {},
): Promise<OpenPage> {
  const served = await serve(path, options, await buildPage());
  const context = await openBrowser(browser);
  const page = await context.newPage();
  const faults = watchPage(page);
  await page.goto(served.inspector.makeLink());
  await page.waitForSelector('.is-live');
  const go = async (to: string): Promise<void> => {
    await page.goto(`http://127.0.0.1:${served.port}${to}`);
    await page.waitForSelector('.is-live');
  };
  return { ...served, page, context, faults, go };
}
