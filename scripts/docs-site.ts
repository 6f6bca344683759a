// Makes a site of docs/ in site/dist: with search, light and dark, and nothing from elsewhere. A link that leads nowhere fails. The site's own
// packages are installed the first time; they are many, so that no other command needs them.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { publishedPage } from './pack/links.ts';
import { publicRepository } from './pack/pack-packages.ts';

const root = join(import.meta.dirname, '..');
const site = join(root, 'site');
const pages = join(site, '.pages');

try {
  if (!existsSync(join(site, 'node_modules/vitepress')))
    run('npm', ['install', '--package-lock=false', '--no-audit', '--no-fund']);
  copyPages();
  run('npx', ['vitepress', 'build']);
  console.log('The site is in site/dist. To look at it: cd site && npx vitepress preview');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Each page where it will be, under the name that VitePress gives it: the first of a folder is its index. */
function copyPages(): void {
  rmSync(pages, { recursive: true, force: true });
  cpSync(join(root, 'docs'), pages, { recursive: true, filter: (path) => !path.endsWith('.md') });
  const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    const target = join(pages, nameOnSite(file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, textOnSite(file));
  }
}

function nameOnSite(file: string): string {
  return file.replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Links to what is not on the site lead into the public repository, or are words. */
function textOnSite(file: string): string {
  const repository = publicRepository();
  const place = `docs/${file}`;
  const page = { file: place, packed: place, isAlone: true, ...(repository !== undefined && { repository }) };
  const text = publishedPage(readFileSync(join(root, place), 'utf8'), page);
  return text.replace(/\]\(((?:[^()\s:]*\/)?)README\.md/g, ']($1index.md');
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: site, stdio: 'inherit', shell: process.platform === 'win32' });
}
