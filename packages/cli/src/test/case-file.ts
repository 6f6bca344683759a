import { DefinitionError, nearest } from '@spec/hooks';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { readText } from '../read-text.ts';

const text = z
  .string()
  .min(1)
  .refine(isPattern, 'expected a part of the text, or a regular expression between slashes')
  .nullable();

const expectation = z
  .strictObject({
    decision: z.enum(['deny', 'ask', 'allow', 'none']).nullable().optional(),
    by: z.string().optional(),
    reason: text.optional(),
    userMessage: text.optional(),
    context: z.union([z.string(), z.array(z.string())]).optional(),
    output: z.unknown().optional(),
  })
  .refine((expected) => Object.keys(expected).length > 0);

const caseSchema = z.strictObject({
  name: z.string().optional(),
  event: z.string(),
  input: z.unknown().optional(),
  agent: z.string().optional(),
  expect: expectation,
});

const fileSchema = z.strictObject({
  cases: z.array(caseSchema).default([]),
  neverDenies: z.array(z.string()).default([]),
});

function isPattern(written: string): boolean {
  try {
    compilePattern(written);
    return true;
  } catch {
    return false;
  }
}

/** A regular expression that stands between slashes; `undefined` for any other text. */
export function compilePattern(written: string): RegExp | undefined {
  const source = /^\/(.+)\/$/s.exec(written)?.[1];
  return source === undefined ? undefined : new RegExp(source);
}

/** What a case expects; what is absent may be anything. */
export interface Expectation {
  readonly decision?: 'deny' | 'ask' | 'allow' | 'none' | null | undefined;
  readonly by?: string | undefined;
  readonly reason?: string | null | undefined;
  readonly userMessage?: string | null | undefined;
  readonly context?: string | readonly string[] | undefined;
  readonly output?: unknown;
}

/** A case of a file. */
export interface HookCase {
  readonly name: string;
  readonly event: string;
  readonly input?: unknown;
  readonly agent?: string | undefined;
  readonly expect: Expectation;
  readonly file: string;
  readonly line: number;
}

/** A file with cases. */
export interface CaseFile {
  readonly cases: readonly HookCase[];
  /** Ids of hooks that could deny, and never shall. */
  readonly neverDenies: readonly string[];
}

/**
 * Reads a file with cases.
 *
 * @throws {DefinitionError} `bad_definition`, naming file, line and what is wrong
 */
export async function readCaseFile(file: string): Promise<CaseFile> {
  const lines = new LineCounter();
  const document = parseDocument(await readText(file, 'give files with cases, or folders with such files'), {
    lineCounter: lines,
    prettyErrors: false,
  });
  const lineAt = (path: readonly PropertyKey[]): number => {
    const node = document.getIn(path as unknown[], true);
    return isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1;
  };
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw bad(`${file}:${line}:${col} is not YAML: ${error.code.toLowerCase().replaceAll('_', ' ')}`);
  }
  const { data, error: issues } = fileSchema.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
  if (issues !== undefined) throw bad(problemText(file, chooseIssue(issues.issues), lineAt));
  const cases = data.cases.map((one, index) => {
    const { name = `case ${index + 1}` } = one;
    return { ...one, name, file, line: lineAt(['cases', index]) };
  });
  return { cases, neverDenies: data.neverDenies };
}

type Issue = z.core.$ZodIssue;

const fieldNames: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(fileSchema.shape),
  cases: Object.keys(caseSchema.shape),
  expect: Object.keys(expectation.shape),
};

/** A misspelt field is why another one is missing. */
function chooseIssue(issues: readonly Issue[]): Issue {
  return (issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]) as Issue;
}

/** What is wrong, by field names and rules: what stands in the file is not quoted. */
function problemText(file: string, issue: Issue, lineAt: (path: readonly PropertyKey[]) => number): string {
  const { path } = issue;
  const position = `${file}:${nearestLine(path, lineAt)}${path.length === 0 ? '' : ` ${path.join('.')}`}`;
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const owner = path.at(-1) === 'expect' ? 'expect' : path.length > 0 ? 'cases' : '';
    const known = fieldNames[owner] ?? [];
    const meant = nearest(key, known);
    return `${position}: there is no field "${key}". ${meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean "${meant}"?`}`;
  }
  if (path.at(-1) === 'expect')
    return `${position}: a case needs "expect" with at least one of ${fieldNames.expect?.join(', ')}`;
  return `${position}: ${issue.message.replace(/^Invalid input: /, '')}`;
}

/** Of a field that is missing, the line of what it is missing in. */
function nearestLine(path: readonly PropertyKey[], lineAt: (path: readonly PropertyKey[]) => number): number {
  const line = lineAt(path);
  return line > 1 || path.length === 0 ? line : nearestLine(path.slice(0, -1), lineAt);
}

function bad(what: string): DefinitionError {
  return new DefinitionError(
    'bad_definition',
    what.replace(/[.?]?$/, (end) => (end === '?' ? '?' : '.')),
  );
}
