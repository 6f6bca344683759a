import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What was tried, and what came of it. */
export interface SeenRow {
  readonly title: string;
  readonly seen: string;
  readonly held: boolean;
}

/** What `npm run prove-gateway` has seen. */
export interface Observed {
  readonly date: string;
  readonly rows: readonly SeenRow[];
}

/** The table in docs/gateway.md. */
export function gatewayTable(): string {
  const file = join(import.meta.dirname, 'observed.json');
  const { date, rows }: Observed = JSON.parse(readFileSync(file, 'utf8'));
  const lines = rows.map(({ title, seen }) => `| ${title} | ${seen} |`);
  return `By \`npm run prove-gateway\` on ${date}, with the command as it is published:\n\n| tried | seen |\n|---|---|\n${lines.join('\n')}`;
}
