import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { badRuleFile } from './bad-rule-file.ts';
import type { WrittenRules } from './check-rules.ts';

/** What a rule file holds, and where. */
export interface RuleText {
  readonly content: unknown;
  readonly locateRule: WrittenRules['locateRule'];
}

/**
 * Reads the text of a rule file. JSON is YAML too. What the parser says of a mistake is told by its code and place: its text
 * quotes the file.
 *
 * @throws {DefinitionError} `bad_definition`
 */
export function readRuleText(text: string, file: string): RuleText {
  const lines = new LineCounter();
  const document = readDocument(text, file, lines);
  const content = readContent(document, file);
  const listPath = Array.isArray(content) ? [] : ['rules'];
  const locateRule = (index: number, field?: string): string => {
    const rule = [...listPath, index];
    const node = (field && nodeAt(document, [...rule, field])) || nodeAt(document, rule);
    return node === undefined ? file : `${file}:${lines.linePos(node).line}`;
  };
  return { content, locateRule };
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
    throw badRuleFile(file, 'is not JSON or YAML: it is nested too deeply');
  }
  const [error] = document.errors;
  if (error === undefined) return document;
  const { line, col } = lineCounter.linePos(error.pos[0]);
  throw badRuleFile(
    file,
    `is not JSON or YAML: ${error.code.toLowerCase().replaceAll('_', ' ')} in line ${line}, column ${col}`,
  );
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
    throw badRuleFile(file, 'repeats itself too often: it may use an alias at most 100 times');
  }
}

function nodeAt(document: Document, path: readonly (string | number)[]): number | undefined {
  const node = document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}
