import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DefinitionError } from '@spec/hooks';
import { LineCounter, parseDocument } from 'yaml';
import type { RuleInput } from './rule.ts';

/** Rules as a file holds them, not checked yet. */
export interface RuleFile {
  /** As it was named. */
  readonly file: string;
  /** snake_case, from the file's name; begins the ids of rules that have none. */
  readonly name: string;
  readonly rules: readonly unknown[];
}

const MODULE = /\.[cm]?[jt]s$/;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a rule file: JSON or YAML with `{ rules: [ … ] }` or a list of rules, or a module whose default export is one or the other.
 *
 * @throws {DefinitionError} `bad_definition`, naming the file, with line and column where it is no JSON or YAML; `bad_module`
 */
export async function readRuleFile(path: string | URL): Promise<RuleFile> {
  const file = path instanceof URL ? fileURLToPath(path) : path;
  const content = MODULE.test(file) ? await importFrom(file) : parseText(await textOf(file), file);
  return { file, name: nameOf(file), rules: listOf(content, file) };
}

function nameOf(file: string): string {
  const words = basename(file)
    .replace(/\..*$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('_');
  return /^[a-z]/.test(words) ? words : `rules_${words}`.replace(/_$/, '');
}

async function textOf(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw bad(file, `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  if (bytes.length > MAX_BYTES)
    throw bad(file, `has ${bytes.length} bytes; a rule file has at most ${MAX_BYTES}`);
  return bytes.toString('utf8');
}

/** JSON is YAML too. What the parser says of a mistake is told by its code and place: its text quotes the file. */
function parseText(text: string, file: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error === undefined) return document.toJS({ maxAliasCount: 100 });
  const { line, col } = lines.linePos(error.pos[0]);
  throw bad(file, `is no JSON or YAML: ${error.code} in line ${line}, column ${col}`);
}

async function importFrom(file: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(resolve(file)).href)) as { default?: unknown };
    return module.default;
  } catch (error) {
    const why = error instanceof Error ? error.name : 'it threw something that is no error';
    throw new DefinitionError('bad_module', `The rules of ${file} could not be imported: ${why}.`);
  }
}

function listOf(content: unknown, file: string): readonly unknown[] {
  if (Array.isArray(content)) return content;
  const { rules, $schema: _, ...others } = (content ?? {}) as { rules?: unknown; $schema?: unknown };
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw bad(file, `has fields that a rule file does not have: ${unknown.join(', ')}`);
  if (Array.isArray(rules)) return rules;
  throw bad(file, 'must hold a list of rules, or { rules: a list of them }');
}

function bad(file: string, what: string): DefinitionError {
  return new DefinitionError('bad_definition', `The rule file ${file} ${what}.`);
}

/** Rules that code gives. */
export function rulesInCode(rules: readonly RuleInput[]): RuleFile {
  return { file: 'rules', name: 'rule', rules };
}
