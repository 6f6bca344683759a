// Writes docs/hooks-reference.md from the lifecycle tables. `--check` fails where the file is not up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  controlTable,
  type HookRow,
  type LifecycleName,
  specificationTable,
} from '../packages/hooks/src/index.ts';

const file = join(import.meta.dirname, '../docs/hooks-reference.md');

type Row = Pick<HookRow<LifecycleName>, 'kind' | 'onFailure' | 'trigger' | 'purpose' | 'failure' | 'section'>;

const kinds = `| kind | what becomes of its answer | a failure may |
|---|---|---|
| observe | it is ignored | \`continue\` |
| replace | it takes the subject's place; \`null\` or \`undefined\` keeps it | \`block\`, \`continue\` |
| transform | it is the next subject: a hook must return one | \`block\`, \`continue\` |
| decide | the strictest decision of all wins: deny, ask, allow | \`block\` (deny), \`continue\`, \`ask\` |
| collect | its texts are gathered | \`block\`, \`continue\` |`;

const page = `# Hooks reference

Generated from the lifecycle tables of \`@spec/hooks\` by \`scripts/generate-docs.ts\`. Every hook gets the thread's state first; the
last argument is its *subject*, the value that its chain carries.

${kinds}

## The twelve hooks of the specification

${tableOf(specificationTable)}

## Control hooks

What other hook systems have beyond the twelve. A \`Decision\` is \`{ decision?: 'allow' | 'deny' | 'ask', reason?, input?, context?, userMessage?, result? }\`
or \`null\`.

${tableOf(controlTable)}

## Signatures

${signatures()}
`;

function tableOf(table: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(table as Record<string, Row>).map(
    ([name, { kind, trigger, purpose, failure, section }]) =>
      `| \`${name}\` | ${kind} | ${trigger} | ${purpose} | ${failure} | ${section} |`,
  );
  return [
    '| hook | kind | when | what for | when it fails or times out, by default | section |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The signatures as the source has them, without their comments' ends. */
function signatures(): string {
  const sources = ['signatures', 'control'].map((name) =>
    readFileSync(join(import.meta.dirname, `../packages/hooks/src/${name}.ts`), 'utf8'),
  );
  return sources
    .map((source) => /export interface \w*HookSignatures[\s\S]*?\n}/.exec(source)?.[0] ?? '')
    .map((declaration) => `\`\`\`typescript\n${declaration}\n\`\`\``)
    .join('\n\n');
}

const current = readIfThere(file);
if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (current !== page) {
  console.error(
    'docs/hooks-reference.md is not up to date: run `node --conditions=@spec/source --import tsx scripts/generate-docs.ts`.',
  );
  process.exitCode = 1;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
