import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';

/** One ```ts block of a document. */
export interface Snippet {
  /** The document, relative to the checkout. */
  readonly document: string;
  /** The line of the document that holds the block's first line of code. */
  readonly line: number;
  readonly code: string;
  /** False for ```ts no-run: the block is only type-checked. */
  readonly runs: boolean;
  /** Where the block stands below the folder of all blocks; ```ts file=hooks/x.ts names it, so that later blocks can import it. */
  readonly path: string;
}

const root = join(import.meta.dirname, '../..');
/** Below packages/cli, whose dependencies are all packages of the workspace; one folder for each test run. */
const folder = join(root, 'packages/cli/.snippets', String(process.pid));

/** The ```ts blocks of all documents that readers copy from. */
export function allSnippets(): Snippet[] {
  const documents = globSync(
    ['README.md', 'CONTRIBUTING.md', 'packages/*/README.md', 'examples/*/README.md', 'docs/**/*.md'],
    {
      cwd: root,
      ignore: ['**/node_modules/**'],
    },
  );
  return documents
    .sort()
    .flatMap((document) => findSnippets(document, readFileSync(join(root, document), 'utf8')));
}

/**
 * Finds the ```ts blocks of one document.
 *
 * @param document the document's name, relative to the checkout
 * @param text its Markdown
 */
export function findSnippets(document: string, text: string): Snippet[] {
  const below = document.replace(/\.md$/, '').replace(/[^\w/]+/g, '-');
  return [...text.matchAll(/^```ts(?: +(.*))?\n([\s\S]*?)^```$/gm)].map(
    ({ 1: info = '', 2: code = '', index }) => {
      const line = text.slice(0, index).split('\n').length + 1;
      const name = /(?:^| )file=(\S+)/.exec(info)?.[1] ?? `line-${line}.ts`;
      return { document, line, code, runs: !/(?:^| )no-run(?: |$)/.test(info), path: join(below, name) };
    },
  );
}

/** What the `// → ` comments of a block say it prints; `…` stands for any text. */
export function expectedOutput({ code }: Pick<Snippet, 'code'>): string {
  return [...code.matchAll(/\/\/ → ?(.*)$/gm)].map(([, line = '']) => line.trimEnd()).join('\n');
}

/** True when a block printed what its comments say. */
export function isExpected(expected: string, printed: string): boolean {
  const pattern = expected.split('…').map(escapeRegExp).join('.*');
  return new RegExp(`^${pattern}$`).test(printed);
}

/** Writes the blocks to files, where they find the packages of the workspace. */
export function writeSnippets(snippets: readonly Snippet[]): void {
  removeSnippets();
  for (const { path, code } of snippets) {
    const file = join(folder, path);
    const module = code.includes('import ') || code.includes('export ') ? code : `${code}export {};\n`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, module);
    writeFileSync(findProgram({ path }), toJavaScript(module, file));
  }
  // Against what readers install: the declarations as they are built.
  const compilerOptions = { isolatedDeclarations: false, declaration: false, customConditions: [] };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../../../tsconfig.base.json', compilerOptions, include: ['**/*.ts'] }),
  );
}

/** The file of a block that runs. */
export const findProgram = ({ path }: Pick<Snippet, 'path'>) => join(folder, path).replace(/\.ts$/, '.js');

/** Its stack traces name the TypeScript file and its lines. */
function toJavaScript(module: string, fileName: string): string {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    inlineSourceMap: true,
  };
  return ts.transpileModule(module, { fileName, compilerOptions }).outputText;
}

/** Removes the files again. */
export function removeSnippets(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Type-checks all blocks that were written; gives the compiler's errors with the documents' lines, or nothing. */
export async function typeErrors(snippets: readonly Snippet[]): Promise<string> {
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }, (error, stdout) =>
      resolve(error === null ? '' : toDocuments(stdout || error.message, snippets)),
    );
  });
}

/** Puts the documents' lines in place of the files' lines: `x/line-3.ts(2,5)` and `x/line-3.ts:2:5` become `x.md:4:5`. */
export function toDocuments(text: string, snippets: readonly Snippet[]): string {
  return snippets.reduce((current, { path, document, line }) => {
    const file = `(?:file://)?(?:${escapeRegExp(folder)}/|\\.{0,2}/)?${escapeRegExp(path)}`;
    const position = new RegExp(`${file}(?:\\((\\d+),(\\d+)\\)|:(\\d+):(\\d+))`, 'g');
    return current.replace(position, (_, ...found: (string | undefined)[]) => {
      const [row, column] = found.filter((part) => part !== undefined);
      return `${document}:${line + Number(row) - 1}:${column}`;
    });
  }, text);
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
