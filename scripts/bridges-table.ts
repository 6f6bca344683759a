import { agents } from '../packages/agents/src/index.ts';
import { honours as aiSdk } from '../packages/ai-sdk/src/honours.ts';
import { findHonour, type Honour, type Honours } from '../packages/hooks/src/host/index.ts';
import { type LifecycleName, lifecycleTable } from '../packages/hooks/src/index.ts';

type Places = Readonly<Record<string, Honours>>;

/** The libraries that run hooks in their loops, and what they can do for the hooks of each name. */
const libraries: Places = { 'AI SDK 6, 7': aiSdk };

/** All hooks, in the order of their table. */
export const names = Object.keys(lifecycleTable) as LifecycleName[];

/** Which hooks run in which library, with the reasons below the table. */
export function bridgesTable(): string {
  return [
    tableOfPlaces(libraries),
    '',
    ...Object.entries(libraries).flatMap(([place, table]) => [`**${place}**`, '', ...reasons(table)]),
  ].join('\n');
}

/** Which hooks run in which coding agent. */
export function agentsTable(): string {
  return tableOfPlaces(Object.fromEntries(agents.map(({ title, honours }) => [title, honours])));
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
