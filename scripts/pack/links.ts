import { posix } from 'node:path';

/** Where a page stands. All paths are relative to the repository. */
export interface Page {
  /** The page's file in the repository. */
  readonly file: string;
  /** Where it is found beside the other packages, as if all packages stood in `packages`. */
  readonly packed: string;
  /** Whether the documents are there without the packages. */
  readonly isAlone?: boolean;
  /** Where the source is, or `undefined` while there is no public place. */
  readonly repository?: string;
}

/** The folder of the documents in the repository, and where they are packed. */
export const documents = { file: 'docs', packed: 'packages/hooks/docs' };

/**
 * A page whose links work where the package is installed: to pages that are installed too, or else into the public
 * repository. What is in neither place keeps its words and loses its link. Blocks of code stay as they are.
 */
export function publishedPage(text: string, page: Page): string {
  const parts = text.split(/(^```[\s\S]*?^```$)/m);
  return parts.map((part) => (part.startsWith('```') ? part : replaceLinks(part, page))).join('');
}

function replaceLinks(text: string, page: Page): string {
  return text.replace(/(!?\[([^\]]*)\])\(([^()\s]+)\)/g, (...match: string[]) => {
    const [link = '', label = '', words = '', target = ''] = match;
    if (/^(?:[a-z]+:|#)/.test(target)) return link;
    const place = publishedPlace(target, page);
    if (place !== undefined) return `${label}(${place})`;
    return label.startsWith('!') ? '' : words;
  });
}

function publishedPlace(target: string, page: Page): string | undefined {
  const [path = '', anchor] = target.split('#', 2);
  const file = posix.join(posix.dirname(page.file), path);
  const place = installedPlace(file, page) ?? publicPlace(file, page.repository);
  return place === undefined || anchor === undefined ? place : `${place}#${anchor}`;
}

function installedPlace(file: string, { packed, isAlone = false }: Page): string | undefined {
  const from = posix.dirname(packed);
  const place = isAlone ? documents.file : documents.packed;
  if (file === documents.file || file.startsWith(`${documents.file}/`))
    return posix.relative(from, place + file.slice(documents.file.length));
  const [, name] = /^packages\/([^/]+)(?:\/README\.md)?\/?$/.exec(file) ?? [];
  return name === undefined || isAlone ? undefined : posix.relative(from, `packages/${name}/README.md`);
}

function publicPlace(file: string, repository: string | undefined): string | undefined {
  return repository === undefined ? undefined : `${repository}/blob/main/${file}`;
}
