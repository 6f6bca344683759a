import { honours as aiSdk } from '../packages/ai-sdk/src/honours.ts';
import { findHonour, type Honour, type Honours } from '../packages/hooks/src/host/index.ts';
import { type LifecycleName, lifecycleTable } from '../packages/hooks/src/index.ts';

/** The places that run hooks, and what they can do for the hooks of each name. */
const places: Readonly<Record<string, Honours>> = { 'AI SDK 6, 7': aiSdk };

/** Which hooks run where, with the reasons below the table. */
export function bridgesTable(): string {
  const names = Object.keys(lifecycleTable) as LifecycleName[];
  const rows = names.map(
    (name) =>
      `| \`${name}\` | ${Object.values(places)
        .map((table) => mark(findHonour(table, name)))
        .join(' | ')} |`,
  );
  const head = `| hook | ${Object.keys(places).join(' | ')} |\n|---|${Object.keys(places)
    .map(() => '---|')
    .join('')}`;
  return [
    head,
    ...rows,
    '',
    ...Object.entries(places).flatMap(([place, table]) => reasons(place, table, names)),
  ].join('\n');
}

function mark(honour: Honour): string {
  if (honour === 'whole') return 'whole';
  return 'partly' in honour ? 'in part' : 'no';
}

function reasons(place: string, table: Honours, names: readonly LifecycleName[]): string[] {
  const lines = names.flatMap((name) => {
    const honour = findHonour(table, name);
    if (honour === 'whole') return [];
    return [`- \`${name}\`, ${'partly' in honour ? `in part: ${honour.partly}` : `no: ${honour.no}`}`];
  });
  return [`**${place}**`, '', ...lines];
}
