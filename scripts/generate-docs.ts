// Writes docs/hooks-reference.md from the lifecycle tables, docs/error-codes.md from the codes in the sources, the topics of docs/prove-your-runtime.md from the cases of the
// conformance suite, the tables in docs/bridges.md, docs/agents.md and docs/gateway.md, a page for each coding agent, the driver in docs/stores.md from the one that is tested, the JSON Schemas of rule and trigger files, the pictures of a turn and of a terminal, the list of examples, and docs/cli from the command table. `--check` fails where a
// file is not up to date.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, cases, type Level } from '../packages/conformance/src/index.ts';
import {
  controlTable,
  type HookRow,
  type LifecycleName,
  specificationTable,
} from '../packages/hooks/src/index.ts';
import { rulesJsonSchema } from '../packages/rules/src/rule.ts';
import { triggersJsonSchema } from '../packages/triggers/src/declared.ts';
import { agentPages, observedTable } from './agent-pages.ts';
import { agentsTable, bridgesTable } from './bridges-table.ts';
import { cliPages } from './cli-pages.ts';
import { errorCodesPage } from './error-codes.ts';
import { examplesPage } from './examples-page.ts';
import { gatewayTable } from './prove-gateway/observed.ts';
import { drawTerminal, recordReplay, terminalThemes } from './terminal-picture/index.ts';
import { drawTurn, themes } from './turn-picture.ts';

const docs = join(import.meta.dirname, '../docs');

type Row = Pick<HookRow<LifecycleName>, 'kind' | 'onFailure' | 'trigger' | 'purpose' | 'failure' | 'section'>;

const kinds = `| kind | what becomes of its answer | a failure may |
|---|---|---|
| observe | it is ignored | \`continue\` |
| replace | it takes the subject's place; \`null\` or \`undefined\` keeps it | \`block\`, \`continue\` |
| transform | it is the next subject: a hook must return one | \`block\`, \`continue\` |
| decide | the strictest decision of all wins: deny, ask, allow | \`block\` (deny), \`continue\`, \`ask\` |
| collect | its texts are gathered | \`block\`, \`continue\` |`;

const hooksReference = `# Hooks reference

Generated from the lifecycle tables of \`@spec/hooks\` by \`scripts/generate-docs.ts\`. Every hook gets the thread's state first; the
last argument is its *subject*, the value that its chain carries.

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="images/turn-dark.svg">
  <img src="images/turn-light.svg" alt="One turn of an agent, and the hooks that run at each moment of it">
</picture>

${kinds}

## The twelve hooks of the specification

${renderTable(specificationTable)}

## Control hooks

What other hook systems have beyond the twelve. A \`Decision\` is \`{ decision?: 'allow' | 'deny' | 'ask', reason?, input?, context?, userMessage?, result? }\`
or \`null\`.

${renderTable(controlTable)}

## Signatures

${signatures()}
`;

function renderTable(table: Readonly<Record<string, unknown>>): string {
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
    readFileSync(join(import.meta.dirname, `../packages/hooks/src/vocabulary/${name}.ts`), 'utf8'),
  );
  return sources
    .map((source) => /export interface \w*HookSignatures[\s\S]*?\n}/.exec(source)?.[0] ?? '')
    .map((declaration) => `\`\`\`typescript\n${declaration}\n\`\`\``)
    .join('\n\n');
}

/** The cases by topic: what their ids begin with. */
function casesByTopic(): Map<string, Case[]> {
  const topics = new Map<string, Case[]>();
  for (const one of cases) {
    const [topic = ''] = one.id.split('.', 1);
    topics.set(topic, [...(topics.get(topic) ?? []), one]);
  }
  return topics;
}

const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY', 'ours'];

function topicsTable(): string {
  const rows = [...casesByTopic()].map(([topic, some]) => {
    const counts = levels.map((level) => some.filter((one) => one.level === level).length || '');
    return `| \`${topic}\` | ${some.length} | ${counts.join(' | ')} |`;
  });
  const all = levels.map((level) => cases.filter((one) => one.level === level).length);
  return [
    '| topic | cases | MUST | SHOULD | MAY | ours |',
    '|---|---|---|---|---|---|',
    ...rows,
    `| **all** | **${cases.length}** | ${all.join(' | ')} |`,
  ].join('\n');
}

/** The smallest driver of a store that is tested, with its own name, so that the page's other code can import it. */
function exampleDriver(): string {
  const file = join(import.meta.dirname, '../packages/runtime/test/json-file-driver.ts');
  return `\`\`\`ts file=json-file-driver.ts no-run\n${readFileSync(file, 'utf8')}\`\`\``;
}

/** A page of which one part is generated, between two comments. */
function withPart(text: string, name: string, part: string): string {
  const marks = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
  return text.replace(marks, (_, begin: string, end: string) => `${begin}\n${part}\n\n${end}`);
}

const replay = recordReplay();

const pages = [
  { name: 'hooks-reference.md', text: hooksReference },
  { name: 'error-codes.md', text: errorCodesPage() },
  { name: '../examples/README.md', text: examplesPage() },
  {
    name: 'prove-your-runtime.md',
    text: withPart(readIfThere('prove-your-runtime.md') ?? '', 'topics', topicsTable()),
  },
  { name: 'bridges.md', text: withPart(readIfThere('bridges.md') ?? '', 'honours', bridgesTable()) },
  {
    name: 'agents.md',
    text: withPart(
      withPart(readIfThere('agents.md') ?? '', 'honours', agentsTable()),
      'observed',
      observedTable(),
    ),
  },
  { name: 'gateway.md', text: withPart(readIfThere('gateway.md') ?? '', 'proof', gatewayTable()) },
  ...agentPages(),
  { name: 'stores.md', text: withPart(readIfThere('stores.md') ?? '', 'driver', exampleDriver()) },
  { name: '../packages/rules/rules.schema.json', text: renderJson(rulesJsonSchema()) },
  { name: '../packages/triggers/triggers.schema.json', text: renderJson(triggersJsonSchema()) },
  ...themes.map((theme) => ({ name: `images/turn-${theme.name}.svg`, text: drawTurn(theme) })),
  ...terminalThemes.map((theme) => ({
    name: `images/replay-${theme.name}.svg`,
    text: drawTerminal(replay, theme),
  })),
  ...cliPages(),
];

for (const folder of ['cli', 'images']) mkdirSync(join(docs, folder), { recursive: true });
const stale = readdirSync(join(docs, 'cli')).filter(
  (file) => !pages.some(({ name }) => name === `cli/${file}`),
);
for (const file of stale) {
  if (!process.argv.includes('--check')) rmSync(join(docs, 'cli', file));
  else {
    console.error(`docs/cli/${file} is of no command: run \`npm run docs\`.`);
    process.exitCode = 1;
  }
}

function renderJson(schema: unknown): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

for (const { name, text } of pages) {
  if (!process.argv.includes('--check')) writeFileSync(join(docs, name), text);
  else if (readIfThere(name) !== text) {
    console.error(
      `docs/${name} is not up to date: run \`node --conditions=@spec/source --import tsx scripts/generate-docs.ts\`.`,
    );
    process.exitCode = 1;
  }
}

function readIfThere(name: string): string | undefined {
  try {
    return readFileSync(join(docs, name), 'utf8');
  } catch {
    return undefined;
  }
}
