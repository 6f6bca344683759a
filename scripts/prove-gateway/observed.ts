import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What was tried, and what came of it. */
export interface SeenRow {
  readonly title: string;
  readonly seen: string;
  readonly held: boolean;
}

/** What `npm run prove-gateway` has seen. */
interface Observed {
  readonly date: string;
  readonly rows: readonly SeenRow[];
}

const file = join(import.meta.dirname, 'observed.json');

/** Keeps what was seen. @param isWhole whether all was tried: else rows of other titles stay */
export function writeObserved(rows: readonly SeenRow[], { isWhole }: { readonly isWhole: boolean }): void {
  const now = new Map(rows.map((row) => [row.title, row]));
  const before = isWhole ? [] : readObserved().rows;
  const kept = before.map((row) => now.get(row.title) ?? row);
  const added = rows.filter(({ title }) => !before.some((row) => row.title === title));
  const observed: Observed = { date: new Date().toISOString().slice(0, 10), rows: [...kept, ...added] };
  writeFileSync(file, `${JSON.stringify(observed, undefined, 2)}\n`);
}

function readObserved(): Observed {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The table in docs/gateway.md. */
export function gatewayTable(): string {
  const { date, rows } = readObserved();
  const lines = rows.map(({ title, seen }) => `| ${title} | ${seen} |`);
  return `By \`npm run prove-gateway\` on ${date}, with the command as it is published:\n\n| tried | seen |\n|---|---|\n${lines.join('\n')}`;
}
