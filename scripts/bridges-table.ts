import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allAgents } from '../packages/agents/src/index.ts';
import { honours as aiSdk } from '../packages/ai-sdk/src/honours.ts';
import { type Baseline, cases, parseBaseline } from '../packages/conformance/src/index.ts';
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
  /** The package whose `test/baseline.json` says which cases of the conformance suite it is known to fail. */
  readonly judged?: string;
  readonly tried: readonly Tried[];
}

const ai = 'ai-sdk/node_modules';

/** The libraries that run hooks in their loops, and what they can do for the hooks of each name. */
const libraries: Readonly<Record<string, Library>> = {
  'AI SDK 6, 7': {
    table: aiSdk,
    judged: 'ai-sdk',
    tried: [
      { installed: `${ai}/ai`, version: '6.0.326', published: '9 November 2026' },
      { installed: `${ai}/ai-v7`, version: '7.0.173', published: '13 November 2026' },
    ],
  },
  'OpenAI Agents 0.20': {
    table: openaiAgents,
    judged: 'openai-agents',
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
    judged: 'langchain',
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
    judged: 'mastra',
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
  const tables = Object.entries(libraries).map(([place, { table }]) => [place, table]);
  const hasFailing = (place: string, name: LifecycleName): boolean =>
    listFailing(libraries[place]).some(({ hooks }) => hooks.includes(name));
  return [
    tableOfPlaces(Object.fromEntries(tables), hasFailing),
    '',
    'An asterisk: a case of the [conformance suite](prove-your-runtime.md) that is about this hook fails, with a store, for the reason that is given below.',
    ...Object.entries(libraries).flatMap(([place, library]) => [
      '',
      `**${place}**, tried with ${library.tried.map(describeTried).join(' and ')}`,
      '',
      ...reasons(library.table),
      ...listFailing(library).map(({ id, reason }) => `- Case \`${id}\`: ${reason}`),
    ]),
  ].join('\n');
}

interface FailingCase {
  readonly id: string;
  readonly hooks: readonly LifecycleName[];
  readonly reason: string;
}

/** The cases that the subject of a bridge is known to fail. */
function listFailing({ judged }: Partial<Library> = {}): readonly FailingCase[] {
  const baseline = judged === undefined ? {} : readBaseline(judged);
  return Object.entries(baseline).map(([id, reason]) => {
    const { hooks = [] } = cases.find((one) => one.id === id) ?? {};
    return { id, hooks, reason };
  });
}

function readBaseline(folder: string): Baseline {
  const file = join(import.meta.dirname, '../packages', folder, 'test/baseline.json');
  return parseBaseline(readFileSync(file, 'utf8'));
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

function tableOfPlaces(
  places: Places,
  hasFailing: (place: string, name: LifecycleName) => boolean = () => false,
): string {
  const marks = (name: LifecycleName): string[] =>
    Object.entries(places).map(
      ([place, table]) => mark(findHonour(table, name)) + (hasFailing(place, name) ? '\\*' : ''),
    );
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
