// Links between the documents lead to files and headings that exist.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const documents = globSync(
  ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/README.md', 'examples/*/README.md'],
  {
    cwd: root,
  },
);

const texts = new Map(documents.map((document) => [document, readProse(document)]));

/** A document without its code, in which brackets are no links. */
function readProse(document: string): string {
  return readFileSync(join(root, document), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
}

/** The names under which the headings of a text can be linked to. */
function listAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a document that lead nowhere. */
function findBroken(document: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(document, link));
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : normalize(join(dirname(document), path));
  if (!existsSync(join(root, target))) return false;
  const text = texts.get(target);
  return anchor === undefined || text === undefined || listAnchors(text).includes(anchor);
}

describe('the links of the documents', () => {
  test.each(documents)('%s', (document) => {
    expect(findBroken(document, texts.get(document) ?? '')).toEqual([]);
  });
});

test('a link that leads nowhere is found', () => {
  const [page] = documents;
  expect(findBroken(page ?? '', '[a](nowhere.md) [b](#nowhere) [c](https://example.com)')).toEqual([
    'nowhere.md',
    '#nowhere',
  ]);
});
