import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** What a module and all modules it reaches by relative imports import from elsewhere. */
export interface ReachableImports {
  /** The modules, the entry first. */
  readonly files: readonly string[];
  /** Each specifier that is not relative, with the file that imports it. */
  readonly external: readonly { readonly specifier: string; readonly file: string }[];
}

/**
 * Follows the static and dynamic imports of a module, type imports left out where the compiler drops them.
 *
 * @param entry the module's file, TypeScript source or built JavaScript
 */
export function reachableImports(entry: string): ReachableImports {
  const files = [entry];
  const external: { specifier: string; file: string }[] = [];
  for (const file of files) {
    for (const specifier of listImports(file)) {
      if (!specifier.startsWith('.')) external.push({ specifier, file });
      else if (!files.includes(join(dirname(file), specifier))) files.push(join(dirname(file), specifier));
    }
  }
  return { files, external };
}

/** The files that a file imports by relative paths, types included. */
export function importedFiles(file: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName));
}

function listImports(file: string): string[] {
  if (!existsSync(file)) throw new Error(`${file} is imported and does not exist`);
  const text = readFileSync(file, 'utf8');
  const dropped = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023).statements.filter(isTypesOnly);
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles
    .filter(({ pos }) => !dropped.some((statement) => statement.pos <= pos && pos < statement.end))
    .map(({ fileName }) => fileName);
}

function isTypesOnly(statement: ts.Statement): boolean {
  if (ts.isImportDeclaration(statement))
    return statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  return ts.isExportDeclaration(statement) && statement.isTypeOnly;
}
