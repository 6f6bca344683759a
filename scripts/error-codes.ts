// The rows of docs/error-codes.md. Which codes there are is read from the sources; a code without a row, or a row without a code, stops `npm run docs`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { exitCodes } from '../packages/cli/src/exit-codes.ts';
import { type Explained, errorRows } from './error-rows.ts';
import { exitRows, findingRows } from './finding-rows.ts';

const packages = join(import.meta.dirname, '../packages');
const errors = readFileSync(join(packages, 'hooks/src/errors.ts'), 'utf8');

/** The members of a union of texts in the source of errors. */
function codesOf(type: string): string[] {
  const [, union = ''] = new RegExp(`export type ${type} =\\n([^;]*);`).exec(errors) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
}

/** The ways in which a finding's code is written. */
const written = [
  /\breport\.(?:error|warning|note|refuse)\(\s*'(\w+)'/g,
  /\bcode: '(\w+)'/g,
  /\bcode = '(\w+)'\)/g,
  /\bcode = .*\? '(\w+)' : '(\w+)'/g,
  /\bfields\.refuse\([^;]*,\s*'(\w+)',?\s*\);/g,
];

/** What the loader of settings files and `spec-hooks check` report. */
function findingCodes(): string[] {
  const files = globSync(['commands/src/{settings-file.ts,load/**,dialects/**}', 'cli/src/check/**'], {
    cwd: packages,
    ignore: ['**/*.test.ts'],
  });
  const found = files.flatMap((file) => {
    const source = readFileSync(join(packages, file), 'utf8');
    return written.flatMap((pattern) => [...source.matchAll(pattern)].flatMap(([, ...codes]) => codes));
  });
  const own = codesOf('DefinitionCode');
  return [...new Set(found.filter((code) => code !== undefined && !own.includes(code)))].sort() as string[];
}

function tableOf(codes: readonly string[], rows: Readonly<Record<string, Explained>>): string {
  const lines = codes.map((code) => {
    const row = rows[code];
    if (row === undefined)
      throw new Error(
        `There is no row in scripts/error-rows.ts or scripts/finding-rows.ts for "${code}". Write one.`,
      );
    return `| \`${code}\` | ${row.means} | ${row.remedy} |`;
  });
  return ['| code | it means | what to do |', '|---|---|---|', ...lines].join('\n');
}

/** The page, as it should be. */
export function errorCodesPage(): string {
  const definition = codesOf('DefinitionCode');
  const run = codesOf('RunCode');
  const findings = findingCodes();
  refuseLeftOver(Object.keys(errorRows), [...definition, ...run]);
  refuseLeftOver(Object.keys(findingRows), findings);
  const exits = Object.entries(exitCodes).map(
    ([name, code]) => `| ${code} | ${exitRows[name as keyof typeof exitCodes]} |`,
  );
  return `# Error codes

Every error of these packages is a \`DefinitionError\` or a \`RunError\` and has a \`code\`. The message says what was wrong, where, and what to do. It never holds data, so you can log it.
A \`RunError\` also has \`hook\`, \`id\`, \`threadId\`, \`turnId\` and \`toolCallId\` where they are known. Every error of a turn has its thread and its turn.

## Mistakes in code or configuration

\`DefinitionError\`: thrown when something is defined, registered or loaded. Change the code or the file.

${tableOf(definition, errorRows)}

## Failures while something runs

\`RunError\`: thrown by \`thread.send\` and its like. Records of runs and spans have the same codes.

${tableOf(run, errorRows)}

## Findings about settings files

\`loadSettings\` reports these in \`findings\` and \`report\`, and \`spec-hooks check\` prints them with file and line. The codes of the first table can stand there too.

${tableOf(findings, findingRows)}

## Exit codes of \`spec-hooks\`

| exit code | it means |
|---|---|
${exits.join('\n')}

## See also

[Timeouts and failure](timeouts-and-failure.md), for what a failing hook does to the turn · [Why did my hook not fire?](why-did-my-hook-not-fire.md)
`;
}

function refuseLeftOver(written: readonly string[], codes: readonly string[]): void {
  const left = written.filter((code) => !codes.includes(code));
  if (left.length > 0)
    throw new Error(
      `scripts/error-rows.ts or scripts/finding-rows.ts has rows for codes that are no more: ${left.join(', ')}.`,
    );
}
