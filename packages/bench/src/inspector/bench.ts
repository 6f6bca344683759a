import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import type { Series } from '../measure.ts';
import { inFolder } from '../scratch.ts';
import { measureBeside } from './beside.ts';
import { type Figures, percentile } from './figures.ts';
import { hasChromium, measurePage } from './page.ts';
import { seedStore } from './seed.ts';
import { builtCommand, type InspectCommand, startServer } from './server.ts';
import { measureViews } from './views.ts';
import { addWideMessage } from './wide-message.ts';

const hooksOfProject = 100;

/** What the bench works with; smaller where only its own code is tried. */
export interface InspectorBenchOptions {
  readonly messages: number;
  readonly command: InspectCommand;
  readonly inBrowser: boolean;
  /** How often what starts a process is measured. */
  readonly starts: number;
}

/** A page over a long file: what each view takes against the time that a person waits for it without noticing. */
export const inspector: Bench = makeInspectorBench({
  messages: 1_000_000,
  command: builtCommand,
  inBrowser: hasChromium,
  starts: 10,
});

export function makeInspectorBench(options: InspectorBenchOptions): Bench {
  const { messages, inBrowser } = options;
  let figures: Figures = {};
  return {
    name: 'inspector',
    about: `the inspector over a file of ${messages.toLocaleString('en')} messages and five runs of hooks on each, as a page asks and in Chromium; of each the time that 95 of 100 do not exceed`,
    unit: 'figure',
    notes: inBrowser
      ? []
      : ['No Chromium was found (CHROMIUM_PATH): what a person sees in it was not measured.'],
    get comparisons() {
      return Object.keys(figures).map((name) => ({
        of: `${name} | measured`,
        against: `${name} | target`,
        atMost: 1,
      }));
    },
    async run() {
      figures = await inFolder((folder) => measureAll(folder, options));
      return toSeries(figures);
    },
  };
}

async function measureAll(
  folder: string,
  { messages, command, inBrowser, starts }: InspectorBenchOptions,
): Promise<Figures> {
  const db = join(folder, 'long.db');
  const seeded = await seedStore(db, { messages, until: Date.now() * 1_000 });
  await addWideMessage(db);
  writeProject(folder);
  const start = () => startServer({ command, db, cwd: folder });
  const links: number[] = [];
  for (let i = 0; i < starts; i++) {
    const server = await start();
    links.push(server.msToLink);
    await server.end();
  }
  const server = await start();
  try {
    return {
      'started to its link, ms': { target: 400, measured: percentile(links, 0.95) },
      ...(await measureViews(server, seeded)),
      ...(inBrowser && (await measurePage(server, seeded))),
      ...(inBrowser && (await measureBeside(join(folder, 'beside'), { command, rounds: starts }))),
    };
  } finally {
    await server.end();
  }
}

/** A project whose hooks are asked why they did not fire. */
function writeProject(folder: string): void {
  mkdirSync(join(folder, 'hooks'));
  mkdirSync(join(folder, 'beside'));
  writeFileSync(join(folder, 'hooks.config.mjs'), `export default { policies: 'hooks' };\n`);
  for (let i = 1; i <= hooksOfProject; i++) {
    const hook = `{ hook: 'before_tool_call', id: 'hook_${i}', match: 'tool_${i}', execute: async () => null }`;
    const text = `import { defineHook } from '@spec/hooks';\n\nexport default defineHook(${hook});\n`;
    writeFileSync(join(folder, 'hooks', `hook-${i}.mjs`), text);
  }
}

function toSeries(figures: Figures): Series {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, { measured, target }]) => [
      [`${name} | measured`, [measured]],
      [`${name} | target`, [target]],
    ]),
  );
}
