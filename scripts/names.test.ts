// A name says one thing in a package: a search for it, or a line of a stack trace, leads to one file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { expect, test } from 'vitest';

const packages = join(import.meta.dirname, '../packages');

/** Names that are the same on purpose: modules that stand in for each other under one interface. */
const STAND_INS: Readonly<Record<string, readonly string[]>> = {
  conformance: ['conformance/src/node-test.ts', 'conformance/src/vitest.ts'],
  connect: [
    'bench/src/turn/floor.ts',
    'bench/src/turn/ours.ts',
    'bench/src/turn/rows.ts',
    'bench/src/turn/side-by-side.ts',
  ],
};

/** Reading doc comments takes most of the time. */
const withoutComments = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

function listExportedNames(file: string, text: string): readonly string[] {
  const { statements } = ts.createSourceFile(file, text, withoutComments);
  return statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [name.text] : [],
      );
    const { name } = statement as { readonly name?: ts.Node };
    return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
  });
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  const kinds = modifiers.map(({ kind }) => kind);
  return kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
}

/** The names that several files of a package declare and export, each with its files. */
function findRepeatedNames(files: Readonly<Record<string, string>>): Readonly<Record<string, string[]>> {
  const declaring: Record<string, string[]> = {};
  for (const [file, text] of Object.entries(files))
    for (const name of new Set(listExportedNames(file, text))) {
      const key = `${file.split('/', 1)[0]} ${name}`;
      declaring[key] = [...(declaring[key] ?? []), file];
    }
  return Object.fromEntries(
    Object.entries(declaring).filter(([key, found]) => {
      const standIns = STAND_INS[key.split(' ')[1] as string] ?? [];
      return found.some((file) => file !== found[0] && !standIns.includes(file));
    }),
  );
}

/** Published under these names. */
const PUBLISHED = ['actionOf', 'scopeOf', 'scoresOf', 'sourceOf', 'summaryOf', 'userInputOf'];

/** A name that begins with what it gives instead of a verb, such as `endOfString`; that something is of a sort may be asked, told and warned of. */
const NOUN_FIRST = /^(?!(?:is|tells?|warn)Of)[a-z]+Of[A-Z]/;

/** Functions at the top of a file whose name is no more than what they give: a stack trace with it says nothing. */
function findNamesWithoutVerb(text: string): string[] {
  const functions = text.matchAll(
    /^(?:export )?(?:async )?(?:function\*? |const )(\w+Of(?:[A-Z]\w*)?)(?:<.*>)?(?:\(| = (?:async )?\()/gm,
  );
  return [...functions]
    .map(([, name]) => name as string)
    .filter((name) => (name.endsWith('Of') || NOUN_FIRST.test(name)) && !PUBLISHED.includes(name));
}

const names = globSync(['*/src/**/*.{ts,tsx}', '*/test/**/*.ts'], { cwd: packages }).toSorted();
const files = Object.fromEntries(names.map((file) => [file, readFileSync(join(packages, file), 'utf8')]));

test('no two files of a package export the same name', () => {
  const sources = Object.entries(files).filter(([file]) => !/\.test(?:-d)?\.ts$/.test(file));
  expect(sources.length).toBeGreaterThan(900);
  expect(findRepeatedNames(Object.fromEntries(sources))).toEqual({});
});

test('functions are called by what they do: none ends in Of, or begins with what it gives', () => {
  const found = Object.entries(files).flatMap(([file, text]) =>
    findNamesWithoutVerb(text).map((name) => `${file} ${name}`),
  );
  expect(found).toEqual([]);
});

test.each([
  'function textOf(message: Message): string {',
  'export async function rowOf<T>(row: T) {',
  'const nameOf = ({ name }: Named): string => name;',
  'export function endOfString(text: string): number {',
])('a name without a verb is found: %s', (line) => {
  expect(findNamesWithoutVerb(line)).toHaveLength(1);
});

test('a name is found that two files of one package declare, whatever it stands for', () => {
  const files = {
    'cli/src/a.ts': 'export function toText() {}\nexport const x = 1, y = 2;\nexport type Row = string;',
    'cli/src/b.ts': 'export const toText = () => {};\nexport const y = 2;\nexport interface Row {}',
    'cli/src/c.ts': "export { x } from './a.ts';\nconst toText = 1;",
    'rules/src/a.ts': 'export function toText() {}',
  };
  expect(Object.keys(findRepeatedNames(files)).toSorted()).toEqual(['cli Row', 'cli toText', 'cli y']);
});
