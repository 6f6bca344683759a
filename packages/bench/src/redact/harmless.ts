import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Redactor } from './contenders.ts';
import { hashText, sortByChance } from './random.ts';

/** A line of real material that holds nothing personal, and where it is from. */
export interface HarmlessLine {
  readonly source: string;
  readonly text: string;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const RICH_LINES_PER_FILE = 150;
const OTHER_LINES_PER_FILE = 20;
const LONGEST_LINE = 2_000;

/** Real files by what they are: source code, change logs, lock files, tables, maps, licences. */
const endings: readonly string[] = [
  '.ts',
  '.js',
  '.mjs',
  '.cjs',
  '.md',
  '.json',
  '.yaml',
  '.yml',
  '.css',
  '.html',
  '.csv',
  '.map',
  '.c',
  '.h',
  '.txt',
  '.sql',
  '.sh',
  '.py',
];
const FILES_PER_ENDING = 100;
const FILES_PER_PACKAGE = 60;

/** What is made of sample values, such as tests of detectors, tells nothing about false alarms. */
const OF_VALUES =
  /redact|secretlint|libphonenumber|stdnum|pii|fake|card|phone|email|iban|addresses|credentials|zod|ajv-formats|validator/i;
/** An address in real material, such as an author's, is found rightly. */
const PERSONAL = /[^\s@]@[^\s@]+\.\p{L}/u;
/** Lines that are rich in digits are the ones at risk: every file gives as many of them as it can. */
const IS_RICH = /(?:\d\D{0,3}){6}/;

/** The lines, the same in every run over the same files. */
export function harmlessLines(): readonly HarmlessLine[] {
  const files = [...filesBelow('packages'), ...filesBelow('docs'), ...installedFiles(), 'pnpm-lock.yaml'];
  const lines = [...files.flatMap(pickLines), ...gitLog(), ...sharedFiles().flatMap(pickLines)];
  const kept = lines.filter(
    ({ text }) => text.trim().length >= 6 && text.length <= LONGEST_LINE && !PERSONAL.test(text),
  );
  return [...new Map(kept.map((line) => [line.text, line])).values()];
}

function* walk(folder: string): Generator<string> {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (OF_VALUES.test(entry.name)) continue;
    if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'dist') yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

const filesBelow = (folder: string): string[] => spread([...walk(folder)]);

/** Of the packages that are installed, so that the material is what developers' agents read all day. */
function installedFiles(): string[] {
  const store = 'node_modules/.pnpm';
  const packages = readdirSync(join(root, store))
    .filter((name) => !OF_VALUES.test(name) && name !== 'node_modules')
    .sort();
  const files = packages
    .filter((name) => hashText(name) % 2 === 0)
    .flatMap((name) => {
      const folder = join(store, name, 'node_modules');
      return existsSync(join(root, folder)) ? packageFiles(folder) : [];
    });
  return spread(files);
}

function packageFiles(folder: string): string[] {
  return sortByChance([...walkInstalled(folder)], (path) => path).slice(0, FILES_PER_PACKAGE);
}

function* walkInstalled(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (entry.isSymbolicLink() || OF_VALUES.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walkInstalled(path);
    else if (entry.isFile()) yield path;
  }
}

/** So many files of each ending, spread by chance. */
function spread(files: readonly string[]): string[] {
  return endings.flatMap((ending) =>
    sortByChance(
      files.filter((file) => file.endsWith(ending)),
      (file) => file,
    ).slice(0, FILES_PER_ENDING),
  );
}

/** Of a long file so many lines, spread by chance. */
function pickLines(file: string): HarmlessLine[] {
  const lines = readFileSync(join(root, file), 'utf8')
    .split(/\r?\n/)
    .map((text, index) => ({ source: `${file}:${index + 1}`, text }));
  const byChance = sortByChance(lines, ({ source }) => source);
  const [rich, others] = [true, false].map((is) => byChance.filter(({ text }) => IS_RICH.test(text) === is));
  return [...(rich ?? []).slice(0, RICH_LINES_PER_FILE), ...(others ?? []).slice(0, OTHER_LINES_PER_FILE)];
}

/** Hashes, dates, numbers and paths; nothing where git is not there. */
function gitLog(): HarmlessLine[] {
  try {
    const format = ['log', '--numstat', '--date=iso', '--format=%H %ad %ct %s', '-n', '200'];
    const log = execFileSync('git', format, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
    const lines = log.split('\n').map((text, index) => ({ source: `git log:${index + 1}`, text }));
    return lines.filter(({ text }) => !OF_VALUES.test(text)).slice(0, 2_000);
  } catch {
    return [];
  }
}

/** Published hook configurations, where they lie beside the checkout. */
function sharedFiles(): string[] {
  const folder = '../shared/data/hook-configs';
  return existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .sort()
        .map((name) => join(folder, name))
    : [];
}

/** Whether a line is rich in digits, and so at risk. */
export const isRich = ({ text }: HarmlessLine): boolean => IS_RICH.test(text);

/** The lines in which a contender found something. */
export async function findFalseAlarms(
  contender: Redactor,
  lines: readonly HarmlessLine[],
): Promise<HarmlessLine[]> {
  const alarms: HarmlessLine[] = [];
  for (const line of lines) if ((await contender.redact(line.text)) !== line.text) alarms.push(line);
  return alarms;
}
