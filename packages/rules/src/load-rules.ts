import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefinitionError } from '@spec/hooks';
import { importModule, readRegularFile } from '@spec/hooks/node';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type { WrittenRules } from './check-rules.ts';
import { defineRule, type RuleInput } from './rule.ts';

const MODULE = /\.[cm]?[jt]s$/;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a rule file: JSON or YAML with `{ rules: [ … ] }` or a list of rules, or a module whose default export is one or the other.
 *
 * @throws {DefinitionError} `bad_definition`, naming the file, with line and column where it is no JSON or YAML; `bad_module`
 */
export async function readRuleFile(path: string | URL): Promise<WrittenRules> {
  const file = path instanceof URL ? fileURLToPath(path) : path;
  const name = makeName(file);
  if (!MODULE.test(file)) return { name, isFile: true, ...parseText(readText(file), file) };
  const content = await importModule(file, { '@spec/rules': { defineRule } });
  const locateRule = (index: number): string => `${file}, rules[${index}]`;
  return { name, isFile: true, rules: readList(content, file), locateRule };
}

function makeName(file: string): string {
  const words = basename(file)
    .replace(/\..*$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('_');
  return /^[a-z]/.test(words) ? words : `rules_${words}`.replace(/_$/, '');
}

function readText(file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readRegularFile(file, MAX_BYTES);
  } catch (error) {
    const { code = 'unknown', message } = error as NodeJS.ErrnoException;
    throw bad(file, `cannot be read: ${message} (${code})`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw bad(file, 'is not in UTF-8');
  }
}

/** JSON is YAML too. What the parser says of a mistake is told by its code and place: its text quotes the file. */
function parseText(text: string, file: string): Pick<WrittenRules, 'rules' | 'locateRule'> {
  const lines = new LineCounter();
  const document = readDocument(text, file, lines);
  const content = readContent(document, file);
  const listPath = Array.isArray(content) ? [] : ['rules'];
  const locateRule = (index: number, field?: string): string => {
    const rule = [...listPath, index];
    const node = (field && nodeAt(document, [...rule, field])) || nodeAt(document, rule);
    return node === undefined ? file : `${file}:${lines.linePos(node).line}`;
  };
  return { rules: readList(content, file), locateRule };
}

function readDocument(text: string, file: string, lineCounter: LineCounter): Document {
  let document: Document;
  try {
    document = parseDocument(withoutComments(text, file), {
      lineCounter,
      prettyErrors: false,
      uniqueKeys: true,
    }) as Document;
  } catch {
    throw bad(file, 'is no JSON or YAML: it is nested too deeply');
  }
  const [error] = document.errors;
  if (error === undefined) return document;
  const { line, col } = lineCounter.linePos(error.pos[0]);
  throw bad(file, `is no JSON or YAML: ${error.code} in line ${line}, column ${col}`);
}

/** Comments that JSON has in editors, and YAML has not: blanks take their place, so that all lines and columns stay what they are. */
function withoutComments(text: string, file: string): string {
  if (!/\.jsonc?$/.test(file)) return text;
  return text.replace(TEXT_OR_COMMENT, (found) =>
    /^\/[/*]/.test(found) ? found.replace(/\S/g, ' ') : found,
  );
}

/** A text, a comment of YAML, or one of the others; each to its end, or to that of the file. */
const TEXT_OR_COMMENT =
  /(?<![^\s,:[\]{}"])(?:"(?:\\[\s\S]|[^"\\])*"?|'[^']*'?|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))/g;

function readContent(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw bad(file, 'repeats itself too often: it may use an alias at most 100 times');
  }
}

function nodeAt(document: Document, path: readonly (string | number)[]): number | undefined {
  const node = document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}

function readList(content: unknown, file: string): readonly unknown[] {
  if (Array.isArray(content)) return content;
  const fields = typeof content === 'object' && content !== null ? content : {};
  const { rules, $schema: _, ...others } = fields as { rules?: unknown; $schema?: unknown };
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw bad(file, `has fields that a rule file does not have: ${unknown.join(', ')}`);
  if (Array.isArray(rules)) return rules;
  throw bad(file, 'must hold a list of rules, or { rules: a list of them }');
}

function bad(file: string, what: string): DefinitionError {
  return new DefinitionError('bad_definition', `The rule file ${file} ${what}.`);
}

/** Rules that code gives. @param owner stands before their places: `SKILL.md of the skill "x"` */
export function rulesInCode(rules: readonly RuleInput[], owner?: string): WrittenRules {
  const before = owner === undefined ? '' : `${owner}, `;
  return {
    name: 'rule',
    isFile: owner !== undefined,
    rules,
    locateRule: (index) => `${before}rules[${index}]`,
  };
}
