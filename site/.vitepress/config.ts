import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

interface Entry {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly items: readonly Entry[];
}

/** Copies of docs/, with links that work here: scripts/docs-site.ts makes them. */
const pages = join(import.meta.dirname, '../.pages');

/** The menu is the table of contents: a group for each heading of the first page, with the links below it. */
function readMenu(): Group[] {
  const [, ...sections] = readFileSync(join(pages, 'index.md'), 'utf8').split(/^## /m);
  return sections.map((section) => {
    const links = [...section.matchAll(/\[([^\]]+)\]\(([^)#]+)\.md\)/g)];
    const items = links.map(([, text = '', link = '']) => ({
      text: text.replace(/^[a-z](?=[a-z]* )/, capital),
      link: `/${link}`,
    }));
    return { text: section.split('\n', 1)[0] ?? '', items };
  });
}

/** The words of a sentence stand alone here. */
function capital(letter: string): string {
  return letter.toUpperCase();
}

export default defineConfig({
  title: '@spec/hooks',
  description: 'Typed hooks for AI agents: stop, redact, approve, limit and prove what an agent does.',
  srcDir: '.pages',
  outDir: 'dist',
  // Pages are opened from a folder or a sub-path as well; nothing is fetched from elsewhere.
  base: process.env.DOCS_BASE ?? '/',
  // What looks like a tag, or like an expression of Vue, is text.
  markdown: {
    html: false,
    config({ renderer: { rules } }) {
      for (const name of ['text', 'code_inline'] as const) {
        const render = rules[name];
        rules[name] = (...given) => (render?.(...given) ?? '').replaceAll('{{', '&#123;&#123;');
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: readMenu() as never,
    outline: { level: [2, 3] },
  },
});
