import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allAgents } from '../packages/agents/src/index.ts';
import { honours as aiSdk } from '../packages/ai-sdk/src/honours.ts';
import { honours as gateway } from '../packages/gateway/src/honours.ts';
import { findHonour, type Honour, type Honours } from '../packages/hooks/src/host/index.ts';
import { type LifecycleName, lifecycleTable } from '../packages/hooks/src/index.ts';
import { honours as langchain } from '../packages/langchain/src/honours.ts';
import { honours as mastra } from '../packages/mastra/src/honours.ts';
import { honours as openaiAgents } from '../packages/openai-agents/src/honours.ts';

type Places = Readonly<Record<string, Honours>>;

/** A version of a library that the tests of its bridge run. */
interface Tried {
  /** Below the folder `packages`. */
  readonly installed: string;
  readonly version: string;
  readonly published: string;
}

interface Library {
  readonly table: Honours;
  readonly tried: readonly Tried[];
}

const ai = 'ai-sdk/node_modules';

/** The libraries that run hooks in their loops, and what they can do for the hooks of each name. */
const libraries: Readonly<Record<string, Library>> = {
  'AI SDK 6, 7': {
    table: aiSdk,
    tried: [
      { installed: `${ai}/ai`, version: '6.0.326', published: '9 November 2026' },
      { installed: `${ai}/ai-v7`, version: '7.0.173', published: '13 November 2026' },
    ],
  },
  'OpenAI Agents 0.20': {
    table: openaiAgents,
    tried: [
      {
        installed: 'openai-agents/node_modules/@openai/agents',
        version: '0.20.0',
        published: '8 October 2026',
      },
    ],
  },
  'LangChain 1.5': {
    table: langchain,
    tried: [
      { installed: 'langchain/node_modules/langchain', version: '1.5.14', published: '27 September 2026' },
      {
        installed: 'langchain/node_modules/@langchain/langgraph',
        version: '1.7.3',
        published: '10 November 2026',
      },
    ],
  },
  'Mastra 1.71': {
    table: mastra,
    tried: [
      { installed: 'mastra/node_modules/@mastra/core', version: '1.71.0', published: '27 September 2026' },
    ],
  },
  'MCP gateway': {
    table: gateway,
    tried: [
      {
        installed: 'gateway/node_modules/@modelcontextprotocol/sdk',
        version: '1.32.2',
        published: '23 October 2026',
      },
    ],
  },
};

/** All hooks, in the order of their table. */
export const names = Object.keys(lifecycleTable) as LifecycleName[];

/** Which hooks run in which library, with the reasons below the table. */
export function bridgesTable(): string {
  return [
    tableOfPlaces(Object.fromEntries(Object.entries(libraries).map(([place, { table }]) => [place, table]))),
    ...Object.entries(libraries).flatMap(([place, { table, tried }]) => [
      '',
      `**${place}**, tried with ${tried.map(describeTried).join(' and ')}`,
      '',
      ...reasons(table),
    ]),
  ].join('\n');
}

/** @throws where another version is installed by now: its date is to be looked up, and its table to be read again */
function describeTried({ installed, version, published }: Tried): string {
  const file = join(import.meta.dirname, '../packages', installed, 'package.json');
  const found = JSON.parse(readFileSync(file, 'utf8')) as { readonly name: string; readonly version: string };
  if (found.version !== version)
    throw new Error(
      `${installed} is ${found.version}, and scripts/bridges-table.ts says ${version}. Say the new version and the day it was published.`,
    );
  return `\`${found.name}\` ${version} of ${published}`;
}

/** Which hooks run in which coding agent. */
export function agentsTable(): string {
  return tableOfPlaces(Object.fromEntries(allAgents.map(({ title, honours }) => [title, honours])));
}

function tableOfPlaces(places: Places): string {
  const marks = (name: LifecycleName): string[] =>
    Object.values(places).map((table) => mark(findHonour(table, name)));
  return [
    `| hook | ${Object.keys(places).join(' | ')} |`,
    `|---|${'---|'.repeat(Object.keys(places).length)}`,
    ...names.map((name) => `| \`${name}\` | ${marks(name).join(' | ')} |`),
  ].join('\n');
}

function mark(honour: Honour): string {
  if (honour === 'whole') return 'whole';
  if ('stricter' in honour) return 'stricter';
  return 'partly' in honour ? 'in part' : 'no';
}

/** What a place does not do whole, a line each. */
export function reasons(table: Honours): string[] {
  return names.flatMap((name) => {
    const honour = findHonour(table, name);
    if (honour === 'whole') return [];
    const [why] = Object.values(honour);
    return [`- \`${name}\`, ${mark(honour)}: ${why}`];
  });
}
