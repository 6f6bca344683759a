import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleCore, expected, program } from './core-bundle.ts';

/** The path of a Chromium. Without it this is skipped: the tests must pass where there is no browser. */
const { CHROMIUM } = process.env;

test.skipIf(CHROMIUM === undefined)(
  'the core runs in a browser (set CHROMIUM to the path of one)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'browser-'));
    const page = join(folder, 'page.html');
    const { code } = await bundleCore();
    const core = `data:text/javascript,${encodeURIComponent(code)}`;
    writeFileSync(
      page,
      `<!doctype html><meta charset="utf-8"><pre id="result"></pre><script type="module">
      ${program}
      const show = (value) => { document.querySelector('#result').textContent = JSON.stringify(value); };
      import(${JSON.stringify(core)}).then(tryCore).then(show, (error) => show(String(error)));
    </script>`,
    );
    const flags = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--virtual-time-budget=5000',
      '--dump-dom',
    ];
    const dom = execFileSync(CHROMIUM as string, [...flags, `file://${page}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    rmSync(folder, { recursive: true });
    const [, text = 'null'] = /<pre id="result">(.+?)<\/pre>/s.exec(dom) ?? [];
    expect(JSON.parse(text)).toEqual(expected);
  },
  60_000,
);
