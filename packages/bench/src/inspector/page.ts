import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { type Figures, percentile } from './figures.ts';
import type { Seeded } from './seed.ts';
import type { InspectServer } from './server.ts';
import { makeCommitter } from './wide-message.ts';

const chromiumPath = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

/** Whether there is a browser to measure in. */
export const hasChromium: boolean = chromiumPath !== undefined;

/** Opens the page of a server in Chromium, and closes it at the end. */
export async function withPage<T>(server: InspectServer, use: (page: Page) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
    const page = await context.newPage();
    await page.goto(await server.makeLink());
    await page.waitForSelector('.thread');
    return await use(page);
  } finally {
    await browser.close();
  }
}

/** What a person sees of it in Chromium. */
export function measurePage(server: InspectServer, seeded: Seeded): Promise<Figures> {
  return withPage(server, async (page) => {
    const open = (path: string, shows: string): Promise<number> =>
      timeView(page, `http://127.0.0.1:${server.port}${path}`, shows);
    const inThread = seeded.places.map((id) => `/t/${seeded.longThread}/m/${id}`);
    return {
      'list of threads usable, ms': { target: 500, measured: await repeat(() => open('/', '.thread')) },
      'first paint, ms': { target: 300, measured: await readFirstPaint(page) },
      'long thread opened, anywhere in it, ms': {
        target: 300,
        measured: await repeat((i) => open(inThread[i % inThread.length] ?? '', '.message')),
      },
      ...(await measureScroll(page)),
      'commit to the page, ms': { target: 250, measured: await measureShown(page, server, seeded) },
      'memory of the page, MB': { target: 60, measured: await readHeap(page) },
    };
  });
}

async function repeat(measure: (i: number) => Promise<number>, times = 6): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) all.push(await measure(i));
  return percentile(all, 0.95);
}

/** From the begin of a navigation until something can be seen, by the clock of the page and looked at in the page. */
async function timeView(page: Page, url: string, shows: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const isSeen = document.querySelector(${JSON.stringify(shows)})?.checkVisibility({ visibilityProperty: true });
      if (isSeen) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    look();
  })`) as Promise<number>;
}

function readFirstPaint(page: Page): Promise<number> {
  return page.evaluate(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
  ) as Promise<number>;
}

/** Scrolls up through some thousand messages, a screen every other frame. The newest piece grows at its start meanwhile. */
const scroll = `(async () => {
  const list = document.querySelector('[aria-label=Conversation]');
  const frames = []; let longest = 0; let nodes = 0; let jump = 0;
  new PerformanceObserver((seen) => { for (const { duration } of seen.getEntries()) longest = Math.max(longest, duration); })
    .observe({ type: 'longtask' });
  let last = performance.now();
  for (let i = 0; i < 240; i++) {
    list.scrollBy(0, -300);
    await new Promise(requestAnimationFrame);
    const now = performance.now(); frames.push(now - last); last = now;
    nodes = Math.max(nodes, list.querySelectorAll('*').length);
  }
  const first = () => [...list.querySelectorAll('a.role')].find((one) => one.getBoundingClientRect().top > list.getBoundingClientRect().top);
  for (let i = 0; i < 20; i++) {
    const row = first(); const before = row?.getBoundingClientRect().top;
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (row?.isConnected) jump = Math.max(jump, Math.abs(row.getBoundingClientRect().top - before));
  }
  frames.sort((a, b) => a - b);
  return { frame: frames[Math.floor(frames.length * .95)], longest, nodes, jump };
})()`;

interface Scrolled {
  readonly frame: number;
  readonly longest: number;
  readonly nodes: number;
  readonly jump: number;
}

async function measureScroll(page: Page): Promise<Figures> {
  const { frame, longest, nodes, jump } = (await page.evaluate(scroll)) as Scrolled;
  return {
    'scrolled: a frame, ms': { target: 20, measured: frame },
    'scrolled: longest task, ms': { target: 50, measured: longest },
    'scrolled: nodes of the list': { target: 500, measured: nodes },
    'older messages put before: jump, px': { target: 1, measured: jump },
  };
}

async function measureShown(page: Page, server: InspectServer, { path, newThread }: Seeded): Promise<number> {
  await page.goto(`http://127.0.0.1:${server.port}/t/${newThread}`);
  await page.waitForSelector('.is-live');
  await page.waitForSelector('.message');
  const committer = await makeCommitter(path, newThread);
  const measured = await repeat(async (i) => {
    await page.waitForTimeout(400);
    const committed = await committer.commit(`Still there? ${i}`);
    // The list of threads shows it, too.
    await page.locator('.pane-2').getByText(`Still there? ${i}`, { exact: true }).waitFor();
    return performance.now() - committed;
  });
  await committer.close();
  return measured;
}

/** What scripts hold, once garbage is gone. */
async function readHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_048_576;
}
