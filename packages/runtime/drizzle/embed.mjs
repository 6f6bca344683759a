// Writes the generated migrations into a module, so that they are there wherever the code is: in src, in dist, in a bundle.
import { readFileSync, writeFileSync } from 'node:fs';

const journal = JSON.parse(readFileSync(new URL('meta/_journal.json', import.meta.url), 'utf8'));
const migrations = journal.entries.map(({ tag }) => {
  const sql = readFileSync(new URL(`${tag}.sql`, import.meta.url), 'utf8');
  const statements = sql.replaceAll('--> statement-breakpoint', '').replace(/\n{2,}/g, '\n').trim();
  return `  // ${tag}\n  \`${statements.replaceAll('`', '"')}\`,\n`;
});

writeFileSync(
  new URL('../src/stores/sqlite/schema/migrations.ts', import.meta.url),
  `// Generated from drizzle/*.sql by \`npm run generate\`; do not edit.

/** The SQL of every migration, oldest first; a file's \`user_version\` says how many it has seen. */
export const migrations: readonly string[] = [
${migrations.join('')}];
`,
);
