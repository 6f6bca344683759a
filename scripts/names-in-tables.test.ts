// What is special about a hook, a dialect or a rule's action stands in its row: code that asks for one by its name is missed by who adds another.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { dialectNames } from '../packages/commands/src/dialect-traits.ts';
import { isLifecycleName, lifecycleTable } from '../packages/hooks/src/index.ts';
import { actionNames } from '../packages/rules/src/actions.ts';

const packages = join(import.meta.dirname, '../packages');

/** Each case and each fault is about hooks of certain names. */
const ABOUT_ONE = /^conformance\/src\/(?:cases|faults)\//;

const matchAny = (names: readonly string[]): string => `['"](?:${names.join('|')})['"]`;
const hooks = matchAny(Object.keys(lifecycleTable));
const everyHook = new RegExp(hooks, 'g');
/** Decisions and parts of a project have the words of some actions and dialects: what is compared must be called so. */
const others = matchAny([...dialectNames, ...actionNames]);
const comparisons = [
  String.raw`[!=]==?\s*${hooks}`,
  String.raw`${hooks}\s*[!=]==?`,
  String.raw`\bcase\s+${hooks}`,
  String.raw`\b(?:dialect|action)(?:\??\.name)?\)?\s*[!=]==?\s*${others}`,
  String.raw`\bswitch\s*\([^)]*\b(?:dialect|action)(?:\??\.name)?\)`,
].map((source) => new RegExp(source));

function findComparisons(file: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      comparisons.some((one) => one.test(line)) ? [`${file}:${i + 1} ${line.trim()}`] : [],
    );
}

/** Lists of hook names, but for those in rows of a table: who adds a hook does not see that it belongs into one. */
function findLists(file: string, text: string): string[] {
  // To parse all files would take seconds: most name no hook, or one.
  if ((text.match(everyHook) ?? []).length < 2) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node) && !ts.isPropertyAssignment(node.parent)) {
      const names = node.elements.filter((one) => ts.isStringLiteral(one) && isLifecycleName(one.text));
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      if (names.length > 1) found.push(`${file}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const files = globSync(['*/src/**/*.ts'], { cwd: packages })
  .filter((file) => !/\.test(?:-d)?\.ts$/.test(file) && !ABOUT_ONE.test(file))
  .map((file) => [file, readFileSync(join(packages, file), 'utf8')] as const);

test('no code compares with the name of a hook, a dialect or an action: what is special stands in its row', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap(([file, text]) => findComparisons(file, text))).toEqual([]);
});

test('no code lists names of hooks: which hooks have something in common follows from their rows', () => {
  expect(files.flatMap(([file, text]) => findLists(file, text))).toEqual([]);
});

test.each([
  "if (event.hook === 'before_stop') return;",
  "return 'after_notification' !== name;",
  "    case 'before_tool_call':",
  "const isHub = entry.dialect === 'hub';",
  "if (dialect.name !== 'claude') return;",
  "if (rule.action === 'script') run();",
  'switch (rule.action) {',
])('a comparison is found: %s', (line) => {
  expect(findComparisons('a.ts', line)).toEqual([`a.ts:1 ${line.trim()}`]);
});

test.each([
  "if (decision === 'deny') return;",
  "if (from === 'settings') return;",
  "run('before_stop', scope);",
])('what is no comparison is none: %s', (line) => {
  expect(findComparisons('a.ts', line)).toEqual([]);
});

test('a list is found, in whatever it stands', () => {
  const text =
    "const GATES = new Set([\n  'before_tool_call',\n  'before_stop',\n]);\nconst rest = ['before_stop', 'x'];";
  expect(findLists('a.ts', text)).toEqual(['a.ts:1']);
});
