import type Database from 'better-sqlite3';

// `secure_delete` overwrites a row in its place. When SQLite balances neighbouring pages, it copies rows from one to the other, and
// the old copy stays in the unused middle of the old page, where a later delete does not reach it (seen in about one of
// ten runs of some hundred deletes). This file finds such text. VACUUM removes it, because it rewrites every page.

/** Searching takes about a millisecond for each megabyte. Larger files are left to the operator. */
const largest = 16 * 1024 * 1024;

/**
 * Whether the unused middle of a page holds text, possibly of a deleted row.
 * Always `false` for files of more than 16 MB.
 */
export function hasLeftovers(client: Database.Database): boolean {
  const size = client.pragma('page_size', { simple: true }) as number;
  const count = client.pragma('page_count', { simple: true }) as number;
  if (size * count > largest) return false;
  const roots = client
    .prepare<[], number>('select rootpage from sqlite_master where rootpage > 0')
    .pluck()
    .all();
  return holdLeftovers({ image: client.serialize(), size }, [1, ...roots]);
}

interface Pages {
  image: Buffer;
  /** Bytes of a page. */
  size: number;
}

/** Walks the trees of a file (https://sqlite.org/fileformat2.html, §1.6). */
function holdLeftovers(pages: Pages, roots: number[]): boolean {
  const open = [...roots];
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    const page = pages.image.subarray((number - 1) * pages.size, number * pages.size);
    const header = number === 1 ? 100 : 0;
    const hasChildren = page[header] === indexInterior || page[header] === tableInterior;
    const cells = page.readUInt16BE(header + 3);
    const pointers = header + (hasChildren ? 12 : 8);
    const contentStart = page.readUInt16BE(header + 5) || 65_536;
    if (holdsText(page.subarray(pointers + 2 * cells, contentStart))) return true;
    if (!hasChildren) continue;
    open.push(page.readUInt32BE(header + 8));
    for (let cell = 0; cell < cells; cell += 1)
      open.push(page.readUInt32BE(page.readUInt16BE(pointers + 2 * cell)));
  }
  return false;
}

const indexInterior = 2;
const tableInterior = 5;
const zeros = Buffer.alloc(65_536);

/** Two adjacent bytes that are not small. Remains of the page's pointers never look like that, because these are all below 4,096. */
function holdsText(unused: Buffer): boolean {
  if (unused.equals(zeros.subarray(0, unused.length))) return false;
  for (let at = 1; at < unused.length; at += 1) {
    if ((unused[at] ?? 0) >= 16 && (unused[at - 1] ?? 0) >= 16) return true;
  }
  return false;
}
