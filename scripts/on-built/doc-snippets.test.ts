// Type-checks and runs every ```ts block of the documents, and judges the hooks in them; `// → x` comments are what a block prints.
// Blocks share a process. One that is not right there is run in a process of its own, which has the last word.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runApart, runTogether, type SnippetRun } from './run-snippets.ts';
import {
  allSnippets,
  expectedOutput,
  findSnippets,
  isExpected,
  removeSnippets,
  type Snippet,
  typeErrors,
  writeSnippets,
} from './snippets.ts';

const snippets = allSnippets();
let runs: ReadonlyMap<Snippet, SnippetRun>;
/** How many hooks the blocks have defined. */
let judged = 0;

describe('the code in the documents', () => {
  const running = snippets.filter(({ runs }) => runs);
  beforeAll(async () => {
    writeSnippets(snippets);
    runs = await runTogether(running);
  }, 180_000);
  afterAll(() => removeSnippets());

  test('type-checks', { timeout: 60_000 }, async () => {
    expect(await typeErrors(snippets)).toBe('');
  });

  const blocks = running.map((snippet) => ({ place: `${snippet.document}:${snippet.line}`, snippet }));
  test.concurrent.for(blocks)(
    '$place prints what it says',
    { timeout: 60_000 },
    async ({ place, snippet }, { expect }) => {
      const expected = expectedOutput(snippet);
      const together = runs.get(snippet);
      const run = isRight(together, expected) ? together : await runApart(snippet);
      expect(run.exitCode, `${place} ends with an error:\n${run.errors}`).toBe(0);
      expect(run.hooks?.problems, `${place} shows hooks that are wrong`).toEqual([]);
      judged += run.hooks?.count ?? 0;
      if (!isExpected(expected, run.printed))
        expect(run.printed, `${place} prints something else`).toBe(expected);
    },
  );
});

function isRight(run: SnippetRun | undefined, expected: string): run is SnippetRun {
  return run?.exitCode === 0 && run.hooks?.problems.length === 0 && isExpected(expected, run.printed);
}

test('the hooks in the documents were judged', () => {
  expect(judged).toBeGreaterThan(25);
});

describe('finding code', () => {
  const text =
    '# A\n\n```ts\nconst a = 1;\n```\n\n```ts no-run\nb();\n```\n\n```ts file=hooks/x.ts no-run\nc();\n```\n\n```js\nd();\n```\n';

  test('knows the line, the name and whether to run', () => {
    expect(findSnippets('docs/a.md', text)).toEqual([
      { document: 'docs/a.md', line: 4, code: 'const a = 1;\n', runs: true, path: 'docs/a/line-4.ts' },
      { document: 'docs/a.md', line: 8, code: 'b();\n', runs: false, path: 'docs/a/line-8.ts' },
      { document: 'docs/a.md', line: 12, code: 'c();\n', runs: false, path: 'docs/a/hooks/x.ts' },
    ]);
  });

  test('reads the expected output, where … stands for any text', () => {
    const expected = expectedOutput({ code: "print(); // → took … ms\nprint('b');\n// → b\n" });
    expect(expected).toBe('took … ms\nb');
    expect(isExpected(expected, 'took 12.3 ms\nb')).toBe(true);
    expect(isExpected(expected, 'took 12.3 ms\nb\nc')).toBe(false);
    expect(isExpected('a.b', 'axb')).toBe(false);
  });
});
